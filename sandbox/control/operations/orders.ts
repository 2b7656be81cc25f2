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

/** Shows an order; waits for its end if the caller requests it (OP-84). */
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
 * Compares the deductions that platform and client record (OP-23); if a partner's own server is the client, the balances
 * that it reports (OP-110). The comparison is in `domain/reconciliation.ts` and `domain/balance.ts`.
 */
export async function getReconciliation(
  control: Control,
  call: ControlCall<'getReconciliation'>,
): Promise<ControlReply<'getReconciliation'>> {
  return { status: 200, body: await mismatches(control, call.query, call.trace) };
}

/**
 * Shows a redemption in both ledgers and its history; waits for more entries if the caller requests it (OP-42). Writes
 * what happened before the call before it replies.
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
  const timeline = new Timeline({ redeemCode, uid });
  const look = () => {
    const bookings = uid === null ? [] : control.customers.bookings(uid, redeemCode);
    return timeline.of(control.activity.after(0), bookings).filter(({ seq }) => seq > after);
  };
  const matches = (entry: unknown) => timeline.has(entry as ActivityEntry);
  const items = await control.waiting.first({ collection: 'activity', matches, look }, call.patience(wait));
  const { platform, client } = sides(control, redeemCode) ?? existing;
  return { status: 200, body: { redeem_code: redeemCode, uid, platform, client, items: items as Mutable } };
}

/** The redemption in both ledgers as they are now; undefined when neither knows it. */
function sides(control: Control, redeemCode: string) {
  const platform = control.ledgers.platform(redeemCode);
  const client = control.ledgers.client(redeemCode);
  if (platform === undefined && client === undefined) return undefined;
  const uid = platform?.uid ?? client?.uid ?? null;
  return { uid, platform: sideOf(platform), client: sideOf(client) };
}

/** The log's entries are frozen; the generated type does not say so. */
type Mutable = Extract<ControlReply<'getRedemption'>, { status: 200 }>['body']['items'];

/** Shows the orders that stand, oldest first; waits for one where the caller asks for that (OP-84). */
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

/** A redemption as the timeline needs it. */
interface Subject {
  readonly redeemCode: string;
  readonly uid: string | null;
}

/** The log and the ledger of one redemption in one list, oldest first. */
class Timeline {
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
