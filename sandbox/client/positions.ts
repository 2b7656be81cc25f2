import type { ClientPosition } from '../domain/reconciliation.ts';
import type { Redemption } from '../domain/redemption.ts';
import type { Reader } from '../store/store.ts';
import type { Slice } from '../store/view.ts';
import type { ClientCollections } from './collections.ts';

/** How the client's ledger has a redemption; undefined where they do not have it. */
export function clientPosition(reader: Reader<ClientCollections>, redeemCode: string): ClientPosition | undefined {
  const redemption = reader.get('redemptions', redeemCode);
  return redemption && position(redeemCode, redemption);
}

/** Every redemption of the client, read from the store a slice at a time. */
export class ClientPositions {
  readonly #found: ClientPosition[] = [];

  take({ collection, rows }: Slice): void {
    if (collection !== 'redemptions') return;
    for (const { id, record } of rows) this.#found.push(position(id, record as Redemption));
  }

  /** All redemptions that were read, oldest first. */
  all(): ClientPosition[] {
    return this.#found;
  }
}

/** The client has the points as long as the redemption was neither refused nor reversed. */
function position(redeemCode: string, redemption: Redemption): ClientPosition {
  const { state } = redemption;
  if (state === 'Refused') return { redeemCode, uid: null, state, points: 0 };
  const { uid, points } = redemption;
  return { redeemCode, uid, state, points: state === 'Rejected' ? 0 : points };
}
