import type { components } from '../../generated/sandbox/types.ts';
import type { ActivityEntry } from '../runtime/activity-entry.ts';
import type { Booking } from './control.ts';

type Schemas = components['schemas'];
type Item = ActivityEntry | Schemas['TimelineBooking'];

/** A redemption as the timeline needs it. */
interface Subject {
  readonly redeemCode: string;
  readonly uid: string | null;
}

/**
 * The log and the ledger of one redemption in one list, oldest first; an entry follows the change it was booked with.
 */
export function timeline(subject: Subject, log: readonly ActivityEntry[], bookings: readonly Booking[]): Item[] {
  const { uid } = subject;
  const booked = bookings.map(({ seq, entry }) => {
    return { seq, at: entry.at, kind: 'ledger', party: 'client', uid: uid ?? '', entry } as const;
  });
  // The sort is stable: the log's entry with the same number stays in front.
  return [...ofRedemption(subject, log), ...booked].sort((one, other) => one.seq - other.seq);
}

/** Entries about the redemption, and those of its traces that are about no redemption and no other customer (OP-42). */
function ofRedemption({ redeemCode, uid }: Subject, log: readonly ActivityEntry[]): ActivityEntry[] {
  const about = (entry: ActivityEntry) => entry.redeem_codes.includes(redeemCode);
  const traces = new Set(log.filter(about).map(({ trace }) => trace));
  const beside = (entry: ActivityEntry) =>
    entry.redeem_codes.length === 0 && traces.has(entry.trace) && (entry.uid === null || entry.uid === uid);
  return log.filter((entry) => about(entry) || beside(entry));
}
