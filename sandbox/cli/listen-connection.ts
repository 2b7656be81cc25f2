/** One line of `listen`: the stream of events from a sandbox, the calls to the server, and their replies. */
import type { Dispatcher } from 'undici';
import type { components } from '../../generated/sandbox/types.ts';
import { checkSendable } from '../http-client/connections.ts';
import { type Packed, readResponse, TooLarge } from '../http-client/read-response.ts';
import { reasonOf } from '../http-client/outgoing.ts';
import { holdingTimer } from '../runtime/timer.ts';

type ListenerReply = components['schemas']['ListenerReply'];
type CallEntry = components['schemas']['ActivityCall'];

/** Most characters of an event, and most calls that are made concurrently: a sandbox sends less. */
const mostCharacters = 1024 * 1024;
const mostInFlight = 32;
/** Bytes of a body in one part of a reply, which also has the headers. */
const partBytes = 24 * 1024;
/** Milliseconds for a reply to reach the sandbox, and without any event until the line counts as dead. */
const replyTimeout = 15_000;
const silence = 40_000;

/** The first event of a line. */
export interface Opened {
  readonly listener: string;
  readonly workspace: string;
  readonly forward_to: string;
  readonly client_token: string;
  readonly webhooks: readonly { readonly url: string; readonly secret: string }[];
  readonly reply_bytes: number;
}

/** A call that was made for the sandbox. */
export interface ForwardedCall {
  readonly operation: string | null;
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | null;
}

/** Whoever shows what happens on a line. */
export interface LineReport {
  opened(opening: Opened): void;
  /** A call begins. Call the returned function when the server has replied, or will not. */
  began(call: ForwardedCall): () => void;
  logged(entry: CallEntry): void;
  problem(message: string): void;
}

interface LineParts {
  /** The address of the control API. */
  readonly api: string;
  readonly authorization: Readonly<Record<string, string>>;
  readonly forwardTo: string;
  /** Calls to the sandbox, through a proxy if there is one. */
  readonly over: Dispatcher;
  readonly report: LineReport;
}

/** Why the sandbox ended a line, or refused to open it. Without a status, it did not answer. */
export type LineEnd =
  | { readonly kind: 'ended'; readonly reason: string }
  | { readonly kind: 'refused'; readonly status: number; readonly message: string }
  | { readonly kind: 'lost'; readonly error: Error };

