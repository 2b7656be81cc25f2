import type { ServerResponse } from 'node:http';
import { nextTick } from 'node:process';

/** What a streamed reply counts for until it is measured: its parts wait for each other. */
const streamBytes = 128 * 1024;

/** A tracked reply, and the bytes that it counts for. */
interface Reply {
  readonly response: ServerResponse;
  bytes: number;
}

/**
 * Bounds the memory that replies to slow readers use. Beyond the limit, the connections of those that have waited longest
 * are closed until the rest is within it.
 */
export class SlowReaders {
  readonly #most: number;
  /** In the order in which they began to wait. */
  readonly #waiting = new Set<Reply>();
  #bytes = 0;
  #isEvicting = false;

  constructor(most: number) {
    this.#most = most;
  }

  /** Unread bytes, as last measured. */
  get bytes(): number {
    return this.#bytes;
  }

  /** Follows a reply until it is sent, or its connection ends. */
  follow(response: ServerResponse): void {
    const reply: Reply = { response, bytes: 0 };
    response.on('prefinish', () => this.#count(reply, response.writableLength));
    response.on('pipe', () => this.#count(reply, streamBytes));
    response.on('close', () => this.#drop(reply));
  }

  #count(reply: Reply, bytes: number): void {
    this.#drop(reply);
    if (reply.response.destroyed) return;
    reply.bytes = bytes;
    this.#waiting.add(reply);
    this.#bytes += bytes;
    if (this.#bytes > this.#most && !this.#isEvicting) void this.#evict();
  }

  #drop(reply: Reply): void {
    if (this.#waiting.delete(reply)) this.#bytes -= reply.bytes;
  }

  /** What was just written is with the system, or not, once the rest of this piece of work is done. */
  async #evict(): Promise<void> {
    this.#isEvicting = true;
    await new Promise<void>((resolve) => nextTick(resolve));
    for (const reply of [...this.#waiting]) {
      const { writableLength } = reply.response;
      this.#bytes += writableLength - reply.bytes;
      reply.bytes = writableLength;
      // A reader that has received everything so far goes to the end of the queue.
      if (writableLength > 0) continue;
      this.#waiting.delete(reply);
      this.#waiting.add(reply);
    }
    for (const reply of this.#waiting) {
      if (reply.bytes === 0) break;
      if (this.#bytes <= this.#most) break;
      this.#drop(reply);
      reply.response.destroy();
    }
    this.#isEvicting = false;
  }
}
