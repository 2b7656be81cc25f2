import type { IncomingHttpHeaders } from 'node:http';
import type { Client, Dispatcher } from 'undici';
import { TooLarge, unpacked } from './unpacking.ts';

/** A call as it is sent. */
export interface SentCall {
  readonly method: string;
  /** The whole address. */
  readonly url: string;
  /** By name in small letters: one in capitals would come beside what every call has. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string | undefined;
  /** The caller's giving up. */
  readonly signal?: AbortSignal | undefined;
}

/** A reply that came whole, unpacked; its headers tell the length of what is there. */
export interface WholeReply {
  readonly status: number;
  readonly headers: readonly (readonly [name: string, value: string])[];
  readonly body: Buffer;
}

/** Most interim replies (1xx) that are taken before an answer. Nobody needs more than a few. */
const mostInterim = 20;

/** Statuses of replies without a body, whatever came behind their head. */
const bodiless: ReadonlySet<number> = new Set([204, 205, 304]);

/** Sends a call over a connection. Redirects are replies. Rejects where no whole reply of at most so many bytes comes. */
export async function exchange(connection: Client, call: SentCall, mostBytes: number): Promise<WholeReply> {
  const { method, url, headers, body = null } = call;
  const { pathname, search } = new URL(url);
  const options = { method, path: `${pathname}${search}`, headers, body, ...noTimeouts };
  const { status, head, packed } = await new Promise<Taken>((resolve, reject) => {
    connection.dispatch(options, new Taking(mostBytes, resolve, reject));
  });
  const whole = bodiless.has(status) ? Buffer.alloc(0) : packed;
  const bytes = await unpacked(whole, [head['content-encoding'] ?? []].flat(), mostBytes);
  return { status, headers: pairsOf({ ...head, 'content-length': String(bytes.length) }), body: bytes };
}

/** The caller's deadline is that of the whole call, so the connection needs none for its parts. */
const noTimeouts = { headersTimeout: 0, bodyTimeout: 0 } as const;

/** What was taken of a reply, as it came. */
interface Taken {
  readonly status: number;
  readonly head: IncomingHttpHeaders;
  readonly packed: Buffer;
}

/** Takes a reply as it comes, within its bounds. */
class Taking implements Dispatcher.DispatchHandler {
  readonly #mostBytes: number;
  readonly #resolve: (taken: Taken) => void;
  readonly #reject: (error: Error) => void;
  readonly #chunks: Buffer[] = [];
  #status = 0;
  #head: IncomingHttpHeaders = {};
  #bytes = 0;
  #interim = 0;

  constructor(mostBytes: number, resolve: (taken: Taken) => void, reject: (error: Error) => void) {
    this.#mostBytes = mostBytes;
    this.#resolve = resolve;
    this.#reject = reject;
  }

  onRequestStart(): void {}

  /** Interim replies without an answer, read as fast as they can come, would hold up everybody else. */
  onResponseStart(controller: Dispatcher.DispatchController, status: number, head: IncomingHttpHeaders): void {
    if (status < 200) this.#interim += 1;
    if (this.#interim > mostInterim) {
      controller.abort(new Error(`more than ${mostInterim} interim replies (1xx) came, and no answer`));
    } else if (status > 599) controller.abort(new Error(`the status ${status} is none of HTTP`));
    this.#status = status;
    this.#head = head;
  }

  onResponseData(controller: Dispatcher.DispatchController, chunk: Buffer): void {
    this.#bytes += chunk.length;
    if (this.#bytes > this.#mostBytes) controller.abort(new TooLarge(this.#mostBytes));
    else this.#chunks.push(chunk);
  }

  onResponseEnd(): void {
    const [first = Buffer.alloc(0), ...more] = this.#chunks;
    const packed = more.length === 0 ? first : Buffer.concat(this.#chunks);
    this.#resolve({ status: this.#status, head: this.#head, packed });
  }

  onResponseError(_: unknown, error: Error): void {
    this.#reject(error);
  }
}

/** Headers as a reader takes them: what came several times in one line, but for cookies. */
function pairsOf(head: IncomingHttpHeaders): WholeReply['headers'] {
  return Object.entries(head).flatMap(([name, value = '']): [string, string][] => {
    if (typeof value === 'string') return [[name, value]];
    return name === 'set-cookie' ? value.map((each) => [name, each]) : [[name, value.join(', ')]];
  });
}