/** Opens a line, and makes the calls of the sandbox until it ends. Never rejects. */
export async function followLine(parts: LineParts, stopped: AbortSignal): Promise<LineEnd> {
  const { request, Client } = await import('undici');
  const { api, authorization, forwardTo, over, report } = parts;
  const { origin } = new URL(forwardTo);
  const ending = new AbortController();
  const signal = AbortSignal.any([stopped, ending.signal]);
  const inFlight = new Map<string, AbortController>();
  let opening: Opened | undefined;

  const post = async (path: string, body: object) =>
    request(`${api}${path}`, {
      ...{ method: 'POST', dispatcher: over, signal, headersTimeout: replyTimeout, bodyTimeout: 0 },
      headers: { ...authorization, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
  const reply = async (parts: readonly ListenerReply[]): Promise<number> => {
    let status = 204;
    for (const part of parts) {
      if (status !== 204) break;
      const { statusCode, body } = await post(`/listener/${opening?.listener}/replies`, part);
      await body.dump();
      status = statusCode;
    }
    return status;
  };
  const answer = async (id: string, parts: () => Promise<readonly ListenerReply[]>) => {
    try {
      const status = await reply(await parts());
      // 404: the sandbox waits for it no longer.
      if (status !== 204 && status !== 404)
        await reply([{ id, failure: `the sandbox refused the reply with status ${status}` }]);
    } catch (error) {
      if (!signal.aborted) report.problem(`A reply did not reach the sandbox: ${reasonOf(error)}.`);
    }
  };
  const forward = async (id: string, call: ForwardedCall, mostBytes: number): Promise<readonly ListenerReply[]> => {
    const refusal = refusalOf(call, origin) ?? (inFlight.size >= mostInFlight ? 'too many calls in flight' : undefined);
    if (refusal !== undefined) {
      report.problem(`Refused a call that the sandbox sent: ${refusal}.`);
      return [{ id, failure: `the listener refused the call: ${refusal}` }];
    }
    const { method, path, headers, body } = call;
    const cancelled = new AbortController();
    inFlight.set(id, cancelled);
    const ended = report.began(call);
    // A connection for each call: none is closed by the server just as the next call uses it.
    const connection = new Client(origin, { pipelining: 1, allowH2: false });
    try {
      const sent = { method: method as Dispatcher.HttpMethod, path, headers, body, headersTimeout: 0, bodyTimeout: 0 };
      return partsOf(id, await readResponse(connection, sent, mostBytes, AbortSignal.any([signal, cancelled.signal])));
    } catch (error) {
      return [error instanceof TooLarge ? { id, too_large: true } : { id, failure: reasonOf(error).slice(0, 200) }];
    } finally {
      ended();
      inFlight.delete(id);
      void connection.destroy();
    }
  };
  const take = (event: string, data: Readonly<Record<string, unknown>>): LineEnd | undefined => {
    const id = String(data.id).slice(0, 32);
    if (event === 'open') {
      opening = data as unknown as Opened;
      report.opened(opening);
    } else if (event === 'call') void answer(id, () => forward(id, data as never, opening?.reply_bytes ?? 0));
    else if (event === 'cancel') inFlight.get(id)?.abort(new Error('the sandbox waits no longer'));
    else if (event === 'heartbeat') void answer(id, async () => [{ id }]);
    else if (event === 'entry') report.logged(data as unknown as CallEntry);
    else if (event === 'end') return { kind: 'ended', reason: String(data.reason) };
    return undefined;
  };

  let cancel = () => {};
  const beat = () => {
    cancel();
    cancel = holdingTimer(() => ending.abort(new Error('nothing came for 40 s')), silence);
  };
  try {
    beat();
    const { statusCode, body } = await post('/listener', { forward_to: forwardTo });
    if (statusCode !== 200) {
      const { message } = (await body.json().catch(() => ({}))) as { readonly message?: string };
      return { kind: 'refused', status: statusCode, message: message ?? 'the sandbox refused the listener' };
    }
    for await (const { event, data } of eventsOf(body, beat)) {
      const end = take(event, data);
      if (end !== undefined) return end;
    }
    return { kind: 'lost', error: new Error('the sandbox closed the connection') };
  } catch (error) {
    return { kind: 'lost', error: error as Error };
  } finally {
    cancel();
    ending.abort(new Error('the line to the sandbox ended'));
  }
}

const methods = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'];

/** Why a call is not made: it must stay at the origin, and be a call of HTTP and nothing else. */
function refusalOf({ method, path, headers, body }: ForwardedCall, origin: string): string | undefined {
  if (!methods.includes(method)) return `${JSON.stringify(method)} is not a method of an API`;
  const isPath = typeof path === 'string' && /^\/(?!\/)[!-~]*$/.test(path) && !path.includes('\\');
  if (!isPath || new URL(path, origin).origin !== origin) return 'its path is not below the origin';
  if (body !== null && typeof body !== 'string') return 'its body is not text';
  if (typeof headers !== 'object' || headers === null) return 'it has no headers';
  try {
    checkSendable(headers);
    return undefined;
  } catch (error) {
    return (error as Error).message;
  }
}

/** A reply in parts that a call of the control API can carry. */
function partsOf(id: string, { status, head, packed }: Packed): readonly ListenerReply[] {
  const headers: Record<string, string[]> = {};
  for (const [name, value = []] of Object.entries(head)) headers[name] = [value].flat();
  const count = Math.max(1, Math.ceil(packed.length / partBytes));
  return Array.from({ length: count }, (_, index) => ({
    id,
    ...(index === 0 && { status, headers }),
    body: packed.subarray(index * partBytes, (index + 1) * partBytes).toString('base64'),
    ...(index < count - 1 && { more: true as const }),
  }));
}

interface LineEvent {
  readonly event: string;
  readonly data: Readonly<Record<string, unknown>>;
}

/** The events of a stream. Throws for what is none, and for one that is too large. */
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
    // It is reported like JSON that is no object.
  }
  throw new Error('the sandbox sent something that is not an event of a listener');
}
