import type { components } from '../../generated/sandbox/types.ts';
import type { ActivityEntry } from '../activity-log/activity-entry.ts';
import type { Booking } from './control.ts';

type Schemas = components['schemas'];
type Item = ActivityEntry | Schemas['TimelineBooking'];

/** A redemption as the timeline needs it. */
interface Subject {
  readonly redeemCode: string;
  readonly uid: string | null;
}

/** The log and the ledger of one redemption in one list, oldest first. */
export class Timeline {
  readonly #subject: Subject;
  /** The traces of the entries that are about the redemption. */
  #traces: ReadonlySet<string> = new Set();

  constructor(subject: Subject) {
    this.#subject = subject;
  }

  /** What a log and a ledger have of it; an entry of the ledger follows the change it was booked with. */
  of(log: readonly ActivityEntry[], bookings: readonly Booking[]): Item[] {
    const { uid } = this.#subject;
    const booked = bookings.map(({ seq, entry }) => {
      return { seq, at: entry.at, kind: 'ledger', party: 'client', uid: uid ?? '', entry } as const;
    });
    this.#traces = new Set(log.filter((entry) => this.#isAbout(entry)).map(({ trace }) => trace));
    // The sort is stable: the log's entry with the same number stays in front.
    return [...log.filter((entry) => this.has(entry)), ...booked].sort((one, other) => one.seq - other.seq);
  }

  /**
   * Whether an entry belongs to it: it is about the redemption, or of a trace that was seen with it and about no
   * redemption and no other customer (OP-42).
   */
  has(entry: ActivityEntry): boolean {
    const { uid, redeem_codes, trace } = entry;
    if (redeem_codes.length > 0) return this.#isAbout(entry);
    return this.#traces.has(trace) && (uid === null || uid === this.#subject.uid);
  }

  #isAbout({ redeem_codes }: ActivityEntry): boolean {
    return redeem_codes.includes(this.#subject.redeemCode);
  }
}
