import type { Reader, Store, Tx } from '../store/store.ts';
import type { ActivityEntry, CallEntry, StateEntry } from './activity-entry.ts';
import type { Clock } from './clock.ts';
import { type Fitted, fitted, loggedAddress, mostBodyBytes, omitted, weigh } from './entry-size.ts';
import { type AddressSubjects, addressSubjects, mask, subjects } from './masking.ts';
import { lastTally, nextTally, orderedKey, type TallyBooks, tallySpec } from './numbering.ts';
import type { RawCall, ValidateCall } from './raw-call.ts';

/** Whose call or state change an entry notes. */
export type Party = ActivityEntry['party'];

/** The runtime's books that the log lives in. */
export interface ActivityBooks extends TallyBooks {
  readonly activity: ActivityEntry;
}

export const activitySpec = {
  activity: { bounded: true, indexes: { trace: (entry: ActivityEntry) => entry.trace } },
  ...tallySpec,
} as const;

/** Most entries that are kept, and most bytes that they take; the oldest make room (OP-57). */
export const mostKept = { entries: 10_000, bytes: 16 * 1024 * 1024 };

/** Most addresses that are remembered with what is known of them, and the longest of them. */
const mostAddresses = { count: 500, characters: 512 };

/** What is known of an address. */
interface KnownAddress extends AddressSubjects {
  /** The address as the log shows it. */
  readonly shown: string;
}

/** A state change to be noted. */
export interface StateChange {
  readonly trace: string;
  readonly party: Party;
  readonly event: string;
  readonly uid?: string;
  readonly redeem_codes?: readonly string[];
  readonly detail?: Readonly<Record<string, unknown>>;
}

/** A call to be noted. `replyBytes`, where known, spares looking into a reply that is too large to keep. */
export type CallSeen = Pick<
  CallEntry,
  | 'kind'
  | 'began'
  | 'span'
  | 'parent'
  | 'trace'
  | 'party'
  | 'method'
  | 'url'
  | 'operation'
  | 'status'
  | 'request'
  | 'reply'
  | 'notices'
  | 'caller'
  | 'deviations'
> & { readonly replyBytes?: number; readonly raw?: RawCall };

/** The log of every call and every state change. */
export class Activity {
  readonly #store: Store<ActivityBooks>;
  readonly #clock: Clock;
  readonly #warn: (message: string) => void;
  readonly #most: typeof mostKept;
  readonly #validate: ValidateCall | undefined;
  readonly #addresses = new Map<string, KnownAddress>();
  /** What each entry takes that the log has, by the place of its number, so that none is weighed twice. */
  readonly #weighed: Fitted[] = [];

  constructor(
    store: Store<ActivityBooks>,
    clock: Clock,
    warn: (message: string) => void,
    { validate, most = mostKept }: { readonly validate?: ValidateCall; readonly most?: typeof mostKept } = {},
  ) {
    this.#store = store;
    this.#clock = clock;
    this.#warn = warn;
    this.#most = most;
    this.#validate = validate;
  }

  /** Now, as the log writes it. */
  now(): string {
    return this.#clock.iso();
  }

  /** Notes a state change in the transaction that makes it. */
  note(tx: Tx<ActivityBooks>, change: StateChange): void {
    const { uid = null, redeem_codes = [], detail = {}, ...rest } = change;
    this.#append(tx, { ...rest, kind: 'state', uid, redeem_codes, detail });
  }

  /**
   * Notes a call. Resolves when the entry is written, which waits for no disk, or when it was told that it could not be.
   * Who and what the call was about is found in its address and bodies.
   */
  call(seen: CallSeen): Promise<void> {
    return this.callWith(seen, this.#store, () => {});
  }

  /** Notes a call, and writes down in its transaction what else it has changed. */
  async callWith<Books extends ActivityBooks>(
    seen: CallSeen,
    store: Pick<Store<Books>, 'transact'>,
    beside: (tx: Tx<Books>) => void,
  ): Promise<void> {
    const noted = this.#noted(seen);
    try {
      await store.transact((tx) => {
        this.#append(tx, noted);
        beside(tx);
      });
    } catch (error) {
      this.#warn(`Cannot record a call in the activity log: ${(error as Error).message}`);
    }
  }

  #noted({ replyBytes = 0, raw, ...seen }: CallSeen): NotedCall {
    // On the real values: below they are masked.
    const validated = raw && this.#validate?.(seen, raw);
    const address = this.#address(seen.url);
    const { uid, redeem_codes } = subjects(address, seen.request, seen.reply);
    return {
      ...seen,
      url: address.shown,
      request: mask(seen.request) ?? null,
      reply: replyBytes > mostBodyBytes ? omitted(replyBytes) : (mask(seen.reply) ?? null),
      uid,
      redeem_codes,
      ...(validated !== undefined && validated.findings.length > 0 && { findings: validated.findings }),
      ...(validated?.unchecked && { unchecked: true as const }),
    };
  }

