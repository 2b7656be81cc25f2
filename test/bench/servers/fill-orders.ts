/**
 * Fills a data folder with delivered orders of one voucher each, through the store. Usage: `node fill-orders.ts DATA ORDERS [CUSTOMERS]`, with
 * uids from BENCH0000. Once the orders are stored, prints their number as JSON.
 */
import { argv } from 'node:process';
import type { WorkspaceCollections } from '../../../sandbox/assembly/collections.ts';
import { dataKey } from '../../../sandbox/cli/key.ts';
import { nextNumber, orderedKey } from '../../../sandbox/runtime/ids.ts';
import { startSandbox } from '../../../sandbox/sandbox.ts';
import { diskFiles } from '../../../sandbox/store/files.ts';
import type { Tx } from '../../../sandbox/store/store.ts';
import { diskStorage } from '../../../sandbox/workspaces/storage.ts';

const [, , dir = '', count = '', customers = '1000'] = argv;
const orders = Number(count);
const day = 24 * 3600 * 1000;
// The orders are half a second apart and end at the present. One in ten still has a job that is due after a day.
const apart = 500;
const first = Date.now() - orders * apart;
const perTransaction = 250;

function putOrder(tx: Tx<WorkspaceCollections>, n: number): void {
  const number = String(n).padStart(12, '0');
  const uid = `BENCH${String(n % Number(customers)).padStart(4, '0')}`;
  const [redeemCode, order_id, trace] = [`RDM-${number}`, `ORD-${number}`, number.padEnd(32, 'a')];
  const at = first + n * apart;
  const seq = nextNumber(tx, 'activity');
  const metadata = { door: 'v1', reference_id: `ref-${number}`, state: 'placed', status: 'Delivered' };
  const order = { order_id, uid, ...metadata, redeemCodes: [redeemCode], created: at, updated: at, trace, seq };
  tx.put('orders', order_id, order as unknown as WorkspaceCollections['orders']);
  const item = { sku_code: 'EGV-SPICE-500', product_type: 'EGV', priceInr: 500, quantity: 1 };
  const [totalpoints, totalPointWithProcessingFee] = [500, 500];
  const points = { redeemPoints: 500, tdsSingleItem: 0, totalpoints, processingFee: 0, totalPointWithProcessingFee };
  const productName = 'Spice Route Kitchen e-gift voucher 500';
  const outcome = { product_name: productName, status: 'Delivered', remark: '' };
  const line = { redeemCode, order_id, uid, ...item, ...outcome, points };
  tx.put('lines', redeemCode, line as WorkspaceCollections['lines']);
  const voucherCode = `BNCH-${number.slice(0, 4)}-${number.slice(4, 8)}-${number.slice(8)}`;
  const voucher = { voucherCode, redeemCode, uid, partnerCode: 'EGIFT', productCode: item.sku_code, denomination: 500 };
  const life = { pin: '123456', issued: at, expires: at + 365 * day };
  tx.put('vouchers', voucherCode, { ...voucher, productName, ...life });
  const booked = { uid, points: 500, fingerprint: number.padStart(64, 'f') };
  tx.put('redemptions', redeemCode, { state: 'Delivered', ...booked });
  const entry = { kind: 'deduct', points: 500, reference: redeemCode, uid, redeemCode, seq, at } as const;
  tx.put('entries', orderedKey(nextNumber(tx, 'entries')), entry);
  const text = `Your ${productName} has come: ${voucherCode}, PIN 123456.`;
  const message = nextNumber(tx, 'messages');
  tx.put('messages', orderedKey(message), { seq: message, uid, kind: 'voucher', mobile: '*********0000', text, at });
  if (n % 10 !== 0) return;
  const id = `W${orderedKey(nextNumber(tx, 'due'))}`;
  const payload = { redeemCode, uid };
  tx.put('due', id, { id, at: at + day, kind: 'pendingTimeout', trace, payload, tries: 0 });
}

const key = await dataKey(dir, undefined);
const warn = (message: string) => console.error(message);
await (await startSandbox({ port: 0, dataDir: dir, key, warn })).close();
const store = await diskStorage(dir, { key, files: diskFiles, warn }).open([]);
for (let from = 1; from <= orders; from += perTransaction) {
  await store.transact((tx) => {
    for (let n = from; n < from + perTransaction && n <= orders; n += 1) putOrder(tx, n);
  });
}
await store.close();
console.log(JSON.stringify({ orders }));
