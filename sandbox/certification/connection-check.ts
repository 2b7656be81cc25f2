/** Checks whether the platform could call a client server, and suggests changes if it could not. */
import { outgoingTerms } from '../http-client/outgoing.ts';
import { isLoopback } from '../runtime/caller.ts';

/** The server to check, and the values that the platform and the microsite would send to it. */
export interface Subject {
  /** The base URL of the client API, without a trailing slash. */
  readonly url: string;
  readonly token: string;
  /** The ID of a customer that the server knows. */
  readonly customer: string;
  /** `username:password` of the microsite. If omitted, its operations are not called. */
  readonly basic?: string;
}

/** The result of one check. `doubtful` means that the interface permits the result, but production may not. */
export interface Check {
  readonly name: string;
  readonly state: 'ok' | 'wrong' | 'doubtful';
  readonly found: string;
  /** The suggested change. Omitted if `state` is `ok`. */
  readonly change?: string;
}

interface Probe {
  readonly method: 'GET' | 'POST';
  readonly path: string;
  readonly body?: string;
}

const ok = (name: string, found: string): Check => ({ name, state: 'ok', found });
const wrong = (name: string, found: string, change: string): Check => ({ name, state: 'wrong', found, change });
const doubtful = (name: string, found: string, change: string): Check => ({ name, state: 'doubtful', found, change });

type Send = ReturnType<typeof sender>;
type Reply = Awaited<ReturnType<Send>>;
type Fetch = typeof globalThis.fetch;

/** Path prefixes that partners commonly add or omit. */
const usualPrefixes = ['', 'api', 'client', 'client/api', 'v1', 'api/v1'];
/** A customer id and a token that no server knows. */
const unknown = 'rewards-sandbox-doctor';
const mostClockDifference = 30_000;

/** An error for an incomplete or missing reply. The message is the system's error code or message. */
class NoReply extends Error {}

/**
 * Checks a server with a few calls that change no data and send no messages to customers. Yields each result as soon as it
 * is available. Stops early if a failed check makes the others meaningless.
 *
 * @param now returns real time, in milliseconds since 1970
 * @param fetch the function that sends the calls, by default the global `fetch`, which can reach any address
 */
export async function* checkConnection(
  { url, token, customer, basic }: Subject,
  now: () => number,
  fetch: Fetch = globalThis.fetch,
): AsyncGenerator<Check> {
  const send = sender(now, fetch);
  /** The operations that read a customer's points. A server implements at least one of them. */
  const reads = [
    { method: 'POST', path: `/getProfileAndPoints?uid=${encodeURIComponent(customer)}` },
    { method: 'GET', path: `/api/v1/customer/points?customer_id=${encodeURIComponent(customer)}` },
  ] as const;
  try {
    const { check, probe, reply } = await findPath(url, reads, token, send);
    yield connection(url);
    yield check;
    if (probe === undefined || reply === undefined) return;
    yield accepted(reply, customer);
    if (isSuccess(reply)) yield format(reply);
    yield* manner(reply, now());
    yield refusal(await send(url, probe, `Bearer ${unknown}`));
    if (basic !== undefined) yield await microsite(url, basic, send);
  } catch (error) {
    if (!(error instanceof NoReply)) throw error;
    yield wrong('Connection', error.message, remedyOf(error.message));
  }
}

function remedyOf(why: string): string {
  return /CERT|SSL|TLS|ALTNAME|ISSUER/.test(why)
    ? 'Serve a certificate for this name from a known authority, or name yours in NODE_EXTRA_CA_CERTS.'
    : 'Start the server, and check host and port. In a container, localhost is the container itself.';
}

function connection(url: string): Check {
  const { protocol, hostname } = new URL(url);
  if (protocol === 'https:' || isLoopback(hostname)) return ok('Connection', 'the server answers');
  const change = 'Use HTTPS: tokens and points cross the network in plain text.';
  return doubtful('Connection', 'the server answers over plain HTTP', change);
}

/** Finds the operation that the server implements, and the base URL below which it serves it. */
async function findPath(url: string, probes: readonly Probe[], token: string, send: Send) {
  const { origin, pathname } = new URL(url);
  const usual = usualPrefixes.map((prefix) => `${origin}/${prefix}`.replace(/\/$/, ''));
  for (const base of new Set([url, ...usual])) {
    for (const probe of probes) {
      const reply = await send(base, probe, `Bearer ${token}`);
      if (!isServed(reply) && !(await isRefusedCustomer(base, probe, token, send))) continue;
      const [path] = probe.path.split('?');
      if (base === url) return { check: ok('Path', `serves ${path}`), probe, reply };
      const found = `${path} is not below ${pathname}, but below ${base}`;
      return { check: wrong('Path', found, `Use ${base} as the client URL.`) };
    }
  }
  const found = 'serves neither /getProfileAndPoints nor /api/v1/customer/points, here or below a usual prefix';
  const change = 'Implement POST /getProfileAndPoints, or name the address that it is below.';
  return { check: wrong('Path', found, change) };
}

/**
 * Returns whether a 404 concerns the customer and not the path. In that case an unknown path returns a different reply,
 * with either the correct or a wrong token.
 */
async function isRefusedCustomer(base: string, probe: Probe, token: string, send: Send): Promise<boolean> {
  const nowhere = { ...probe, path: `/${unknown}` };
  for (const bearer of [token, unknown]) {
    const [here, there] = [await send(base, probe, `Bearer ${bearer}`), await send(base, nowhere, `Bearer ${bearer}`)];
    if (here.type.startsWith('text/html')) return false;
    if (formOf(here, probe.path) !== formOf(there, nowhere.path)) return true;
  }
  return false;
}