  /** What is known of an address; the newest are remembered, since most calls ask for what somebody just asked for. */
  #address(url: string): KnownAddress {
    const known = this.#addresses.get(url);
    if (known !== undefined) return known;
    const seen = { shown: loggedAddress(url), ...addressSubjects(url) };
    if (this.#addresses.size >= mostAddresses.count) this.#addresses.clear();
    if (url.length <= mostAddresses.characters) this.#addresses.set(url, seen);
    return seen;
  }

  #append(tx: Tx<ActivityBooks>, unnumbered: Unnumbered): void {
    const seq = nextTally(tx, 'activity');
    const noted = fitted({ seq, at: this.#clock.iso(), ...unnumbered } as ActivityEntry);
    let bytes = heldBytes(tx) + noted.bytes;
    let oldest = seq - tx.count('activity');
    tx.put('activity', orderedKey(seq), noted.entry);
    for (; oldest < seq && (seq - oldest >= this.#most.entries || bytes > this.#most.bytes); oldest += 1) {
      const gone = tx.get('activity', orderedKey(oldest));
      bytes -= gone === undefined ? 0 : this.#weightOf(gone);
      tx.remove('activity', orderedKey(oldest));
    }
    this.#weighed[this.#placeOf(seq)] = noted;
    tx.put('tallies', 'activity_bytes', bytes);
  }

  /** There is a place more than there are entries: the newest is weighed before the oldest makes room. */
  #placeOf(seq: number): number {
    return seq % (this.#most.entries + 1);
  }

  #weightOf(entry: ActivityEntry): number {
    const noted = this.#weighed[this.#placeOf(entry.seq)];
    // A number is given anew by a reset, and where what noted it came to nothing.
    return noted?.entry === entry ? noted.bytes : weigh(entry);
  }
}

/** What all entries take. Data of before this was counted is counted once. */
function heldBytes(books: Reader<ActivityBooks>): number {
  return books.get('tallies', 'activity_bytes') ?? books.all('activity').reduce((sum, entry) => sum + weigh(entry), 0);
}

/**
 * The number that the next entry of the log gets: what is booked with a state change keeps it as its place in the log.
 */
export function nextSeq(tx: Tx<ActivityBooks>): number {
  return lastSeq(tx) + 1;
}

type Unnumbered = Omit<CallEntry, 'seq' | 'at'> | Omit<StateEntry, 'seq' | 'at'>;

type NotedCall = Omit<CallEntry, 'seq' | 'at'>;

/** The entries of the log after a number, oldest first. */
export function entriesAfter(
  books: Reader<ActivityBooks>,
  seq: number,
  limit = mostKept.entries,
): readonly ActivityEntry[] {
  const last = lastSeq(books);
  const found: ActivityEntry[] = [];
  // Numbers have no gaps: an order of the keys would be kept for each entry, for what few ask for.
  for (let at = Math.max(seq, last - books.count('activity')) + 1; at <= last && found.length < limit; at += 1) {
    const entry = books.get('activity', orderedKey(at));
    if (entry !== undefined) found.push(entry);
  }
  return found;
}

/** The number of the newest entry; 0 where there is none yet. */
export function lastSeq(books: Reader<ActivityBooks>): number {
  return lastTally(books, 'activity');
}

/** The instant of the newest entry, in milliseconds; undefined where there is none. */
export function newestAt(books: Reader<ActivityBooks>): number | undefined {
  const newest = books.get('activity', orderedKey(lastSeq(books)));
  return newest && Date.parse(newest.at);
}

/** Which entries somebody wants to see; what is left out does not matter. */
export interface ActivityFilter {
  readonly trace?: string;
  readonly redeem_code?: string;
  readonly uid?: string;
}

/** Whose redemption a code is; undefined where nobody knows. */
export type OwnerOf = (redeemCode: string) => string | undefined;

/**
 * The test that an entry has to pass for a filter. An entry is about a customer also where it names nobody, but a
 * redemption of theirs (OP-136).
 */
export function wanted(
  { trace, redeem_code, uid }: ActivityFilter,
  ownerOf: OwnerOf,
): (entry: ActivityEntry) => boolean {
  return (entry) =>
    (trace === undefined || entry.trace === trace) &&
    (redeem_code === undefined || entry.redeem_codes.includes(redeem_code)) &&
    (uid === undefined || entry.uid === uid || entry.redeem_codes.some((code) => ownerOf(code) === uid));
}
