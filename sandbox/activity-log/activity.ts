import type { Clock } from '../runtime/clock.ts';
import { lastTally, orderedKey } from '../runtime/ids.ts';
import { currentSpan } from '../runtime/spans.ts';
import { ByteBudget } from '../store/byte-budget.ts';
import type { Committed, CountedBytes, Store, Tx } from '../store/store.ts';
import type { ActivityEntry, CallEntry, HeaderList, StateChange, ValidatedCall } from './activity-entry.ts';
import { type CallCollections, type CallLog, forgetfulCallLog } from './call-log.ts';
import { boundState, type Fitted, fitEntry, loggedAddress, mostBodyBytes, omittedBody, weigh } from './entry-size.ts';
import { loggedHeaders, mask, readSubjects } from './masking.ts';
import { type ActivityCollections, droppedTally, isSameLog, keyOf, logOf } from './stored-log.ts';

/** Most entries and bytes in the log; the oldest entries are evicted first (OP-57). */
export const activityLimits = { entries: 10_000, bytes: 16 * 1024 * 1024 };

/**
 * A call to record, with its bodies as they were sent. With `replyBytes`, a reply that is too large for the log is not
 * masked.
 */
export type CallSeen = Omit<
  CallEntry,
  'seq' | 'at' | 'uid' | 'redeem_codes' | 'request_headers' | 'reply_headers' | 'findings' | 'unchecked'
> & {
  readonly replyBytes?: number;
  /** Left out where the call never left. */
  readonly requestHeaders?: HeaderList;
  /** Left out where no reply came. */
  readonly replyHeaders?: HeaderList;
  /** What validation found on the call's way; left out where there was none. */
  readonly validated?: ValidatedCall;
};

/** How the log bounds and stores its entries. */
interface ActivityOptions {
  readonly most?: typeof activityLimits;
  /** Counts the bytes in memory. */
  readonly memory?: CountedBytes | undefined;
  /** Where calls go besides memory. */
  readonly calls?: CallLog;
}

/** What a listener gets: new entries, or `everything` after a reset of the log. */
type LogUpdate = readonly ActivityEntry[] | 'everything';

/**
 * The log of every call and every state change. Its newest entries are in memory. A state change is also in the store, written
 * by the transaction that makes it; a call goes to the call log. Numbers follow the order of the commits: a call takes its number
 * between two groups of transactions.
 */
export class Activity {
  readonly #store: Store<ActivityCollections>;
  readonly #clock: Clock;
  readonly #warn: (message: string) => void;
  readonly #calls: CallLog;
  readonly #ring: ActivityRing;
  #listeners: readonly ((update: LogUpdate) => void)[] = [];
  /** Entries that the store still has although the log dropped them: their numbers, by key. */
  readonly #dropped = new Map<string, number>();
  /** The last call that is in the store. */
  #saved = 0;