/** Returns a comparable form of a reply, without the parts that depend on its path or the time. */
function formOf({ status, type, text }: Reply, target: string): string {
  const [path = ''] = target.slice(1).split('?');
  const json = jsonOf(text);
  const message = json === undefined ? text : (messageIn(json) ?? '');
  const names = json === undefined ? [] : Object.keys(json ?? {}).sort();
  return JSON.stringify([status, type, names, message.replaceAll(target.slice(1), '').replaceAll(path, '')]);
}

/** Returns whether an operation produced the reply. HTML pages, redirects and missing routes do not count. */
function isServed({ status, type }: Reply): boolean {
  return ![404, 405, 501].includes(status) && !type.startsWith('text/html') && !(status >= 300 && status < 400);
}

function accepted(reply: Reply, customer: string): Check {
  const name = 'Token and customer';
  if (isSuccess(reply)) return ok(name, `${reply.status} for ${customer}`);
  const change = `Accept this service token, and check that the server has the customer ${customer}.`;
  return wrong(name, describe(reply), change);
}

function format({ type, text }: Reply): Check {
  const { points } = (jsonOf(text) ?? {}) as { points?: { balance?: unknown } | null };
  if (!/^application\/([\w.-]+\+)?json\b/.test(type))
    return wrong('JSON', type || 'no Content-Type', 'Send Content-Type: application/json.');
  if (!Number.isSafeInteger(points?.balance))
    return wrong('JSON', 'no points.balance', 'Send points.balance as an integer.');
  return ok('JSON', `points.balance is ${points?.balance}`);
}

/** Checks the response time and the clock of the server. */
function* manner({ milliseconds, date }: Reply, now: number): Generator<Check> {
  const most = outgoingTerms.totalTimeout;
  const found = `${milliseconds} ms`;
  const change = `Answer within ${most / 2} ms: the platform ends a call after ${most} ms.`;
  yield milliseconds <= most / 2 ? ok('Time to answer', found) : doubtful('Time to answer', found, change);
  if (Number.isNaN(date)) return;
  const seconds = Math.round((now - date) / 1000);
  const differs = `${Math.abs(seconds)} s ${seconds > 0 ? 'behind' : 'ahead'}`;
  yield Math.abs(now - date) <= mostClockDifference
    ? ok('Clock', 'right')
    : wrong('Clock', differs, 'Set the clock of the server: tokens expire by it.');
}

function refusal(reply: Reply): Check {
  const [name, found] = ['Wrong token', describe(reply)];
  return isSuccess(reply) ? wrong(name, found, 'Refuse a Bearer token that you did not issue.') : ok(name, found);
}

/** Requests a code for an unknown customer with correct and with wrong credentials. The replies must differ. */
async function microsite(url: string, basic: string, send: Send): Promise<Check> {
  const body = JSON.stringify({ customer_id: unknown });
  const probe = { method: 'POST', path: '/api/v1/auth/generate-otp', body } as const;
  const basicOf = (pair: string) => `Basic ${Buffer.from(pair).toString('base64')}`;
  const name = 'Basic credentials';
  const right = await send(url, probe, basicOf(basic));
  const other = await send(url, probe, basicOf(`${unknown}:${unknown}`));
  const found = `${describe(right)}; with wrong credentials ${describe(other)}`;
  const isSame = other.status === right.status && other.text === right.text;
  if (!isServed(right) && isSame) return wrong(name, found, `Implement POST ${probe.path} below the client URL.`);
  if (right.status === 401) return wrong(name, found, 'Accept the Basic credentials of the microsite.');
  return isSame ? doubtful(name, found, 'Refuse wrong Basic credentials with 401.') : ok(name, found);
}

/** Returns a function that sends calls. It rejects with `NoReply` if no complete reply arrived. */
function sender(now: () => number, fetch: Fetch) {
  return async (base: string, { method, path, body }: Probe, authorization: string) => {
    const began = now();
    try {
      const response = await fetch(`${base}${path}`, {
        method,
        redirect: 'manual',
        signal: AbortSignal.timeout(outgoingTerms.totalTimeout),
        headers: { authorization, accept: 'application/json', ...(body && { 'content-type': 'application/json' }) },
        ...(body && { body }),
      });
      const text = await boundedText(response);
      const [type, date] = ['content-type', 'date'].map((name) => response.headers.get(name) ?? '') as [string, string];
      return { status: response.status, type, date: Date.parse(date), text, milliseconds: now() - began };
    } catch (error) {
      const { code, message } = ((error as Error).cause ?? error) as NodeJS.ErrnoException;
      throw new NoReply(typeof code === 'string' ? code : message);
    }
  };
}

/** Reads a body, up to the limit of the platform. Throws if the body is larger. */
async function boundedText({ body }: Response): Promise<string> {
  const decoder = new TextDecoder();
  let [text, bytes] = ['', 0];
  for await (const piece of body ?? []) {
    bytes += piece.length;
    if (bytes > outgoingTerms.replyBytes)
      throw new Error(`the answer is larger than ${outgoingTerms.replyBytes} bytes`);
    text += decoder.decode(piece, { stream: true });
  }
  return text;
}

function describe({ status, text }: Reply): string {
  const message = messageIn(jsonOf(text));
  return message === undefined ? String(status) : `${status} ${message}`;
}

function messageIn(json: unknown): string | undefined {
  const { data, message = data?.message } = (json ?? {}) as { message?: unknown; data?: { message?: unknown } };
  return typeof message === 'string' ? message : undefined;
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function isSuccess({ status }: Reply): boolean {
  return status >= 200 && status < 300;
}
