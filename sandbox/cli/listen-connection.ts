/** The connection of `listen`: the event stream from a sandbox, the calls to the server, and their replies. */
import { Client, type Dispatcher, EnvHttpProxyAgent, request } from 'undici';
import type { components } from '../../generated/sandbox/types.ts';
import { checkSendable } from '../http-client/connections.ts';
import type { Opening } from '../http-client/listener-line.ts';
import { reasonOf } from '../http-client/outgoing.ts';
import { type Packed, readResponse, TooLarge } from '../http-client/read-response.ts';
import { holdingTimer } from '../runtime/clock.ts';

type ListenerReply = components['schemas']['ListenerReply'];
type CallEntry = components['schemas']['ActivityCall'];

/** Maximum number of characters of an event, and of concurrent calls. A sandbox stays below both. */
const mostCharacters = 1024 * 1024;
const mostInFlight = 32;
/** Maximum bytes of the body in one part of a reply. A part can also contain headers. */
const partBytes = 24 * 1024;
/** Maximum number of characters in the reason for a missing reply. */
const mostFailure = 200;
/** Timeouts in milliseconds: for a reply to reach the sandbox, and for any event before the line counts as lost. */
const replyTimeout = 15_000;
const silence = 40_000;

/** Creates a dispatcher for calls to a sandbox. It uses the proxy from the environment, if there is one. */
export function callingThrough(env: NodeJS.ProcessEnv): Dispatcher {
  return new EnvHttpProxyAgent({
    httpProxy: env.http_proxy ?? env.HTTP_PROXY ?? '',
    httpsProxy: env.https_proxy ?? env.HTTPS_PROXY ?? '',
    noProxy: env.no_proxy ?? env.NO_PROXY ?? '',
    allowH2: false,
  });
}

/** The first event on a line. */
export interface Opened extends Opening {
  readonly listener: string;
  readonly forward_to: string;
}

/** A call that the listener makes for the sandbox. */
export interface ForwardedCall {
  readonly operation: string | null;
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | null;
}

/** Callbacks for the events of a connection. */
export interface LineReport {
  opened(opening: Opened): void;
  /** Reports that a call begins. Call the returned function when the call has ended, with or without a reply. */
  began(call: ForwardedCall): () => void;
  logged(entry: CallEntry): void;
  problem(message: string): void;
}

interface LineParts {
  /** The URL of the control API. */
  readonly api: string;
  readonly authorization: Readonly<Record<string, string>>;
  readonly forwardTo: string;
  /** The dispatcher for calls to the sandbox. */
  readonly over: Dispatcher;
  readonly report: LineReport;
}

/** The reason why a line ended or could not be opened: ended or refused by the sandbox, or lost. */
export type LineEnd =
  | { readonly kind: 'ended'; readonly reason: string }
  | { readonly kind: 'refused'; readonly status: number; readonly message: string }
  | { readonly kind: 'lost'; readonly error: Error };

/** A line to a sandbox, and the calls that the sandbox requests over it. */
export class ListenConnection {
  readonly #parts: LineParts;
  /** The only origin that may be called. */
  readonly #origin: string;
  readonly #ending = new AbortController();
  readonly #signal: AbortSignal;
  readonly #inFlight = new Map<string, AbortController>();
  #opening: Opened | undefined;
  #cancelWatch = () => {};

  constructor(parts: LineParts, stopped: AbortSignal) {
    this.#parts = parts;
    this.#origin = new URL(parts.forwardTo).origin;
    this.#signal = AbortSignal.any([stopped, this.#ending.signal]);
  }

  /** Opens the line and makes the calls that the sandbox requests, until the line ends. Never rejects. */
  async follow(): Promise<LineEnd> {
    try {
      this.#watch();
      const { statusCode: status, body } = await this.#post('/listener', { forward_to: this.#parts.forwardTo });
      if (status !== 200) {
        const { message } = (await body.json().catch(() => ({}))) as { readonly message?: string };
        return { kind: 'refused', status, message: message ?? 'the sandbox refused the listener' };
      }
      for await (const { event, data } of eventsOf(body, () => this.#watch())) {
        if (event === 'end') return { kind: 'ended', reason: String(data.reason) };
        this.#take(event, data);
      }
      return { kind: 'lost', error: new Error('the sandbox closed the connection') };
    } catch (error) {
      return { kind: 'lost', error: error as Error };
    } finally {
      this.#cancelWatch();
      this.#ending.abort(new Error('the line to the sandbox ended'));
    }
  }

  /** Restarts the timeout that closes a silent line. */
  #watch(): void {
    this.#cancelWatch();
    const giveUp = () => this.#ending.abort(new Error(`no event arrived for ${silence / 1000} s`));
    this.#cancelWatch = holdingTimer(giveUp, silence);
  }

  /** Handles an event. Unknown events, for example from a newer sandbox, are ignored. */
  #take(event: string, data: LineEvent['data']): void {
    const { report } = this.#parts;
    const id = String(data.id).slice(0, 32);
    if (event === 'open') {
      this.#opening = data as unknown as Opened;
      report.opened(this.#opening);
    } else if (event === 'call') void this.#reply(id, this.#forward(id, data as unknown as ForwardedCall));
    else if (event === 'cancel') this.#inFlight.get(id)?.abort(new Error('the sandbox no longer waits'));
    else if (event === 'heartbeat') void this.#reply(id, Promise.resolve([{ id }]));
    else if (event === 'entry') report.logged(data as unknown as CallEntry);
  }

