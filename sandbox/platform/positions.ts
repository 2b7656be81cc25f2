import type { Outstanding, PlatformPosition } from '../domain/reconciliation.ts';
import { aboutWork } from '../jobs/work.ts';
import type { Reader } from '../store/store.ts';
import type { Slice } from '../store/view.ts';
import type { Line, Order, PlatformCollections } from './collections.ts';
import { orderOf } from './order-resource.ts';

type PlatformReader = Reader<PlatformCollections>;
/** Whether there is a piece of work of a kind about something (`aboutWork`), due or parked. */
type HasWork = (collection: 'due' | 'parked', about: string) => boolean;

/** How the platform's ledger has a redemption; undefined where they do not have it. */
export function platformPosition(reader: PlatformReader, redeemCode: string): PlatformPosition | undefined {
  const line = reader.get('lines', redeemCode);
  if (line === undefined) return undefined;
  return position(line, orderOf(reader, line.order_id).state, outstandingIn(reader).ofLine(line));
}

/** Every redemption of the platform, read from the store a slice at a time. */
export class PlatformPositions {
  readonly #lines: Line[] = [];
  readonly #placing = new Set<string>();
  readonly #work = { due: new Set<string>(), parked: new Set<string>() };

  take({ collection, rows }: Slice): void {
    if (collection === 'lines') for (const { record } of rows) this.#lines.push(record as Line);
    if (collection === 'orders') {
      for (const { id, record } of rows) if ((record as Order).state === 'placing') this.#placing.add(id);
    }
    if (collection === 'due' || collection === 'parked') {
      for (const { record } of rows) {
        const about = aboutWork(record as Parameters<typeof aboutWork>[0]);
        if (about !== undefined) this.#work[collection].add(about);
      }
    }
  }

  /** All redemptions that were read, oldest first. */
  all(): PlatformPosition[] {
    const outstanding = outstandingOf((collection, about) => this.#work[collection].has(about));
    return this.#lines.map((line) =>
      position(line, this.#placing.has(line.order_id) ? 'placing' : 'placed', outstanding.ofLine(line)),
    );
  }
}

/** Tells of a redemption, or of a payment, whether the platform still has work to do for it, or gave that up. */
export function outstandingIn(reader: PlatformReader) {
  return outstandingOf((collection, about) => reader.find(collection, 'about', about).length > 0);
}

/** Work of the platform that can still change how a redemption stands, or credit a payment. */
function outstandingOf(has: HasWork) {
  const of = (pieces: readonly string[]): Outstanding => {
    if (pieces.some((about) => has('due', about))) return 'due';
    return pieces.some((about) => has('parked', about)) ? 'parked' : 'none';
  };
  return {
    ofLine: ({ redeemCode, order_id }: Line) =>
      of([`fulfilLine ${redeemCode}`, `reportStatus ${redeemCode}`, `abandonOrder ${order_id}`]),
    ofPayment: (transactionId: string) => of([`creditPoints ${transactionId}`]),
  };
}

function position(line: Line, order: Order['state'], outstanding: Outstanding): PlatformPosition {
  const { redeemCode, uid } = line;
  const state = order === 'placing' ? 'Placing' : line.status;
  const stands = state === 'Pending' || state === 'Delivered';
  const points = stands ? line.points.totalPointWithProcessingFee : 0;
  return { redeemCode, uid, state, points, outstanding };
}
