import type { Range } from '../store/store.ts';
import { cursorEnd, readCursor, writeCursor } from './catalogue.ts';
import { happenedAt, type Order, type Payment } from './collections.ts';
import type { Platform } from './platform.ts';

/** A stored order or payment of a customer. */
type Happened =
  | { readonly kind: 'order'; readonly place: string; readonly id: string; readonly order: Order }
  | { readonly kind: 'payment'; readonly place: string; readonly id: string; readonly payment: Payment };

/** The position of the last event of a page, and the balance before that event. */
interface Mark extends Pick<Happened, 'kind' | 'place' | 'id'> {
  readonly left: number | undefined;
}

/** Target number of rows per page. A payment is one row, and an order has one row per line. */
const rowsOfPart = 20;
/** Sorts after every id. */
const lastId = '\uffff';

/**
 * Returns the newest page of a customer's history, or the page that a cursor identifies; `undefined` if the cursor is
 * invalid. The events of a page are newest first.
 */
export function historyPart(platform: Platform, uid: string, cursor: string | undefined) {
  const mark = cursor === undefined ? 'newest' : readMark(platform, uid, cursor);
  if (mark === undefined) return undefined;
  const found = happenedBefore(platform, uid, mark === 'newest' ? undefined : mark);
  const happened: Happened[] = [];
  let rows = 0;
  for (const one of found) {
    if (rows >= rowsOfPart) break;
    rows += one.kind === 'order' ? one.order.redeemCodes.length : 1;
    happened.push(one);
  }
  const last = happened.at(-1);
  const isLast = last === undefined || happened.length === found.length;
  return {
    happened,
    /** The balance after the newest event, from the cursor; `undefined` without a cursor, or if it was not recorded. */
    left: mark === 'newest' ? undefined : mark.left,
    /** Returns the cursor of the next page, given the balance at its start; `undefined` if this is the last page. */
    older: isLast ? undefined : (left: number | undefined) => cursorOf(platform, uid, { ...last, left }),
  };
}

/** Returns whether a customer has any placed order, and any payment. */
export function hasHistory({ store }: Platform, uid: string) {
  const newest = { by: 'history', group: uid, limit: 1 };
  return { ordered: store.ids('orders', newest).length > 0, earned: store.ids('payments', newest).length > 0 };
}

/** Returns orders and payments before a mark, newest first: one more than a page can contain, if there are enough. */
function happenedBefore({ store }: Platform, uid: string, mark: Mark | undefined): Happened[] {
  const range = { by: 'history', group: uid, reverse: true, limit: rowsOfPart + 1 };
  const orders = store.range('orders', { ...range, ...edgeOf('order', mark) });
  const payments = store.range('payments', { ...range, ...edgeOf('payment', mark) });
  return [
    ...orders.map((order) => ({ kind: 'order', place: happenedAt(order), id: order.order_id, order }) as const),
    ...payments.map(
      (payment) => ({ kind: 'payment', place: happenedAt(payment), id: payment.transactionId, payment }) as const,
    ),
  ].sort(newestFirst);
}

/** Returns the start of the range after a mark, in the records of one kind. Of events at the same time, orders precede payments. */
function edgeOf(kind: Happened['kind'], mark: Mark | undefined): Pick<Range, 'after' | 'id'> {
  if (mark === undefined) return {};
  const { place: after } = mark;
  if (kind === mark.kind) return { after, id: mark.id };
  return kind === 'payment' ? { after, id: lastId } : { after };
}

function newestFirst(one: Happened, other: Happened): number {
  if (one.place !== other.place) return one.place < other.place ? 1 : -1;
  if (one.kind !== other.kind) return one.kind === 'order' ? -1 : 1;
  return one.id < other.id ? 1 : -1;
}

function cursorOf({ clock, cursorKey, settings }: Platform, uid: string, { place, kind, id, left }: Mark): string {
  const after = JSON.stringify([place, kind, id, left ?? null]);
  return writeCursor({ after, filter: filterOf(uid), until: cursorEnd(clock.now(), settings()) }, cursorKey);
}

function readMark({ clock, cursorKey }: Platform, uid: string, cursor: string): Mark | undefined {
  const position = readCursor(cursor, cursorKey, filterOf(uid), clock.now());
  if (position === undefined) return undefined;
  const [place, kind, id, left] = JSON.parse(position.after) as [string, Mark['kind'], string, number | null];
  return { place, kind, id, left: left ?? undefined };
}

function filterOf(uid: string): string {
  return `history ${uid}`;
}