  /** Makes a call to the server. Resolves with its reply, or with the reason for a missing reply. */
  async #forward(id: string, call: ForwardedCall): Promise<readonly ListenerReply[]> {
    const { report } = this.#parts;
    const isFull = this.#inFlight.size >= mostInFlight;
    const refusal = refusalOf(call, this.#origin) ?? (isFull ? 'too many calls in flight' : undefined);
    if (refusal !== undefined) {
      report.problem(`Refused a call that the sandbox sent: ${refusal}.`);
      return [{ id, failure: `the listener refused the call: ${refusal}`.slice(0, mostFailure) }];
    }
    const { method, path, headers, body } = call;
    const sent = { method: method as Dispatcher.HttpMethod, path, headers, body, headersTimeout: 0, bodyTimeout: 0 };
    const cancelled = new AbortController();
    this.#inFlight.set(id, cancelled);
    const ended = report.began(call);
    // Each call has its own connection, so that the server cannot close one just as the next call uses it.
    const connection = new Client(this.#origin, { pipelining: 1, allowH2: false });
    try {
      const ending = AbortSignal.any([this.#signal, cancelled.signal]);
      return partsOf(id, await readResponse(connection, sent, this.#opening?.reply_bytes ?? 0, ending));
    } catch (error) {
      if (error instanceof TooLarge) return [{ id, too_large: true }];
      return [{ id, failure: reasonOf(error).slice(0, mostFailure) }];
    } finally {
      ended();
      this.#inFlight.delete(id);
      void connection.destroy();
    }
  }

  /** Posts a reply to the sandbox. Never rejects. */
  async #reply(id: string, parts: Promise<readonly ListenerReply[]>): Promise<void> {
    try {
      const status = await this.#postParts(await parts);
      // 404 means that the sandbox no longer waits for the reply.
      if (status === 204 || status === 404) return;
      await this.#postParts([{ id, failure: `the sandbox refused the reply with status ${status}` }]);
    } catch (error) {
      if (!this.#signal.aborted) this.#parts.report.problem(`A reply did not reach the sandbox: ${reasonOf(error)}.`);
    }
  }

  /** Posts the parts of a reply. Resolves with the status of the last posted part. */
  async #postParts(parts: readonly ListenerReply[]): Promise<number> {
    for (const part of parts) {
      const { statusCode, body } = await this.#post(`/listener/${this.#opening?.listener}/replies`, part);
      await body.dump();
      if (statusCode !== 204) return statusCode;
    }
    return 204;
  }

  #post(path: string, body: object) {
    const { api, authorization, over } = this.#parts;
    return request(`${api}${path}`, {
      method: 'POST',
      dispatcher: over,
      signal: this.#signal,
      headersTimeout: replyTimeout,
      bodyTimeout: 0,
      headers: { ...authorization, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
  }
}

const methods = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'];

/**
 * Returns the reason why a call is refused; `undefined` if it is allowed. A call must stay at the origin and be a valid
 * HTTP call.
 */
function refusalOf({ method, path, headers, body }: ForwardedCall, origin: string): string | undefined {
  if (!methods.includes(method)) return `${JSON.stringify(method)} is not a method of an API`;
  const isPath = typeof path === 'string' && /^\/(?!\/)[!-~]*$/.test(path) && !path.includes('\\');
  if (!isPath || new URL(path, origin).origin !== origin) return 'its path is not below the origin';
  if (body !== null && typeof body !== 'string') return 'its body is not text';
  if (typeof headers !== 'object' || headers === null) return 'it has no headers';
  try {
    checkSendable(headers);
  } catch (error) {
    return (error as Error).message;
  }
  return undefined;
}

/** Splits a reply into parts that fit in calls of the control API. */
function partsOf(id: string, { status, head, packed }: Packed): readonly ListenerReply[] {
  const headers = Object.fromEntries(Object.entries(head).map(([name, value = []]) => [name, [value].flat()]));
  const count = Math.max(1, Math.ceil(packed.length / partBytes));
  return Array.from({ length: count }, (_, index) => ({
    id,
    ...(index === 0 && { status, headers }),
    body: packed.subarray(index * partBytes, (index + 1) * partBytes).toString('base64'),
    ...(index < count - 1 && { more: true as const }),
  }));
}

type LineEvent = { readonly event: string; readonly data: Readonly<Record<string, unknown>> };

/** Parses the events of a stream. Throws for invalid events and for events that are too large. */
async function* eventsOf(chunks: AsyncIterable<Buffer>, came: () => void): AsyncGenerator<LineEvent> {
  const decoder = new TextDecoder();
  let text = '';
  for await (const chunk of chunks) {
    came();
    text += decoder.decode(chunk, { stream: true });
    const whole = text.split('\n\n');
    text = whole.pop() ?? '';
    for (const each of whole) yield eventIn(each);
    if (text.length > mostCharacters) throw new Error('the sandbox sent an event that is too large');
  }
}

function eventIn(text: string): LineEvent {
  const [, event = ''] = /^event: (\w+)$/m.exec(text) ?? [];
  const [, json = 'null'] = /^data: (.*)$/m.exec(text) ?? [];
  try {
    const data: unknown = JSON.parse(json);
    if (typeof data === 'object' && data !== null) return { event, data: data as LineEvent['data'] };
  } catch {
    // Reported below, like JSON that is not an object.
  }
  throw new Error('the sandbox sent an invalid listener event');
}
