import type { ClientPosition } from '../domain/reconciliation.ts';
import type { Redemption } from '../domain/redemption.ts';
import type { Reader } from '../store/store.ts';
import type { ClientBooks } from './books.ts';

/** Every redemption as the client's books have it, oldest first. */
export function clientPositions(books: Reader<ClientBooks>): ClientPosition[] {
  return books.ids('redemptions').flatMap((redeemCode) => {
    const redemption = books.get('redemptions', redeemCode);
    return redemption === undefined ? [] : [position(redeemCode, redemption)];
  });
}

/** The client has the points as long as the redemption was neither refused nor reversed. */
function position(redeemCode: string, redemption: Redemption): ClientPosition {
  const { state } = redemption;
  if (state === 'Refused') return { redeemCode, uid: null, state, points: 0 };
  const { uid, points } = redemption;
  return { redeemCode, uid, state, points: state === 'Rejected' ? 0 : points };
}
