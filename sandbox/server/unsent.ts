import type { ServerResponse } from 'node:http';
import { nextTick } from 'node:process';

/** Bytes of all replies together that may wait for their readers (OP-82). */
export const mostUnsent = 64 * 1024 * 1024;
/** What a reply that comes piece by piece is counted as until it is measured: its pieces wait for each other. */
const streamBytes = 128 * 1024;

/**
 * The replies that wait for their readers. Where they take more than may be, who has had one waiting the longest is cut
 * off, until the rest is within the bound.
 */
export class Unsent {
  readonly #most: number;
  /** By the time at which they began to wait; each with the bytes that it counts for. */
  readonly #waiting = new Map<ServerResponse, number>();
  #bytes = 0;
  #isShedding = false;

  constructor(most: number) {
    this.#most = most;
  }

  /** Bytes that wait, as far as they were measured. */
  get bytes(): number {
    return this.#bytes;
  }

  /** Follows a reply until it has left, or its connection is over. */
  follow(response: ServerResponse): void {
    response.on('prefinish', () => this.#count(response, response.writableLength));
    response.on('pipe', () => this.#count(response, streamBytes));
    response.on('close', () => this.#drop(response));
  }

  #count(response: ServerResponse, bytes: number): void {
    this.#drop(response);
    if (response.destroyed) return;
    this.#waiting.set(response, bytes);
    this.#bytes += bytes;
    if (this.#bytes > this.#most && !this.#isShedding) void this.#shed();
  }

  #drop(response: ServerResponse): void {
    this.#bytes -= this.#waiting.get(response) ?? 0;
    this.#waiting.delete(response);
  }

  /** What was just written is with the system, or not, once the rest of this piece of work is done. */
  async #shed(): Promise<void> {
    this.#isShedding = true;
    await new Promise<void>((resolve) => nextTick(resolve));
    for (const response of [...this.#waiting.keys()]) {
      const { writableLength } = response;
      this.#bytes += writableLength - (this.#waiting.get(response) ?? 0);
      // Who has taken all so far begins to wait anew.
      if (writableLength === 0) this.#waiting.delete(response);
      this.#waiting.set(response, writableLength);
    }
    for (const [response, bytes] of [...this.#waiting]) {
      if (bytes === 0) break;
      if (this.#bytes <= this.#most) break;
      this.#drop(response);
      response.destroy();
    }
    this.#isShedding = false;
  }
}
