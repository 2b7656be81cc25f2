import type { components } from '../../../generated/sandbox/types.ts';
import type { ActivityEntry } from '../../activity-log/activity-entry.ts';
import {
  type Booking,
  type Control,
  type ControlCall,
  type ControlReply,
  pageOfLog,
  usualLargeLimit,
} from '../control.ts';
import { mismatches, sideOf } from '../mismatches.ts';

/** Returns an order. With `wait`, waits until it has ended (OP-84). */
export async function getPlacedOrder(
  control: Control,
  call: ControlCall<'getPlacedOrder'>,
): Promise<ControlReply<'getPlacedOrder'>> {
  const { order_id } = call.path;
  const existing = control.orders.get(order_id);
  if (existing === undefined) return { kind: 'not_found', what: `Order ${order_id}` };
  const { wait = 0 } = call.query;
  const [end] = await control.waiting.first(control.orders.ended(order_id), call.patience(wait));
  return { status: 200, body: end ?? control.orders.get(order_id) ?? existing };
}

/**
 * Compares the deductions in the ledgers of platform and client (OP-23). If the client is a partner's own server,
 * compares the balances that it reports (OP-110). The comparison is in `domain/reconciliation.ts` and
 * `domain/balance.ts`.
 */
export async function getReconciliation(
  control: Control,
  call: ControlCall<'getReconciliation'>,
): Promise<ControlReply<'getReconciliation'>> {
  return { status: 200, body: await mismatches(control, call.query, call.trace) };
}

/**
 * Returns a redemption in both ledgers, with its history. With `wait`, waits for further entries (OP-42). Flushes the
 * store first, so that the history includes everything recorded before the call.
 */
export async function getRedemption(
  control: Control,
  call: ControlCall<'getRedemption'>,
): Promise<ControlReply<'getRedemption'>> {
  await control.store.flush();
  const { redeemCode } = call.path;
  const existing = sides(control, redeemCode);
  if (existing === undefined) return { kind: 'not_found', what: `Redemption ${redeemCode}` };
  const { uid } = existing;
  const { after = 0, wait = 0 } = call.query;
  const timeline = timelineOf(redeemCode, uid);
  const look = () => {
    const bookings = uid === null ? [] : control.customers.bookings(uid, redeemCode);
    return timeline.mergeEntries(control.activity.after(0), bookings).filter(({ seq }) => seq > after);
  };
  const matches = (entry: unknown) => timeline.has(entry as ActivityEntry);
  const items = await control.waiting.first({ collection: 'activity', matches, look }, call.patience(wait));
  const { platform, client } = sides(control, redeemCode) ?? existing;
  return { status: 200, body: { redeem_code: redeemCode, uid, platform, client, items: items as Mutable } };
}

/** Returns the current state of a redemption in both ledgers; `undefined` if neither contains it. */
function sides(control: Control, redeemCode: string) {
  const platform = control.ledgers.platform(redeemCode);
  const client = control.ledgers.client(redeemCode);
  if (platform === undefined && client === undefined) return undefined;
  const uid = platform?.uid ?? client?.uid ?? null;
  return { uid, platform: sideOf(platform), client: sideOf(client) };
}

/** Log entries are read-only, which the generated type does not express. */
type Mutable = Extract<ControlReply<'getRedemption'>, { status: 200 }>['body']['items'];

/** Lists the placed orders, oldest first. With `wait`, waits for a match (OP-84). */
export async function listPlacedOrders(
  control: Control,
  call: ControlCall<'listPlacedOrders'>,
): Promise<ControlReply<'listPlacedOrders'>> {
  const { wait = 0, limit = usualLargeLimit, ...filter } = call.query;
  const wanted = control.orders.list({ ...filter, limit: limit + 1 });
  const found = await control.waiting.first(wanted, call.patience(wait));
  return { status: 200, body: await pageOfLog(found, { after: filter.after, limit }) };
}

type Schemas = components['schemas'];
type Item = ActivityEntry | Schemas['TimelineBooking'];

/** Returns functions that select the entries of a redemption. */
function timelineOf(redeemCode: string, uid: string | null) {
  /** The traces of all entries about the redemption. */
  let traces: ReadonlySet<string> = new Set();
  const isAbout = ({ redeem_codes }: ActivityEntry) => redeem_codes.includes(redeemCode);
  /**
   * Returns whether an entry belongs to the redemption (OP-42). It either names the redemption, or shares a trace with
   * such an entry and names no redemption and no other customer.
   */
  const has = (entry: ActivityEntry) => {
    if (entry.redeem_codes.length > 0) return isAbout(entry);
    return traces.has(entry.trace) && (entry.uid === null || entry.uid === uid);
  };
  /** Merges the redemption's entries in the log and in the ledger. A ledger entry follows the state change that booked it. */
  const mergeEntries = (log: readonly ActivityEntry[], bookings: readonly Booking[]): Item[] => {
    const booked = bookings.map(({ seq, entry }) => {
      return { seq, at: entry.at, kind: 'ledger', party: 'client', uid: uid ?? '', entry } as const;
    });
    traces = new Set(log.filter(isAbout).map(({ trace }) => trace));
    // The sort is stable, so a log entry precedes the ledger entry with the same number.
    return [...log.filter(has), ...booked].sort((one, other) => one.seq - other.seq);
  };
  return { has, mergeEntries };
}
