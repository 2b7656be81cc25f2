/** Reads one response from a connection, within limits that the sender cannot change. */
import type { IncomingHttpHeaders } from 'node:http';
import type { Dispatcher } from 'undici';
import { TooLarge } from './decode-content.ts';

/** Most interim responses (1xx) that are accepted before the final one (OP-24). */
const mostInterim = 20;

/** A reply that came whole, still packed. */
export interface RawResponse {
  readonly status: number;
  /** Names in small letters; what came several times is a list. */
  readonly head: IncomingHttpHeaders;
  /** Names and values in turn, as they came. */
  readonly raw: readonly (Buffer | string)[];
  readonly packed: Buffer;
}

/**
 * Sends a call and takes its reply. Rejects with `TooLarge` beyond so many bytes, with an Error where too many interim
 * replies come instead of an answer, with the signal's reason once that is given, and else as undici does.
 */
export async function readResponse(
  over: Dispatcher,
  options: Dispatcher.DispatchOptions,
  mostBytes: number,
  signal?: AbortSignal,
): Promise<RawResponse> {
  signal?.throwIfAborted();
  const { promise, resolve, reject } = Promise.withResolvers<RawResponse>();
  const reader = new ResponseReader(mostBytes, resolve, reject);
  const giveUp = () => reader.giveUp(signal?.reason);
  signal?.addEventListener('abort', giveUp);
  try {
    over.dispatch(options, reader);
    return await promise;
  } finally {
    signal?.removeEventListener('abort', giveUp);
  }
}

class ResponseReader implements Dispatcher.DispatchHandler {
  readonly #mostBytes: number;
  readonly #resolve: (response: RawResponse) => void;
  readonly #reject: (error: Error) => void;
  readonly #chunks: Buffer[] = [];
  #controller: Dispatcher.DispatchController | undefined;
  #givenUp: Error | undefined;
  #status = 0;
  #head: IncomingHttpHeaders = {};
  #raw: readonly (Buffer | string)[] = [];
  #bytes = 0;
  #interim = 0;

  constructor(mostBytes: number, resolve: (response: RawResponse) => void, reject: (error: Error) => void) {
    this.#mostBytes = mostBytes;
    this.#resolve = resolve;
    this.#reject = reject;
  }

  /** Ends the call, also where it waits for a connection still. */
  giveUp(reason: Error): void {
    this.#givenUp = reason;
    this.#controller?.abort(reason);
    this.#reject(reason);
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.#controller = controller;
    if (this.#givenUp !== undefined) controller.abort(this.#givenUp);
  }

  /** Interim replies without an answer, read as fast as they can come, would hold up everybody else. */
  onResponseStart(controller: Dispatcher.DispatchController, status: number, head: IncomingHttpHeaders): void {
    if (status < 200) this.#interim += 1;
    if (this.#interim > mostInterim) {
      controller.abort(new Error(`received more than ${mostInterim} interim responses (1xx) and no final one`));
    }
    this.#status = status;
    this.#head = head;
    this.#raw = Array.isArray(controller.rawHeaders) ? controller.rawHeaders : [];
  }

  onResponseData(controller: Dispatcher.DispatchController, chunk: Buffer): void {
    this.#bytes += chunk.length;
    if (this.#bytes > this.#mostBytes) controller.abort(new TooLarge(this.#mostBytes));
    else this.#chunks.push(chunk);
  }

  onResponseEnd(): void {
    const [first = Buffer.alloc(0), ...more] = this.#chunks;
    const packed = more.length === 0 ? first : Buffer.concat(this.#chunks);
    this.#resolve({ status: this.#status, head: this.#head, raw: this.#raw, packed });
  }

  onResponseError(_: unknown, error: Error): void {
    this.#reject(error);
  }
}
