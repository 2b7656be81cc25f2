import type { Books } from '../../sandbox/assembly/books.ts';
import type { Store, Tx } from '../../sandbox/store/store.ts';

const customers = 1000;
const day = 24 * 3600 * 1000;
const begin = Date.UTC(2026, 0, 12, 4, 30);

/**
 * What an order of one voucher leaves in the books once it is delivered, with a piece of due work for each hundredth.
 */
function putOrder(tx: Tx<Books>, n: number): void {
  const number = String(n).padStart(12, '0');
  const uid = `BENCH${String(n % customers).padStart(4, '0')}`;
  const [redeemCode, order_id, trace] = [`RDM-${number}`, `ORD-${number}`, number.padEnd(32, 'a')];
  const at = begin + n * 1000;
  const item = { sku_code: 'EGV-SPICE-500', product_type: 'EGV', priceInr: 500, quantity: 1 } as const;
  const order = { door: 'v1', reference_id: `ref-${number}`, state: 'placed', redeemCodes: [redeemCode] } as const;
  const made = { created: at, updated: at, trace, seq: n };
  tx.put('orders', order_id, { order_id, uid, ...order, ...made } as unknown as Books['orders']);
  const points = { base: 500, fee: 0, total: 500 } as unknown as Books['lines']['points'];
  const said = { product_name: 'Spice Route Kitchen e-gift voucher 500', status: 'Delivered', remark: '' } as const;
  tx.put('lines', redeemCode, { redeemCode, order_id, uid, ...item, ...said, points } as Books['lines']);
  const voucherCode = `BNCH-${number.slice(0, 4)}-${number.slice(4, 8)}-${number.slice(8)}`;
  const voucher = { voucherCode, redeemCode, uid, partnerCode: 'EGIFT', productCode: item.sku_code, denomination: 500 };
  const life = { pin: '123456', issued: at, expires: at + 365 * day };
  tx.put('vouchers', voucherCode, { ...voucher, productName: said.product_name, ...life });
  const booked = { uid, points: 500, fingerprint: number.padStart(64, 'f') };
  tx.put('redemptions', redeemCode, { state: 'Delivered', ...booked });
  tx.put('entries', `E${number}`, { kind: 'deduct', points: 500, reference: redeemCode, uid, redeemCode, seq: n, at });
  const text = `Your ${said.product_name} has come: ${voucherCode}, PIN 123456.`;
  tx.put('messages', number, { seq: n, uid, kind: 'voucher', text, at });
  const payload = { redeemCode, uid };
  const work = { at: at + 365 * day, kind: 'pendingTimeout', trace, payload, tries: 0 };
  if (n % 10 === 0) tx.put('due', `W${number}`, { id: `W${number}`, ...work });
}

/** Puts so many orders into a store, a few in each transaction. */
export async function storeOrders(store: Store<Books>, orders: number): Promise<void> {
  for (let from = 1; from <= orders; from += 250) {
    await store.transact((tx) => {
      for (let n = from; n < from + 250 && n <= orders; n += 1) putOrder(tx, n);
    });
  }
}
