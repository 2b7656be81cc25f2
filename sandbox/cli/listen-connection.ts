/** One line of `listen`: the stream of events from a sandbox, the calls to the server, and their replies. */
import { Client, type Dispatcher, EnvHttpProxyAgent, request } from 'undici';
import type { components } from '../../generated/sandbox/types.ts';
import { checkSendable } from '../http-client/connections.ts';
import type { Opening } from '../http-client/listener-line.ts';
import { reasonOf } from '../http-client/outgoing.ts';
import { type Packed, readResponse, TooLarge } from '../http-client/read-response.ts';
import { holdingTimer } from '../runtime/timer.ts';

type ListenerReply = components['schemas']['ListenerReply'];
type CallEntry = components['schemas']['ActivityCall'];

/** Most characters of an event, and most calls that are made concurrently: a sandbox sends less. */
const mostCharacters = 1024 * 1024;
const mostInFlight = 32;
/** Bytes of a body in one part of a reply, which also has the headers. */
const partBytes = 24 * 1024;
/** Most characters of the reason why there is no reply. */
const mostFailure = 200;
/** Milliseconds for a reply to reach the sandbox, and without any event until the line counts as dead. */
const replyTimeout = 15_000;
const silence = 40_000;

/** Makes calls to a sandbox, through the proxy that the environment names, if it does. */
export function callingThrough(env: NodeJS.ProcessEnv): Dispatcher {
  return new EnvHttpProxyAgent({
    httpProxy: env.http_proxy ?? env.HTTP_PROXY ?? '',
    httpsProxy: env.https_proxy ?? env.HTTPS_PROXY ?? '',
    noProxy: env.no_proxy ?? env.NO_PROXY ?? '',
    allowH2: false,
  });
}

/** The first event of a line. */
export interface Opened extends Opening {
  readonly listener: string;
  readonly forward_to: string;
}

/** A call that was made for the sandbox. */
export interface ForwardedCall {
  readonly operation: string | null;
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | null;
}

/** Shows what happens on a connection. */
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

/** One line to a sandbox, and the calls that it has the listener make. */
export class ListenConnection {
  readonly #parts: LineParts;
  /** The only origin that is called. */
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

  /** Opens the line, and makes the calls of the sandbox until it ends. Never rejects. */
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

  /** Gives the line up unless something comes in time. */
  #watch(): void {
    this.#cancelWatch();
    const giveUp = () => this.#ending.abort(new Error(`nothing came for ${silence / 1000} s`));
    this.#cancelWatch = holdingTimer(giveUp, silence);
  }

  /** Takes an event. A newer sandbox may send others, which are ignored. */
  #take(event: string, data: LineEvent['data']): void {
    const { report } = this.#parts;
    const id = String(data.id).slice(0, 32);
    if (event === 'open') {
      this.#opening = data as unknown as Opened;
      report.opened(this.#opening);
    } else if (event === 'call') void this.#reply(id, this.#forward(id, data as unknown as ForwardedCall));
    else if (event === 'cancel') this.#inFlight.get(id)?.abort(new Error('the sandbox waits no longer'));
    else if (event === 'heartbeat') void this.#reply(id, Promise.resolve([{ id }]));
    else if (event === 'entry') report.logged(data as unknown as CallEntry);
  }

  /** Makes a call to the server. Resolves with its reply, or why there is none. */
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
    // A connection for each call: none is closed by the server just as the next call uses it.
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
      // 404: the sandbox waits for it no longer.
      if (status === 204 || status === 404) return;
      await this.#postParts([{ id, failure: `the sandbox refused the reply with status ${status}` }]);
    } catch (error) {
      if (!this.#signal.aborted) this.#parts.report.problem(`A reply did not reach the sandbox: ${reasonOf(error)}.`);
    }
  }

  /** Resolves with the status of the last part that was posted. */
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
      ...{ method: 'POST', dispatcher: over, signal: this.#signal, headersTimeout: replyTimeout, bodyTimeout: 0 },
      headers: { ...authorization, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
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
  } catch (error) {
    return (error as Error).message;
  }
  return undefined;
}

/** A reply in parts that a call of the control API can carry. */
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
    // Reported below, as JSON that is not an object.
  }
  throw new Error('the sandbox sent something that is not an event of a listener');
}
