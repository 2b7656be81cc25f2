import type { ServerResponse } from 'node:http';
import { nextTick } from 'node:process';
import { type Link, LinkedList } from '../runtime/linked-list.ts';

/** Bytes of all replies together that may wait for their readers (OP-82). */
export const mostUnsent = 64 * 1024 * 1024;
/** What a reply that comes piece by piece is counted as until it is measured: its pieces wait for each other. */
const streamBytes = 128 * 1024;

/** A reply that is followed, and its place among those that wait: none unless it does. */
interface Reply {
  readonly response: ServerResponse;
  bytes: number;
  place: Link<Reply> | undefined;
}

/**
 * The replies that wait for their readers. Where they take more than may be, who has had one waiting the longest is cut
 * off, until the rest is within the bound.
 */
export class Unsent {
  readonly #most: number;
  /** By the time at which they began to wait; each with the bytes that it counts for. */
  readonly #waiting = new LinkedList<Reply>();
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
    const reply: Reply = { response, bytes: 0, place: undefined };
    response.on('prefinish', () => this.#count(reply, response.writableLength));
    response.on('pipe', () => this.#count(reply, streamBytes));
    response.on('close', () => this.#drop(reply));
  }

  #count(reply: Reply, bytes: number): void {
    this.#drop(reply);
    if (reply.response.destroyed) return;
    reply.bytes = bytes;
    reply.place = this.#waiting.add(reply);
    this.#bytes += bytes;
    if (this.#bytes > this.#most && !this.#isShedding) void this.#shed();
  }

  #drop(reply: Reply): void {
    if (reply.place === undefined) return;
    this.#bytes -= reply.bytes;
    this.#waiting.remove(reply.place);
    reply.place = undefined;
  }

  /** What was just written is with the system, or not, once the rest of this piece of work is done. */
  async #shed(): Promise<void> {
    this.#isShedding = true;
    await new Promise<void>((resolve) => nextTick(resolve));
    for (const reply of this.#waiting.values()) {
      const { writableLength } = reply.response;
      this.#bytes += writableLength - reply.bytes;
      reply.bytes = writableLength;
      // Who has taken all so far begins to wait anew.
      if (writableLength > 0 || reply.place === undefined) continue;
      this.#waiting.remove(reply.place);
      reply.place = this.#waiting.add(reply);
    }
    for (const reply of this.#waiting.values()) {
      if (reply.bytes === 0) break;
      if (this.#bytes <= this.#most) break;
      this.#drop(reply);
      reply.response.destroy();
    }
    this.#isShedding = false;
  }
}
