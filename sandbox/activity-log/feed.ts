import { Readable } from 'node:stream';
import type { Timer } from '../runtime/timer.ts';
import { yieldToEventLoop } from '../store/view.ts';
import type { Activity } from './activity.ts';
import type { ActivityEntry } from './activity-entry.ts';

/** Most concurrently open streams of a workspace. */
export const mostStreams = 50;
/** Bytes that a stream buffers for its reader; the rest stays in the log until the reader requests it. */
const bufferBytes = 64 * 1024;
/**
 * Entries that all readers together are handed in a turn, and the characters with which one reader has enough before.
 */
const batch = 50;
const batchCharacters = 32 * 1024;
const heartbeatMilliseconds = 15_000;

/** The log that is followed. */
type Log = Pick<Activity, 'last' | 'oldest' | 'after' | 'onUpdate'>;

/** What a reader's stream needs of its feed. */
interface Source {
  readonly activity: Log;
  readonly timer: Timer;
  /** Called when the reader can take more. */
  readonly wake: () => void;
}

/**
 * The activity log as server-sent events. The log itself is the only buffer (OP-42). Readers are handed what they lack
 * one after the other, a batch in each turn of the event loop, so that no other work waits for them (OP-59).
 */
export class Feed {
  readonly #activity: Log;
  readonly #timer: Timer;
  readonly #open = new Set<Following>();
  /** Set while streams are open. */
  #unsubscribe: (() => void) | undefined;
  /** Whether a reader may have entries to read since the last round. */
  #woken = false;
  #handing = false;
  #stopped = false;

  constructor(activity: Log, timer: Timer) {
    this.#activity = activity;
    this.#timer = timer;
  }

  /** How many streams are open. */
  get size(): number {
    return this.#open.size;
  }

  /**
   * A stream of the matching entries after a number; without one, of what comes from now on. Undefined where as many
   * are open as can be.
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

  /** Ends every stream, and every one that is opened from now on. */
  stop(): void {
    this.#stopped = true;
    for (const following of [...this.#open]) following.complete();
  }

  #subscribe(): () => void {
    return this.#activity.onUpdate((update) => {
      // A log that starts over has nothing to do with what its readers have seen.
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

  /** Sends entries until every reader is up to date. A wakeup in the meantime counts for the next round. */
  async #hand(): Promise<void> {
    this.#handing = true;
    // All that is committed in this turn is handed out in the next.
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

/** One reader's stream: takes from the log what the reader asks for, when it has its turn. */
class Following extends Readable {
  readonly #source: Source;
  readonly #matches: (entry: ActivityEntry) => boolean;
  #cancel: () => void;
  #last: number;
  /** Whether the reader takes more; while it does not, nothing is read from the log. */
  #hungry = false;
  /** Whether the reader has read nothing since the previous heartbeat. */
  #stalled = false;
  #ended = false;

  constructor(source: Source, after: number | undefined, matches: (entry: ActivityEntry) => boolean) {
    super({ highWaterMark: bufferBytes });
    this.#source = source;
    this.#matches = matches;
    const { last: newest, oldest } = source.activity;
    // A number beyond the log is of one that a reset has dropped.
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

  /** Ends the stream in good order. */
  complete(): void {
    if (this.#ended || this.destroyed) return;
    this.#ended = true;
    this.#cancel();
    this.push(null);
  }

  /** Hands over the next entries, at most the given number, if the reader accepts them. Returns how many it examined. */
  handOver(most: number): number {
    if (!this.#hungry || this.#ended || this.destroyed) return 0;
    const from = this.#last;
    // The log dropped what comes next: better cut off than with a gap.
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