  constructor(
    store: Store<ActivityCollections>,
    clock: Clock,
    warn: (message: string) => void,
    { most = activityLimits, calls = forgetfulCallLog, memory }: ActivityOptions = {},
  ) {
    this.#store = store;
    this.#clock = clock;
    this.#warn = warn;
    this.#calls = calls;
    this.#ring = new ActivityRing(most, memory);
    this.#load(calls.saved.calls);
    store.onCommit((committed) => this.#committed(committed));
  }

  /** Now, as the log writes it. */
  now(): string {
    return this.#clock.iso();
  }

  /** The number of the newest entry; 0 if there is none yet. */
  get last(): number {
    return this.#ring.last;
  }

  /** The number of the oldest entry that is left, or the next one to come. */
  get oldest(): number {
    return this.#ring.oldest;
  }

  /** The entries after a number, oldest first. */
  after(seq: number, limit?: number): readonly ActivityEntry[] {
    return this.#ring.after(seq, limit);
  }

  /** Calls `listener` with entries as they appear, in order. Returns the undo. */
  onUpdate(listener: (update: LogUpdate) => void): () => void {
    this.#listeners = [...this.#listeners, listener];
    return () => {
      this.#listeners = this.#listeners.filter((each) => each !== listener);
    };
  }

  /** The number that the next state change of a transaction gets: a record that belongs to it keeps that as its place in the log. */
  nextSeq(tx: Tx<ActivityCollections>): number {
    const last = lastTally(tx, 'activity');
    // A transaction that resets the log also resets its numbers.
    return (isSameLog(tx, this.#store) ? Math.max(last, this.#ring.last) : last) + 1;
  }

  /** Records a state change in the transaction that makes it. */
  note(tx: Tx<ActivityCollections>, change: StateChange): void {
    const { uid = null, redeem_codes = [], detail = {}, ...rest } = change;
    const seq = this.nextSeq(tx);
    const cause = currentSpan(change.trace);
    const parent = cause && { parent: cause.span };
    const at = this.#clock.iso();
    const entry = boundState({ seq, at, ...rest, ...parent, kind: 'state', uid, redeem_codes, detail });
    tx.put('activity', orderedKey(seq), entry);
    tx.put('tallies', 'activity', seq);
    this.#removeDropped(tx);
  }

  /**
   * Records a call. Resolves when the entry is in the log, and in the call log unless that refused it. The customer and the
   * redemptions of the call come from its address and bodies.
   */
  async call(seen: CallSeen): Promise<void> {
    try {
      const entry = this.#entryOf(seen);
      let appended: Promise<void> | undefined;
      await this.#store.between(() => {
        const numbered = { seq: this.#ring.last + 1, at: this.#clock.iso(), ...entry };
        const call = fitEntry(numbered);
        // Its text is for the call log only: it would take as much memory again.
        this.#drop(this.#ring.add({ entry: call.entry, bytes: call.bytes }));
        if (this.#listeners.length > 0) this.#notify([call.entry]);
        appended = this.#calls.append(call);
      });
      await appended;
    } catch (error) {
      this.#warn(`Cannot record a call in the activity log: ${(error as Error).message}`);
    }
  }

  /** Puts those calls into the store that are only in memory. */
  save(tx: Tx<CallCollections>): void {
    for (const entry of this.after(this.#saved)) if (entry.kind !== 'state') tx.put('activity', keyOf(entry), entry);
    this.#removeDropped(tx);
  }

  #entryOf({ replyBytes = 0, requestHeaders, replyHeaders, validated, ...seen }: CallSeen): UnnumberedCall {
    const { uid, redeem_codes } = readSubjects(seen.url, seen.request, seen.reply);
    return {
      ...seen,
      url: loggedAddress(seen.url),
      request: mask(seen.request) ?? null,
      reply: replyBytes > mostBodyBytes ? omittedBody(replyBytes) : (mask(seen.reply) ?? null),
      ...(requestHeaders && { request_headers: loggedHeaders(requestHeaders) }),
      ...(replyHeaders && { reply_headers: loggedHeaders(replyHeaders) }),
      uid,
      redeem_codes,
      ...(validated !== undefined && validated.findings.length > 0 && { findings: validated.findings }),
      ...(validated?.unchecked && { unchecked: true as const }),
    };
  }

  /** Loads the entries of the store and of the call log. */
  #load(calls: readonly CallEntry[]): void {
    const entries = logOf(this.#store, calls).map((entry) => ({ entry, bytes: weigh(entry) }));
    this.#dropped.clear();
    this.#drop(this.#ring.reset(entries, lastTally(this.#store, 'activity')));
    this.#saved = this.#ring.last;
  }

  #committed(committed: Committed): void {
    if (committed === 'everything') {
      this.#load([]);
      this.#calls.restart();
      this.#notify('everything');
      return;
    }
    const added: ActivityEntry[] = [];
    for (const { collection, id, record } of committed) {
      if (collection !== ('activity' satisfies keyof ActivityCollections)) continue;
      if (record === undefined) this.#dropped.delete(id);
      else added.push(...this.#stored(record as ActivityEntry));
    }
    if (added.length > 0) this.#notify(added);
  }

  /** An entry came into the store. Returns it where it is new: a call has been in the log before. */
  #stored(entry: ActivityEntry): readonly ActivityEntry[] {
    if (entry.seq <= this.#ring.last) {
      this.#saved = Math.max(this.#saved, entry.seq);
      return [];
    }
    this.#drop(this.#ring.add({ entry, bytes: weigh(entry) }));
    return [entry];
  }

  /** Evicted entries that the store has are removed with the next transaction that records anything. */
  #drop(entries: readonly ActivityEntry[]): void {
    for (const entry of entries) {
      if (this.#store.get('activity', keyOf(entry)) !== undefined) this.#dropped.set(keyOf(entry), entry.seq);
    }
  }

  #removeDropped(tx: Tx<CallCollections>): void {
    if (this.#dropped.size === 0) return;
    for (const key of this.#dropped.keys()) tx.remove('activity', key);
    // Calls before these are dropped too, although the call log still has some of them.
    tx.put('tallies', droppedTally, Math.max(...this.#dropped.values()));
  }

  #notify(update: LogUpdate): void {
    for (const listener of this.#listeners) listener(update);
  }
}

type UnnumberedCall = Omit<CallEntry, 'seq' | 'at'>;

/** Most evicted entries that are still in memory. */
const mostEvicted = 100;

/** The newest entries of the activity log, in memory, in the order of their numbers: bounded in number and in bytes (OP-57). */
class ActivityRing {
  readonly #most: { readonly entries: number; readonly bytes: number };
  /** Oldest first; entries before `#start` are evicted. Shifting the array at each eviction would cost more than the call itself. */
  #entries: Fitted[] = [];
  #start = 0;
  #bytes = 0;
  readonly #memory: CountedBytes;
  #last = 0;

  /** @param memory counts the bytes of the entries */
  constructor(most: { readonly entries: number; readonly bytes: number }, memory: CountedBytes = new ByteBudget()) {
    this.#most = most;
    this.#memory = memory;
  }

  /** The number of the newest entry; 0 if there never was one. */
  get last(): number {
    return this.#last;
  }

  /** The number of the oldest entry that is left, or the next one to come. */
  get oldest(): number {
    return this.#entries[this.#start]?.entry.seq ?? this.#last + 1;
  }

  /** Replaces all entries by these, oldest first. Returns those beyond the limits. */
  reset(entries: readonly Fitted[], last: number): readonly ActivityEntry[] {
    this.#entries = [...entries];
    this.#start = 0;
    this.#count(entries.reduce((sum, { bytes }) => sum + bytes, -this.#bytes));
    this.#last = Math.max(last, entries.at(-1)?.entry.seq ?? 0);
    return this.#evict();
  }

  /** Adds the newest entry. Returns the entries that it evicts. */
  add(fitted: Fitted): readonly ActivityEntry[] {
    this.#entries.push(fitted);
    this.#bytes += fitted.bytes;
    this.#memory.add(fitted.bytes);
    this.#last = fitted.entry.seq;
    const { entries, bytes } = this.#most;
    return this.#entries.length - this.#start <= entries && this.#bytes <= bytes ? [] : this.#evict();
  }

  /** The entries with a higher number, oldest first. */
  after(seq: number, limit = Number.POSITIVE_INFINITY): readonly ActivityEntry[] {
    let [from, to] = [this.#start, this.#entries.length];
    while (from < to) {
      const middle = (from + to) >> 1;
      if ((this.#entries[middle]?.entry.seq ?? 0) > seq) to = middle;
      else from = middle + 1;
    }
    return this.#entries.slice(from, from + limit).map(({ entry }) => entry);
  }

  #count(bytes: number): void {
    this.#bytes += bytes;
    this.#memory.add(bytes);
  }

  #evict(): readonly ActivityEntry[] {
    const { entries, bytes } = this.#most;
    const evicted: ActivityEntry[] = [];
    for (; this.#start < this.#entries.length; this.#start += 1) {
      if (this.#entries.length - this.#start <= entries && this.#bytes <= bytes) break;
      const { entry, bytes: weight } = this.#entries[this.#start] as Fitted;
      this.#count(-weight);
      evicted.push(entry);
    }
    if (this.#start > mostEvicted) {
      this.#entries = this.#entries.slice(this.#start);
      this.#start = 0;
    }
    return evicted;
  }
}
