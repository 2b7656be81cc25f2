/** Messages to customers about their orders and points (G17, OP-160). */
import { balance } from '../domain/ledger.ts';
import type { RedemptionCommand } from '../domain/redemption.ts';
import { fromIndianTime } from '../runtime/clock.ts';
import type { Tx } from '../store/store.ts';
import type { ClientCollections } from './collections.ts';
import { send } from './outbox.ts';
import type { Voucher } from './platform-gateway.ts';

interface Delivery {
  readonly uid: string;
  readonly redeemCode: string;
  /** Those that the wallet has for it; a product has none. */
  readonly vouchers: readonly Voucher[];
  readonly at: number;
}

interface Reversal {
  readonly uid: string;
  readonly points: number;
  readonly reason: string;
  /** What the points came back upon. */
  readonly by: RedemptionCommand['type'];
  readonly at: number;
}

interface Credit {
  readonly uid: string;
  readonly transactionId: string;
  readonly points: number;
  readonly at: number;
}

/** Sends each voucher of a delivered redemption, or says that the product was delivered. */
export function sendDelivered(tx: Tx<ClientCollections>, { uid, redeemCode, vouchers, at }: Delivery): void {
  for (const voucher of vouchers) {
    const expires = fromIndianTime(voucher.validityEndDate);
    send(tx, { uid, kind: 'voucher', text: voucherText(voucher), expires, at });
  }
  if (vouchers.length === 0) send(tx, { uid, kind: 'delivered', text: `Your order ${redeemCode} was delivered.`, at });
}

/** Reports a refund, and first the reason for the rejection, if the platform gave one. */
export function sendReversed(tx: Tx<ClientCollections>, redeemCode: string, reversal: Reversal): void {
  const { uid, points, reason, by, at } = reversal;
  if (by !== 'timeout') {
    const more = reason === '' ? '' : ` Reason: ${reason}`;
    send(tx, { uid, kind: 'rejected', text: `Your order ${redeemCode} was rejected.${more}`, at });
  }
  const text = `${points} points of your order ${redeemCode} were refunded. ${balanceText(tx, uid)}`;
  send(tx, { uid, kind: 'reversed', text, at });
}

/** Reports the points of a payment. */
export function sendCredited(tx: Tx<ClientCollections>, { uid, transactionId, points, at }: Credit): void {
  const text = `${points} points were credited for your payment ${transactionId}. ${balanceText(tx, uid)}`;
  send(tx, { uid, kind: 'credited', text, at });
}

function voucherText({ productName, voucherCode, pin, validityEndDate }: Voucher): string {
  const more = pin === null ? '' : `, PIN ${pin}`;
  return `Your ${productName} is here: ${voucherCode}${more}. Valid until ${validityEndDate} IST.`;
}

/** What the customer has once all is booked. */
function balanceText(tx: Tx<ClientCollections>, uid: string): string {
  const account = tx.get('customers', uid)?.account;
  if (account === undefined) throw new Error(`the ledger has no customer ${uid}`);
  return `Your balance is ${balance(account)} points.`;
}
