/** The sentence for each step of a redemption, and its position in the drawing. */

import type { Schemas } from './api.ts';
import { amount, deliveryKinds, timeOfDay } from './figures.tsx';

type Item = Schemas['Redemption']['items'][number];
type Call = Schemas['ActivityCall'];
type State = Schemas['ActivityState'];
export type Lane = 'client' | 'platform' | 'vendor' | 'webhook';
/** A call that caused other steps is split into its request and its response. */
export type Part = 'whole' | 'request' | 'response';

/** A row of the timeline: an arrow from one lane to another, a mark on one lane, or a line across all lanes. */
export interface Step {
  key: string;
  kind: 'call' | 'answer' | 'change' | 'booking' | 'control' | 'gap';
  /** Sandbox time. */
  at: string;
  /** The number of its entry in the traffic. */
  seq?: number;
  from?: Lane;
  to?: Lane;
  lane?: Lane;
  /** The actor. */
  lead: string;
  /** The action. */
  name: string;
  /** The effect. */
  tail?: string;
  /** The status of a call's reply; `null` if there was none. */
  status?: number | null;
  /** The number of the attempt, from the second on. */
  attempt?: number;
  /** Whether the step failed. */
  bad: boolean;
}

type Said = Pick<Step, 'lead' | 'name'> & Partial<Step>;

const nameOf = (lane: Lane) => (lane === 'webhook' ? 'webhook receiver' : lane);

/** Returns a log item, or one part of a split call, as a step of the timeline. */
export function stepOf(item: Item, part: Part): Step {
  // A call is logged when it has ended.
  const at = 'began' in item && part !== 'response' ? (item.began ?? item.at) : item.at;
  const common = { key: `${item.kind} ${item.seq} ${part}`, at, seq: item.seq, bad: false };
  if (item.kind === 'ledger') return { ...common, kind: 'booking', lane: 'client', ...booked(item.entry) };
  if (item.kind === 'state') {
    const said = changed(item);
    const lane = item.party === 'sandbox' || said.from !== undefined ? {} : { lane: item.party };
    return { ...common, kind: 'change', ...lane, ...said };
  }
  return { ...common, bad: item.status === null || item.status >= 400, ...called(item, part) };
}

function booked({ kind, points, label }: Schemas['LedgerEntry']): Said {
  if (kind === 'reverse') return { lead: 'Ledger:', name: `+${amount(points)}`, tail: `refunded, label ${label}` };
  return { lead: 'Ledger:', name: `−${amount(points)}`, tail: `deducted, label ${label}` };
}

function called({ party, operation, method, url, status }: Call, part: Part): Said & { kind: Step['kind'] } {
  const name = operation ?? `${method} ${url}`;
  if (party === 'sandbox') return { kind: 'control', lead: 'You called the control API:', name, status };
  const to: Lane = operation === 'catalogueUpdated' ? 'webhook' : party;
  const from: Lane = to === 'platform' ? 'client' : 'platform';
  const caller = /^\/portal\b/.test(url) ? 'customer, in the portal,' : nameOf(from);
  if (part === 'response') {
    const lead = `The ${nameOf(to)} responded to the ${caller.replace(/,.*/, '')}:`;
    return { kind: 'answer', from: to, to: from, lead, name, status };
  }
  const said = { from, to, lead: `The ${caller} called the ${nameOf(to)}:`, name };
  return part === 'request' ? { kind: 'call', ...said, bad: false } : { kind: 'call', ...said, status };
}

type Detail = Readonly<Record<string, unknown>>;

/** Returns a function that describes an actor's action. */
const did = (lead: string) => (name: unknown, tail?: string) => ({ lead, name: `${name}`, ...(tail && { tail }) });
const [platform, client, vendor] = [did('Platform:'), did('Client:'), did('Vendor:')];
const bad = (said: Said) => ({ ...said, bad: true });

/** The wording of state changes by event. Other events appear under their own name. */
const changes: Readonly<Record<string, (detail: Detail) => Said>> = {
  'order.placing': ({ order_id }) => platform(`${order_id} stored`, 'asks the client to deduct the points'),
  'order.placed': ({ order_id }) => platform('Pending', `${order_id} placed`),
  'order.failed': ({ order_id, remark }) => bad(platform('Rejected', `${order_id} not placed: ${remark}`)),
  'line.delivered': ({ from, to }) => platform(to, `was ${from}`),
  'line.rejected': ({ from, to, remark }) => bad(platform(to, `was ${from}, reason: ${remark}`)),
  'redemption.deducted': ({ to }) => client(to, 'redemption recorded'),
  'redemption.delivered': ({ from, to }) => client(to, `was ${from}`),
  'redemption.reversed': ({ from, to }) => bad(client(to, `was ${from}`)),
  'redemption.refused': ({ to }) => bad(client(to, 'a late deduction will be refused')),
  'vendor.delivered': (detail) => vendorCall(detail, 'delivered'),
  'vendor.rejected': (detail) => bad(vendorCall(detail, 'rejected')),
  'vendor.failed': (detail) => bad(vendorCall(detail, 'failed')),
  'vendor.cancelled': (detail) => vendorCall(detail, 'reported it cancelled'),
  'vendor.silent': (detail) => vendorCall(detail, 'accepted, no response yet'),
  'cancellation.accepted': ({ vendor }) => toVendor('sent the vendor a cancellation', vendor, 'accepted'),
  'cancellation.refused': ({ vendor }) =>
    bad(toVendor('sent the vendor a cancellation', vendor, 'refused: already fulfilled')),
  'delivery.postponed': ({ kind, tries, next_at, reason }) => {
    const attempt = `attempt ${tries} failed, next at ${timeOfDay(`${next_at}`)}, reason: ${reason}`;
    return bad(platform(`${deliveryName(kind)} postponed`, attempt));
  },
  'delivery.parked': ({ kind, tries, reason }) =>
    bad(platform(`${deliveryName(kind)} parked`, `after ${tries} attempts, reason: ${reason}`)),
  'delivery.replayed': ({ kind }) => platform(`${deliveryName(kind)} queued for retry`),
  'outcome.decided': ({ outcome }) => vendor(`will ${outcome}`, 'set through the control API'),
  'catalogue.updated': ({ sku_code, stock }) => vendor(`${stock} left`, `of ${sku_code}`),
};

function deliveryName(kind: unknown) {
  return deliveryKinds[kind as keyof typeof deliveryKinds] ?? kind;
}

function changed({ event, party, detail }: State): Said {
  const said = changes[event];
  if (said !== undefined) return said(detail);
  const tail = Object.entries(detail).map(([name, value]) => `${name} ${JSON.stringify(value)}`);
  return { lead: `${party.charAt(0).toUpperCase()}${party.slice(1)}:`, name: event, tail: tail.join(', ') };
}

/** The platform calls a vendor within its own process, so the log contains only the vendor's response. */
function toVendor(how: string, vendor: unknown, tail: string): Said {
  return { kind: 'call', from: 'platform', to: 'vendor', lead: `The platform ${how}:`, name: `${vendor}`, tail };
}

function vendorCall({ vendor, try: attempt }: Detail, tail: string): Said {
  const again = Number(attempt) > 1 ? { attempt: Number(attempt) } : {};
  return { ...toVendor('called the vendor', vendor, tail), ...again };
}
