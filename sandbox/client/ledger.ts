import { book, type Entry } from '../domain/ledger.ts';
import { nextNumber, orderedKey } from '../runtime/numbering.ts';
import { digest } from '../runtime/secrets.ts';
import type { Tx } from '../store/store.ts';
import type { ClientCollections, Customer, LedgerEntry } from './collections.ts';

/**
 * Books an entry: the customer's totals and the entry in one transaction. Returns false, and books nothing, when the
 * ledger's rules forbid it (`domain/ledger.ts`). `seq` is the number of the state change, which is recorded next in the same transaction.
 */
export function bookEntry(
  tx: Tx<ClientCollections>,
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

/** A hash of all values of a credit, which distinguishes a repeat from another credit with its transactionId (OP-16). */
export function creditFingerprint(credit: {
  readonly uid: string;
  readonly eventType: string;
  readonly paymentAmount: string;
  readonly points: number;
}): string {
  const { uid, eventType, paymentAmount, points } = credit;
  return digest(JSON.stringify([uid, eventType, paymentAmount, points]));
}
