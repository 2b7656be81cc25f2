import { Readable } from 'node:stream';
import type { Store } from '../store/store.ts';
import { type ActivityBooks, type ActivityEntry, entriesAfter, lastSeq } from './activity.ts';
import type { Timer } from './timer.ts';

/** Bytes that a stream keeps ready for its reader; the rest stays in the log until it is asked for. */
const bufferBytes = 64 * 1024;
/** Entries that are looked at in one go. */
const batch = 100;
const heartbeatMilliseconds = 15_000;

/** The activity log as server-sent events, for any number of readers. The log itself is the only buffer (OP-42). */
export class Feed {
  readonly #store: Store<ActivityBooks>;
  readonly #timer: Timer;
  readonly #open = new Set<Following>();
  #stopped = false;

  constructor(store: Store<ActivityBooks>, timer: Timer) {
    this.#store = store;
    this.#timer = timer;
  }

  /** How many streams are open. */
  get size(): number {
    return this.#open.size;
  }

  /** A stream of the matching entries after a number; without one, of what comes from now on. */
  open(after: number | undefined, matches: (entry: ActivityEntry) => boolean): Readable {
    const following = new Following(this.#store, this.#timer, after, matches);
    this.#open.add(following);
    following.once('close', () => this.#open.delete(following));
    if (this.#stopped) following.complete();
    return following;
  }

  /** Ends every stream, and every one that is opened from now on. */
  stop(): void {
    this.#stopped = true;
    for (const following of [...this.#open]) following.complete();
  }
}

/** One reader's stream: takes from the log what the reader asks for, and waits for commits when it has it all. */
class Following extends Readable {
  readonly #store: Store<ActivityBooks>;
  readonly #timer: Timer;
  readonly #matches: (entry: ActivityEntry) => boolean;
  readonly #unsubscribe: () => void;
  #cancel: () => void;
  #last: number;
  /** Whether the reader takes more; while it does not, nothing is read from the log. */
  #hungry = false;
  /** Whether the reader has taken nothing since the heartbeat before. */
  #stalled = false;
  #ended = false;

  constructor(
    store: Store<ActivityBooks>,
    timer: Timer,
    after: number | undefined,
    matches: (entry: ActivityEntry) => boolean,
  ) {
    super({ highWaterMark: bufferBytes });
    this.#store = store;
    this.#timer = timer;
    this.#matches = matches;
    const newest = lastSeq(store);
    // A number beyond the log is of one that a reset has dropped.
    this.#last = after === undefined ? newest : after > newest ? 0 : after;
    const oldest = entriesAfter(store, this.#last, 1)[0]?.seq ?? this.#last + 1;
    this.#last = Math.max(this.#last, oldest - 1);
    this.#unsubscribe = store.onCommit(() => this.#pump());
    this.#cancel = this.#beatLater();
    this.push(': open\n\n');
  }

  override _read(): void {
    this.#hungry = true;
    this.#stalled = false;
    this.#pump();
  }

  override _destroy(error: Error | null, done: (error?: Error | null) => void): void {
    this.#unsubscribe();
    this.#cancel();
    done(error);
  }

  /** Ends the stream in good order. */
  complete(): void {
    if (this.#ended || this.destroyed) return;
    this.#ended = true;
    this.#unsubscribe();
    this.#cancel();
    this.push(null);
  }

  /** Hands over what the log has after the last entry, as long as the reader takes it. */
  #pump(): void {
    if (lastSeq(this.#store) < this.#last) this.complete();
    while (this.#hungry && !this.#ended && !this.destroyed) {
      const entries = entriesAfter(this.#store, this.#last, batch);
      if (entries.length === 0) return;
      for (const entry of entries) if (this.#hungry) this.#take(entry);
    }
  }

  #take(entry: ActivityEntry): void {
    if (this.destroyed) return;
    // The log dropped what comes next: better cut off than with a gap.
    if (entry.seq !== this.#last + 1) {
      this.destroy();
      return;
    }
    this.#last = entry.seq;
    if (this.#matches(entry)) this.#hungry = this.push(`id: ${entry.seq}\ndata: ${JSON.stringify(entry)}\n\n`);
  }

  #beatLater(): () => void {
    return this.#timer(() => {
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
