import { Readable } from 'node:stream';
import type { Timer } from '../runtime/clock.ts';
import { yieldToEventLoop } from '../store/row.ts';
import type { Activity } from './activity.ts';
import type { ActivityEntry } from './activity-entry.ts';

/** Maximum number of concurrently open streams of a workspace. */
export const mostStreams = 50;
/** Bytes that a stream buffers for its reader. Other entries stay in the log until the reader requests them. */
const bufferBytes = 64 * 1024;
/** Maximum number of entries sent to all readers in one event loop turn. */
const batch = 50;
const batchCharacters = 32 * 1024;
const heartbeatMilliseconds = 15_000;

/** The log that a feed follows. */
type Log = Pick<Activity, 'last' | 'oldest' | 'after' | 'onUpdate'>;

/** The parts of the feed that a reader's stream uses. */
interface Source {
  readonly activity: Log;
  readonly timer: Timer;
  /** Called when the reader can accept more data. */
  readonly wake: () => void;
}

/**
 * The activity log as server-sent events. The log itself is the only buffer (OP-42). Readers receive missing entries in
 * sequence, one batch per event loop turn, so that other work is not delayed (OP-59).
 */
export class Feed {
  readonly #activity: Log;
  readonly #timer: Timer;
  readonly #open = new Set<Following>();
  /** Removes the log listener; set while streams are open. */
  #unsubscribe: (() => void) | undefined;
  /** Whether new entries may have become available to a reader since the last round. */
  #woken = false;
  #handing = false;
  #stopped = false;

  constructor(activity: Log, timer: Timer) {
    this.#activity = activity;
    this.#timer = timer;
  }

  /** The number of open streams. */
  get size(): number {
    return this.#open.size;
  }

  /**
   * Opens a stream of the matching entries after a number; without a number, of new entries only. Returns `undefined`
   * if the maximum number of streams is open.
   */
  open(after: number | undefined, matches: (entry: ActivityEntry) => boolean): Readable | undefined {
    if (this.#open.size >= mostStreams) return undefined;
    const source = { activity: this.#activity, timer: this.#timer, wake: () => this.#wake() };
    const following = new Following(source, after, matches);
    this.#open.add(following);
    this.#unsubscribe ??= this.#subscribe();
    following.once('close', () => this.#close(following));
    if (this.#stopped) following.complete();
    return following;
  }

  /** Ends all open streams, and every later one as soon as it is opened. */
  stop(): void {
    this.#stopped = true;
    for (const following of [...this.#open]) following.complete();
  }

  #subscribe(): () => void {
    return this.#activity.onUpdate((update) => {
      // After a reset, the log is unrelated to the entries that readers have seen.
      if (update === 'everything') for (const following of [...this.#open]) following.complete();
      this.#wake();
    });
  }

  #close(following: Following): void {
    this.#open.delete(following);
    if (this.#open.size > 0) return;
    this.#unsubscribe?.();
    this.#unsubscribe = undefined;
  }

  #wake(): void {
    this.#woken = true;
    if (!this.#handing) void this.#hand();
  }

  /** Sends entries until all readers are up to date. A wakeup during a round triggers another round. */
  async #hand(): Promise<void> {
    this.#handing = true;
    // Entries committed in this turn are sent in the next one.
    await yieldToEventLoop();
    while (this.#woken) {
      this.#woken = false;
      let left = batch;
      for (const following of [...this.#open]) {
        const count = following.handOver(left);
        if (count === 0) continue;
        this.#woken = true;
        left -= count;
        if (left > 0) continue;
        await yieldToEventLoop();
        left = batch;
      }
      await yieldToEventLoop();
    }
    this.#handing = false;
  }
}

/** A reader's stream, which reads requested entries from the log when it is scheduled. */
class Following extends Readable {
  readonly #source: Source;
  readonly #matches: (entry: ActivityEntry) => boolean;
  #cancel: () => void;
  #last: number;
  /** Whether the reader accepts more data. If not, nothing is read from the log. */
  #hungry = false;
  /** Whether the reader has read nothing since the previous heartbeat. */
  #stalled = false;
  #ended = false;

  constructor(source: Source, after: number | undefined, matches: (entry: ActivityEntry) => boolean) {
    super({ highWaterMark: bufferBytes });
    this.#source = source;
    this.#matches = matches;
    const { last: newest, oldest } = source.activity;
    // A number beyond the log belongs to a log that was reset.
    this.#last = after === undefined ? newest : after > newest ? 0 : after;
    this.#last = Math.max(this.#last, oldest - 1);
    this.#cancel = this.#beatLater();
    this.push(': open\n\n');
  }

  override _read(): void {
    this.#hungry = true;
    this.#stalled = false;
    this.#source.wake();
  }

  override _destroy(error: Error | null, done: (error?: Error | null) => void): void {
    this.#cancel();
    done(error);
  }

  /** Ends the stream normally. */
  complete(): void {
    if (this.#ended || this.destroyed) return;
    this.#ended = true;
    this.#cancel();
    this.push(null);
  }

  /** Sends the next entries, at most `most`, if the reader accepts data. Returns the number of examined entries. */
  handOver(most: number): number {
    if (!this.#hungry || this.#ended || this.destroyed) return 0;
    const from = this.#last;
    // The log has evicted the next entries. Ending the stream is better than leaving a gap.
    if (this.#source.activity.oldest > from + 1) {
      this.destroy();
      return 0;
    }
    let text = '';
    for (const entry of this.#source.activity.after(from, most)) {
      this.#last = entry.seq;
      if (this.#matches(entry)) text += `id: ${entry.seq}\ndata: ${JSON.stringify(entry)}\n\n`;
      if (text.length > batchCharacters) break;
    }
    if (text !== '') this.#hungry = this.push(text);
    return this.#last - from;
  }

  #beatLater(): () => void {
    return this.#source.timer(() => {
      if (!this.#hungry && this.#stalled) {
        this.destroy();
        return;
      }
      this.#stalled = !this.#hungry;
      if (this.#hungry) this.#hungry = this.push(': still here\n\n');
      this.#cancel = this.#beatLater();
    }, heartbeatMilliseconds);
  }
}
