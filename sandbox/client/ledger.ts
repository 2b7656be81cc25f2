import { book, type Entry, type Redemption } from '../domain/ledger.ts';
import type { ClientPosition } from '../domain/reconciliation.ts';
import { nextNumber, orderedKey } from '../runtime/ids.ts';
import { digest } from '../runtime/tokens.ts';
import type { Slice } from '../store/row.ts';
import type { Reader } from '../store/store.ts';
import type { ClientCollections, ClientLookup, ClientTx, Customer, LedgerEntry } from './collections.ts';

/**
 * Books an entry and updates the customer's totals in the same transaction. Returns `false` and books nothing if the
 * ledger's rules forbid the entry (`domain/ledger.ts`). `seq` is the number of the state change that the same
 * transaction records next.
 */
export function bookEntry(
  tx: ClientTx,
  customer: Customer,
  entry: Entry,
  facts: Pick<LedgerEntry, 'at' | 'redeemCode' | 'seq'>,
): boolean {
  const account = book(customer.account, entry);
  if (account === undefined) return false;
  const key = orderedKey(nextNumber(tx, 'entries'));
  tx.put('customers', customer.uid, { ...customer, account });
  const { uid } = customer;
  tx.put('entries', key, { ...entry, ...facts, uid });
  return true;
}

/** Books a credit, or an entry of the redemption that `reference` names. Throws if the ledger's rules refuse it. */
export function bookOrThrow(tx: ClientTx, uid: string, entry: Entry, facts: Pick<LedgerEntry, 'at' | 'seq'>): void {
  const redeemCode = entry.kind === 'credit' ? null : entry.reference;
  if (!bookEntry(tx, customerOf(tx, uid), entry, { ...facts, redeemCode })) {
    throw new Error(`the ledger refuses to ${entry.kind} ${entry.points} points for ${entry.reference}`);
  }
}

/** Returns the customer with this uid. Throws if there is none. */
export function customerOf(reader: ClientLookup, uid: string): Customer {
  const customer = reader.get('customers', uid);
  if (customer === undefined) throw new Error(`the ledger has no customer ${uid}`);
  return customer;
}

/**
 * Returns a hash of all values of a credit. It distinguishes a repeated credit from a different one with the same
 * transactionId (OP-16).
 */
export function creditFingerprint(credit: {
  readonly uid: string;
  readonly eventType: string;
  readonly paymentAmount: string;
  readonly points: number;
}): string {
  const { uid, eventType, paymentAmount, points } = credit;
  return digest(JSON.stringify([uid, eventType, paymentAmount, points]));
}

/** Returns the client's view of a redemption, or `undefined` if the client does not have it. */
export function clientPosition(reader: Reader<ClientCollections>, redeemCode: string): ClientPosition | undefined {
  const redemption = reader.get('redemptions', redeemCode);
  return redemption && position(redeemCode, redemption);
}

/** Collects every redemption of the client while the store is read in slices. */
export class ClientPositions {
  readonly #found: ClientPosition[] = [];

  take({ collection, rows }: Slice): void {
    if (collection !== 'redemptions') return;
    for (const { id, record } of rows) this.#found.push(position(id, record as Redemption));
  }

  /** Returns all collected redemptions, oldest first. */
  all(): ClientPosition[] {
    return this.#found;
  }
}

/** Returns a redemption's position. Its points count unless the redemption was refused or reversed. */
function position(redeemCode: string, redemption: Redemption): ClientPosition {
  const { state } = redemption;
  if (state === 'Refused') return { redeemCode, uid: null, state, points: 0 };
  const { uid, points } = redemption;
  return { redeemCode, uid, state, points: state === 'Rejected' ? 0 : points };
}
