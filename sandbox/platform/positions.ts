import type { Outstanding, PlatformPosition } from '../domain/reconciliation.ts';
import type { Reader } from '../store/store.ts';
import type { Line, Order, PlatformBooks } from './books.ts';
import { orderOf } from './order-resource.ts';

type Books = Reader<PlatformBooks>;

/** Every redemption as the platform's books have it, oldest first. */
export function platformPositions(books: Books): PlatformPosition[] {
  const outstanding = outstandingIn(books);
  return books.all('lines').map((line) => position(books, line, outstanding.ofLine(line)));
}

/** Tells of a redemption, or of a payment, whether the platform still has work to do for it, or gave that up. */
export function outstandingIn(books: Books) {
  const due = named(books.all('due'));
  const parked = named(books.all('parked'));
  const of = (names: readonly string[]): Outstanding => {
    const has = (pieces: ReadonlySet<string>) => names.some((name) => pieces.has(name));
    return has(due) ? 'due' : has(parked) ? 'parked' : 'none';
  };
  return {
    ofLine: ({ redeemCode, order_id }: Line) => of([redeemCode, order_id]),
    ofPayment: (transactionId: string) => of([`payment ${transactionId}`]),
  };
}

/** What the platform's pieces of work are about; the client's own are left out. */
function named(pieces: readonly { readonly kind: string; readonly payload: Readonly<Record<string, string>> }[]) {
  const own = pieces.filter(({ kind }) => platformWork.has(kind));
  return new Set(
    own.flatMap(({ payload: { redeemCode = [], order_id = [], transactionId } }) => [
      ...[redeemCode, order_id].flat(),
      ...(transactionId === undefined ? [] : [`payment ${transactionId}`]),
    ]),
  );
}

/** Work of the platform that can still change how a redemption stands, or credit a payment. */
const platformWork: ReadonlySet<string> = new Set(['abandonOrder', 'creditPoints', 'fulfilLine', 'reportStatus']);

function position(books: Books, line: Line, outstanding: Outstanding): PlatformPosition {
  const { redeemCode, uid } = line;
  const state = stateOf(line, orderOf(books, line.order_id));
  const stands = state === 'Pending' || state === 'Delivered';
  const points = stands ? line.points.totalPointWithProcessingFee : 0;
  return { redeemCode, uid, state, points, outstanding };
}

function stateOf(line: Line, order: Order): PlatformPosition['state'] {
  return order.state === 'placing' ? 'Placing' : line.status;
}
