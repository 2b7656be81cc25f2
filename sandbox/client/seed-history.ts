import { balance, type Entry } from '../domain/ledger.ts';
import { decide, evolve, type RedemptionCommand } from '../domain/redemption.ts';
import { digest } from '../runtime/secrets.ts';
import type { Tx } from '../store/store.ts';
import type { ClientCollections, Customer } from './collections.ts';
import { bookEntry, creditFingerprint } from './ledger.ts';

/** Points of a payment that were credited long ago. */
export interface PastCredit {
  readonly uid: string;
  readonly at: number;
  readonly transactionId: string;
  readonly paymentAmount: string;
  readonly points: number;
}

/** A redemption of long ago: its deduction, and the report that ended it. */
export interface PastRedemption {
  readonly uid: string;
  readonly at: number;
  readonly redeemCode: string;
  readonly points: number;
  readonly vouchers: boolean;
  readonly end: 'Pending' | 'Delivered' | 'Rejected';
  readonly reason: string;
}

/** Milliseconds from a deduction to its report, as the vendors take by default (OP-35). */
const untilEnd = 2_000;

/** Books a credit of long ago, without a message: it would have been dropped by now (OP-57). */
export function seedCredit(tx: Tx<ClientCollections>, past: PastCredit): void {
  const { uid, at, transactionId, paymentAmount, points } = past;
  post(tx, uid, { kind: 'credit', points, reference: transactionId }, at);
  tx.put('credits', transactionId, {
    fingerprint: creditFingerprint({ uid, eventType: 'DIGITAL_PAYMENT', paymentAmount, points }),
  });
}

/** Books a redemption of long ago by the rules of a redemption. Its threshold is over, so no work is due for it (OP-22). */
export function seedRedemption(tx: Tx<ClientCollections>, past: PastRedemption): void {
  const { uid, redeemCode, points, vouchers, end, reason } = past;
  const fingerprint = digest(JSON.stringify([redeemCode, points]));
  carryOut(tx, past, { type: 'save', uid, points, fingerprint, vouchers });
  carryOut(tx, { ...past, at: past.at + untilEnd }, { type: 'report', status: end, reason });
}

function carryOut(
  tx: Tx<ClientCollections>,
  { uid, at, redeemCode }: PastRedemption,
  command: RedemptionCommand,
): void {
  const before = tx.get('redemptions', redeemCode);
  const { events, failure } = decide(before, command, balance(customerOf(tx, uid).account));
  if (failure !== undefined) throw new Error(`the demo redemption ${redeemCode} was refused: ${failure.kind}`);
  for (const event of events) {
    tx.put('redemptions', redeemCode, evolve(tx.get('redemptions', redeemCode), event));
    if (event.type === 'deducted') post(tx, uid, { kind: 'deduct', points: event.points, reference: redeemCode }, at);
    if (event.type === 'reversed') post(tx, uid, { kind: 'reverse', points: event.points, reference: redeemCode }, at);
  }
}

function post(tx: Tx<ClientCollections>, uid: string, entry: Entry, at: number): void {
  const redeemCode = entry.kind === 'credit' ? null : entry.reference;
  // Before everything that the log of a new workspace will have.
  if (!bookEntry(tx, customerOf(tx, uid), entry, { at, redeemCode, seq: 1 })) {
    throw new Error(`the ledger refuses to ${entry.kind} ${entry.points} points for ${entry.reference}`);
  }
}

function customerOf(tx: Tx<ClientCollections>, uid: string): Customer {
  const customer = tx.get('customers', uid);
  if (customer === undefined) throw new Error(`the ledger has no customer ${uid}`);
  return customer;
}
