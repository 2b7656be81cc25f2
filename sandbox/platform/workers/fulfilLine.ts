import { finish, postpone, schedule, type Work } from '../../runtime/due.ts';
import type { Tx } from '../../store/store.ts';
import type { Line, PlatformBooks } from '../books.ts';
import { itemOf, putItem } from '../catalogue.ts';
import { lineOf, orderOf } from '../order-resource.ts';
import type { Platform, VendorAnswer } from '../platform.ts';

/** How often a vendor is asked before the platform gives the line up, and how long it waits in between (OP-51). */
const vendorTries = 5;
const waitMilliseconds = 5_000;
const yearMilliseconds = 365 * 24 * 3600 * 1000;
/** What becomes of a line whose item was removed meanwhile (OP-86). */
const removed = { kind: 'rejected', reason: 'Product no longer in the catalogue' } as const;

/** Has the vendor fulfil a line, and books the outcome together with the work of reporting it (G15, G16). */
export async function fulfilLine(platform: Platform, work: Work): Promise<void> {
  const { store } = platform;
  const line = lineOf(store, work.payload.redeemCode ?? '');
  const { redeemCode, sku_code, product_type, quantity } = line;
  const request = { redeemCode, sku_code, product_type, quantity, trace: work.trace };
  const answer = itemOf(store, sku_code) === undefined ? removed : await platform.vendors.fulfil(request);
  await store.transact((tx) => book(platform, tx, work, answer));
}

function book(platform: Platform, tx: Tx<PlatformBooks>, work: Work, answer: VendorAnswer): void {
  const line = lineOf(tx, work.payload.redeemCode ?? '');
  if (line.status !== 'Pending') return finish(tx, work);
  switch (answer.kind) {
    case 'silent':
      return finish(tx, work);
    case 'failed':
      if (work.tries + 1 < vendorTries) return postpone(tx, work, platform.clock.now() + waitMilliseconds);
      return end(platform, tx, work, line, { status: 'Rejected', remark: answer.reason });
    case 'rejected':
      return end(platform, tx, work, line, { status: 'Rejected', remark: answer.reason });
    case 'delivered': {
      const item = itemOf(tx, line.sku_code);
      if (item === undefined) return end(platform, tx, work, line, { status: 'Rejected', remark: removed.reason });
      if (item.stock < line.quantity) {
        return end(platform, tx, work, line, { status: 'Rejected', remark: 'Product out of stock' });
      }
      putItem(platform, tx, { ...item, stock: item.stock - line.quantity }, { trace: work.trace, party: 'vendor' });
      issueVouchers(platform, tx, line, answer);
      return end(platform, tx, work, line, { status: 'Delivered', remark: '' });
    }
  }
}

function issueVouchers(
  platform: Platform,
  tx: Tx<PlatformBooks>,
  line: Line,
  { vouchers, partnerCode }: Extract<VendorAnswer, { kind: 'delivered' }>,
): void {
  const issued = platform.clock.now();
  const { redeemCode, uid, sku_code: productCode, product_name: productName, priceInr: denomination } = line;
  for (const voucher of vouchers) {
    const facts = { redeemCode, uid, partnerCode, productCode, productName, denomination };
    tx.add('vouchers', voucher.voucherCode, { ...voucher, ...facts, issued, expires: issued + yearMilliseconds });
  }
}

function end(
  platform: Platform,
  tx: Tx<PlatformBooks>,
  work: Work,
  line: Line,
  outcome: Pick<Line, 'status' | 'remark'>,
): void {
  closeLine(platform, tx, line, outcome, work.trace);
  finish(tx, work);
  const at = platform.clock.now();
  schedule(tx, { kind: 'reportStatus', at, trace: work.trace, payload: { redeemCode: line.redeemCode } });
}

/** Gives a line its end and touches its order. */
export function closeLine(
  platform: Platform,
  tx: Tx<PlatformBooks>,
  line: Line,
  outcome: Pick<Line, 'status' | 'remark'>,
  trace: string,
): void {
  tx.put('lines', line.redeemCode, { ...line, ...outcome });
  tx.put('orders', line.order_id, { ...orderOf(tx, line.order_id), updated: platform.clock.now() });
  platform.activity.note(tx, {
    trace,
    party: 'platform',
    event: `line.${outcome.status.toLowerCase()}`,
    uid: line.uid,
    redeem_codes: [line.redeemCode],
    detail: { from: line.status, to: outcome.status, remark: outcome.remark },
  });
}
