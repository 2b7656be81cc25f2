import type { Range } from '../store/store.ts';
import { cursorEnd, readCursor, writeCursor } from './catalogue.ts';
import { happenedAt, type Order, type Payment } from './collections.ts';
import type { Platform } from './platform.ts';

/** An order or a payment of a customer, as it is stored. */
type Happened =
  | { readonly kind: 'order'; readonly place: string; readonly id: string; readonly order: Order }
  | { readonly kind: 'payment'; readonly place: string; readonly id: string; readonly payment: Payment };

/** The end of a part of the history, where the next one begins, and what was left of the balance before it. */
interface Mark extends Pick<Happened, 'kind' | 'place' | 'id'> {
  readonly left: number | undefined;
}

/** A part of a customer's history, newest first. */
export interface HistoryPart {
  readonly happened: readonly Happened[];
  /** What was left after the newest, as the cursor says; undefined without one, and if it was not recorded. */
  readonly left: number | undefined;
  /** The cursor of the next part, given the balance at its start; undefined if this part is the last. */
  readonly older: ((left: number | undefined) => string) | undefined;
}

/** Fewest rows of a part, if there are enough: a payment is one, and an order one for each line. */
const rowsOfPart = 20;
/** Behind every id. */
const lastId = '\uffff';

/** The newest part of a customer's history, or the one that a cursor leads to; undefined if that does not count. */
export function historyPart(platform: Platform, uid: string, cursor: string | undefined): HistoryPart | undefined {
  const mark = cursor === undefined ? 'newest' : readMark(platform, uid, cursor);
  if (mark === undefined) return undefined;
  const found = happenedBefore(platform, uid, mark === 'newest' ? undefined : mark);
  let rows = 0;
  let count = 0;
  for (; count < found.length && rows < rowsOfPart; count += 1) rows += rowsOf(found[count]);
  const happened = found.slice(0, count);
  const last = happened.at(-1);
  const isLast = last === undefined || count === found.length;
  return {
    happened,
    left: mark === 'newest' ? undefined : mark.left,
    older: isLast ? undefined : (left) => cursorOf(platform, uid, { ...last, left }),
  };
}

/** Whether a customer has any order that was placed, and any payment. */
export function hasHistory({ store }: Platform, uid: string) {
  const newest = { by: 'history', group: uid, limit: 1 };
  return { ordered: store.ids('orders', newest).length > 0, earned: store.ids('payments', newest).length > 0 };
}

/** Orders and payments before a mark, newest first: at least one more than a part has, if there are enough. */
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

/** The position after a mark in the records of one kind. At the same time, orders come first. */
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

function rowsOf(happened: Happened | undefined): number {
  return happened?.kind === 'order' ? happened.order.redeemCodes.length : 1;
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
