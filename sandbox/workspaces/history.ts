import type { WorkspaceCollections } from '../assembly/collections.ts';
import { seedCredit, seedRedemption } from '../client/seed.ts';
import { itemOf } from '../platform/catalogue.ts';
import { seedOrder, seedPayment } from '../platform/seed.ts';
import { numberedId, type SeededRandom } from '../runtime/ids.ts';
import type { Tx } from '../store/store.ts';
import { drawBeside, drawVoucherCode, vendorCodes } from '../vendors/vendors.ts';

/** An action of a demo customer, a number of days before the workspace started. */
type Deed = { readonly uid: string; readonly days: number } & (
  | { readonly paid: string }
  | {
      readonly sku: string;
      readonly quantity: number;
      readonly end: 'Pending' | 'Delivered' | 'Rejected';
      readonly remark?: string;
    }
);

/** All actions are older than the month for which messages are stored, and older than every default threshold (OP-162). */
const deeds: readonly Deed[] = [
  { uid: 'CUST0027', days: 420, paid: '185000.00' },
  { uid: 'CUST0027', days: 410, sku: 'EGV-CHAI-250', quantity: 2, end: 'Delivered' },
  { uid: 'CUST0030', days: 300, paid: '240999.50' },
  { uid: 'CUST0030', days: 260, sku: 'EGV-SPA-1000', quantity: 1, end: 'Delivered' },
  { uid: 'CUST0028', days: 150, paid: '99500' },
  { uid: 'CUST0027', days: 120, sku: 'EGV-SPA-1000', quantity: 1, end: 'Delivered' },
  { uid: 'CUST0026', days: 95, paid: '64250.75' },
  { uid: 'CUST0028', days: 90, sku: 'EGV-HOTEL-500', quantity: 1, end: 'Rejected', remark: 'Product out of stock' },
  { uid: 'CUST0030', days: 80, sku: 'EGV-SWEETS-500', quantity: 1, end: 'Rejected', remark: 'Not sold in this region' },
  { uid: 'CUST0029', days: 75, paid: '130000' },
  { uid: 'CUST0030', days: 60, sku: 'EGV-MUSIC-250', quantity: 1, end: 'Delivered' },
  { uid: 'CUST0026', days: 50, paid: '12000' },
  { uid: 'CUST0029', days: 45, sku: 'PHY-UMBRELLA-02', quantity: 1, end: 'Pending' },
  { uid: 'CUST0030', days: 40, sku: 'EGV-YOGA-250', quantity: 1, end: 'Pending' },
];

const day = 24 * 3600 * 1000;
/** The number of the first past id. It is high, so that new ids start at 1. */
const firstId = 900_001;

/** Records the past actions of demo customers with the platform, the client and the vendors (OP-162). */
export function seedHistory(tx: Tx<WorkspaceCollections>, random: SeededRandom, at: number): void {
  deeds.forEach((deed, index) => {
    const when = at - deed.days * day;
    if ('paid' in deed) seedPaid(tx, deed.uid, deed.paid, { at: when, number: firstId + index });
    else seedOrdered(tx, random, deed, { at: when, number: firstId + index });
  });
}

/** The time of a past action, and the number for its ids. */
interface Past {
  readonly at: number;
  readonly number: number;
}

function seedPaid(tx: Tx<WorkspaceCollections>, uid: string, paymentAmount: string, { at, number }: Past): void {
  const transactionId = numberedId('UPI', number);
  const { points } = seedPayment(tx, { uid, at, transactionId, paymentAmount });
  seedCredit(tx, { uid, at, transactionId, paymentAmount, points });
}

function seedOrdered(
  tx: Tx<WorkspaceCollections>,
  random: SeededRandom,
  { uid, sku, quantity, end, remark = '' }: Extract<Deed, { sku: string }>,
  { at, number }: Past,
): void {
  const item = itemOf(tx, sku);
  if (item === undefined) throw new Error(`the demo catalogue has no ${sku}`);
  const order_id = `${numberedId('ORD', number)}-${random.code(4)}`;
  const redeemCode = `${numberedId('RDM', number)}-${random.code(6)}`;
  const isVoucher = item.product_type === 'EGV';
  const units = isVoucher && end === 'Delivered' ? quantity : 0;
  const vouchers = Array.from({ length: units }, () => {
    return { voucherCode: drawVoucherCode(random), ...drawBeside(random, item.voucherForm) };
  });
  for (const { voucherCode } of vouchers) tx.add('handedOut', voucherCode, redeemCode);
  const partnerCode = vendorCodes[item.vendor];
  const { points } = seedOrder(tx, {
    uid,
    at,
    order_id,
    redeemCode,
    sku,
    quantity,
    partnerCode,
    vouchers,
    end,
    remark,
  });
  const { totalPointWithProcessingFee: deducted } = points;
  seedRedemption(tx, { uid, at, redeemCode, points: deducted, vouchers: isVoucher, end, reason: remark });
}
