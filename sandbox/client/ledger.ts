import { book, type Entry } from '../domain/ledger.ts';
import { nextSeq } from '../runtime/activity.ts';
import { nextNumber, orderedKey } from '../runtime/numbering.ts';
import type { Tx } from '../store/store.ts';
import type { ClientBooks, Customer } from './books.ts';

/**
 * Books an entry: the customer's totals and the entry in one transaction. Returns false, and books nothing, when the
 * ledger's rules forbid it (`domain/ledger.ts`). The state change of it is to be noted next in the same transaction.
 */
export function bookEntry(
  tx: Tx<ClientBooks>,
  customer: Customer,
  entry: Entry,
  facts: { readonly at: number; readonly redeemCode: string | null },
): boolean {
  const account = book(customer.account, entry);
  if (account === undefined) return false;
  const key = orderedKey(nextNumber(tx, 'entries'));
  tx.put('customers', customer.uid, { ...customer, account });
  const { uid } = customer;
  tx.put('entries', key, { ...entry, ...facts, uid, seq: nextSeq(tx) });
  return true;
}
