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

/** Maximum number of entries and bytes in the log. The oldest entries are evicted first (OP-57). */
export const activityLimits = { entries: 10_000, bytes: 16 * 1024 * 1024 };

/** A call to record, with its original bodies. A reply whose `replyBytes` exceed the log's limit is not masked. */
export type CallSeen = Omit<
  CallEntry,
  'seq' | 'at' | 'uid' | 'redeem_codes' | 'request_headers' | 'reply_headers' | 'findings' | 'unchecked'
> & {
  readonly replyBytes?: number;
  /** Absent if the call was never sent. */
  readonly requestHeaders?: HeaderList;
  /** Absent if no reply arrived. */
  readonly replyHeaders?: HeaderList;
  /** The validation result; absent if the call was not validated. */
  readonly validated?: ValidatedCall;
};

/** Options for the limits and the storage of the log. */
interface ActivityOptions {
  readonly most?: typeof activityLimits;
  /** The budget that counts the bytes in memory. */
  readonly memory?: CountedBytes | undefined;
  /** The persistent log of calls, in addition to memory. */
  readonly calls?: CallLog;
}

/** An update for listeners: new entries, or `everything` after a reset of the log. */
type LogUpdate = readonly ActivityEntry[] | 'everything';

/**
 * The log of all calls and state changes. Its newest entries are in memory. A state change is also written to the store
 * by its own transaction, and a call is written to the call log. Numbers follow the order of commits; a call receives
 * its number between two groups of transactions.
 */
export class Activity {
  readonly #store: Store<ActivityCollections>;
  readonly #clock: Clock;
  readonly #warn: (message: string) => void;
  readonly #calls: CallLog;
  readonly #ring: ActivityRing;
  #listeners: readonly ((update: LogUpdate) => void)[] = [];
  /** The numbers of evicted entries that are still in the store, by key. */
  readonly #dropped = new Map<string, number>();
  /** The number of the last call in the store. */
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

  /** Returns the current time in the log's format. */
  now(): string {
    return this.#clock.iso();
  }

  /** The number of the newest entry; 0 if there is none yet. */
  get last(): number {
    return this.#ring.last;
  }

  /** The number of the oldest remaining entry, or of the next one if there are none. */
  get oldest(): number {
    return this.#ring.oldest;
  }

  /** Returns the entries after a number, oldest first. */
  after(seq: number, limit?: number): readonly ActivityEntry[] {
    return this.#ring.after(seq, limit);
  }

  /** Calls `listener` with new entries, in order. Call the returned function to unsubscribe. */
  onUpdate(listener: (update: LogUpdate) => void): () => void {
    this.#listeners = [...this.#listeners, listener];
    return () => {
      this.#listeners = this.#listeners.filter((each) => each !== listener);
    };
  }

  /**
   * Returns the number of a transaction's next state change. Records of the transaction can store it as their position
   * in the log.
   */
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
   * Records a call. Resolves when the entry is in the log, and in the call log unless that rejected it. The customer
   * and the redemptions of the call are read from its URL and bodies.
   */
  async call(seen: CallSeen): Promise<void> {
    try {
      const entry = this.#entryOf(seen);
      let appended: Promise<void> | undefined;
      await this.#store.between(() => {
        const numbered = { seq: this.#ring.last + 1, at: this.#clock.iso(), ...entry };
        const call = fitEntry(numbered);
        // The JSON text is only for the call log. Storing it here too would double the memory.
        this.#drop(this.#ring.add({ entry: call.entry, bytes: call.bytes }));
        if (this.#listeners.length > 0) this.#notify([call.entry]);
        appended = this.#calls.append(call);
      });
      await appended;
    } catch (error) {
      this.#warn(`Cannot record a call in the activity log: ${(error as Error).message}`);
    }
  }

  /** Writes calls that are only in memory to the store. */
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

  /** Processes an entry that was written to the store. Returns it if it is new. A call is already in the log. */
  #stored(entry: ActivityEntry): readonly ActivityEntry[] {
    if (entry.seq <= this.#ring.last) {
      this.#saved = Math.max(this.#saved, entry.seq);
      return [];
    }
    this.#drop(this.#ring.add({ entry, bytes: weigh(entry) }));
    return [entry];
  }

  /** Marks evicted entries that are in the store. The next transaction that records anything removes them. */
  #drop(entries: readonly ActivityEntry[]): void {
    for (const entry of entries) {
      if (this.#store.get('activity', keyOf(entry)) !== undefined) this.#dropped.set(keyOf(entry), entry.seq);
    }
  }

  #removeDropped(tx: Tx<CallCollections>): void {
    if (this.#dropped.size === 0) return;
    for (const key of this.#dropped.keys()) tx.remove('activity', key);
    // Earlier calls are dropped too, although the call log may still contain some.
    tx.put('tallies', droppedTally, Math.max(...this.#dropped.values()));
  }

  #notify(update: LogUpdate): void {
    for (const listener of this.#listeners) listener(update);
  }
}

type UnnumberedCall = Omit<CallEntry, 'seq' | 'at'>;

/** Maximum number of evicted entries that remain in memory. */
const mostEvicted = 100;

/** The newest entries of the activity log in memory, ordered by number and limited in number and bytes (OP-57). */
class ActivityRing {
  readonly #most: typeof activityLimits;
  /**
   * Entries, oldest first. Those before `#start` are evicted. Shifting the array at each eviction would cost more than
   * the call itself.
   */
  #entries: Fitted[] = [];
  #start = 0;
  #bytes = 0;
  readonly #memory: CountedBytes;
  /** The number of the newest entry; 0 if there never was one. */
  last = 0;

  /** @param memory the budget that counts the bytes of the entries */
  constructor(most: typeof activityLimits, memory: CountedBytes = new ByteBudget()) {
    this.#most = most;
    this.#memory = memory;
  }

  /** The number of the oldest remaining entry, or of the next one if there are none. */
  get oldest(): number {
    return this.#entries[this.#start]?.entry.seq ?? this.last + 1;
  }

  /** Replaces all entries with `entries`, oldest first. Returns those that exceed the limits. */
  reset(entries: readonly Fitted[], last: number): readonly ActivityEntry[] {
    this.#entries = [...entries];
    this.#start = 0;
    this.#count(entries.reduce((sum, { bytes }) => sum + bytes, -this.#bytes));
    this.last = Math.max(last, entries.at(-1)?.entry.seq ?? 0);
    return this.#evict();
  }

  /** Adds the newest entry. Returns the entries that this evicts. */
  add(fitted: Fitted): readonly ActivityEntry[] {
    this.#entries.push(fitted);
    this.#count(fitted.bytes);
    this.last = fitted.entry.seq;
    const { entries, bytes } = this.#most;
    return this.#entries.length - this.#start <= entries && this.#bytes <= bytes ? [] : this.#evict();
  }

  /** Returns the entries with a higher number, oldest first. */
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
