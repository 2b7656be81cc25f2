import type { WorkspaceCollections } from '../../sandbox/assembly/collections.ts';
import { nextNumber, orderedKey } from '../../sandbox/runtime/ids.ts';
import type { Store, Tx } from '../../sandbox/store/store.ts';

const day = 24 * 3600 * 1000;

/** Options for generated orders. */
interface StoredOrders {
  /** Number of customers, whose uids start at BENCH0000. */
  readonly customers: number;
  /** Time of the first order in milliseconds on the sandbox clock. `apart` is the interval between orders. */
  readonly first: number;
  readonly apart: number;
  /** Delay of an order's job, in milliseconds. */
  readonly waits: number;
  /** Every n-th order has a job. */
  readonly dueEach: number;
}

/** Writes the records of a delivered order with one voucher. */
function putOrder(tx: Tx<WorkspaceCollections>, n: number, options: StoredOrders): void {
  const { customers, first, apart, waits, dueEach } = options;
  const number = String(n).padStart(12, '0');
  const uid = `BENCH${String(n % customers).padStart(4, '0')}`;
  const [redeemCode, order_id, trace] = [`RDM-${number}`, `ORD-${number}`, number.padEnd(32, 'a')];
  const at = first + n * apart;
  const seq = nextNumber(tx, 'activity');
  const item = { sku_code: 'EGV-SPICE-500', product_type: 'EGV', priceInr: 500, quantity: 1 } as const;
  const order = {
    door: 'v1',
    reference_id: `ref-${number}`,
    state: 'placed',
    status: 'Delivered',
    redeemCodes: [redeemCode],
  } as const;
  const metadata = { created: at, updated: at, trace, seq };
  tx.put('orders', order_id, { order_id, uid, ...order, ...metadata } as unknown as WorkspaceCollections['orders']);
  const points = {
    ...{ redeemPoints: 500, tdsSingleItem: 0, totalpoints: 500 },
    ...{ processingFee: 0, totalPointWithProcessingFee: 500 },
  };
  const outcome = { product_name: 'Spice Route Kitchen e-gift voucher 500', status: 'Delivered', remark: '' } as const;
  tx.put('lines', redeemCode, {
    redeemCode,
    order_id,
    uid,
    ...item,
    ...outcome,
    points,
  } as WorkspaceCollections['lines']);
  const voucherCode = `BNCH-${number.slice(0, 4)}-${number.slice(4, 8)}-${number.slice(8)}`;
  const voucher = { voucherCode, redeemCode, uid, partnerCode: 'EGIFT', productCode: item.sku_code, denomination: 500 };
  const life = { pin: '123456', issued: at, expires: at + 365 * day };
  tx.put('vouchers', voucherCode, { ...voucher, productName: outcome.product_name, ...life });
  const booked = { uid, points: 500, fingerprint: number.padStart(64, 'f') };
  tx.put('redemptions', redeemCode, { state: 'Delivered', ...booked });
  tx.put('entries', orderedKey(nextNumber(tx, 'entries')), {
    kind: 'deduct',
    points: 500,
    reference: redeemCode,
    uid,
    redeemCode,
    seq,
    at,
  });
  const text = `Your ${outcome.product_name} has come: ${voucherCode}, PIN 123456.`;
  const message = nextNumber(tx, 'messages');
  tx.put('messages', orderedKey(message), { seq: message, uid, kind: 'voucher', mobile: '*********0000', text, at });
  const payload = { redeemCode, uid };
  if (n % dueEach !== 0) return;
  const id = `W${orderedKey(nextNumber(tx, 'due'))}`;
  tx.put('due', id, { id, at: at + waits, kind: 'pendingTimeout', trace, payload, tries: 0 });
}

/** Writes the given number of orders to a store, a few per transaction. */
export async function storeOrders(
  store: Store<WorkspaceCollections>,
  orders: number,
  options: StoredOrders,
): Promise<void> {
  for (let from = 1; from <= orders; from += 250) {
    await store.transact((tx) => {
      for (let n = from; n < from + 250 && n <= orders; n += 1) putOrder(tx, n, options);
    });
  }
}
