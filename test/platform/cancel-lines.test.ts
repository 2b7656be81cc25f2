/** Tests cancellations between the vendor's answer and the platform's recording of that answer (OP-129). */
import { expect, it } from 'vitest';
import { Activity } from '../../sandbox/activity-log/activity.ts';
import { type WorkspaceCollections, workspaceSchema } from '../../sandbox/assembly/collections.ts';
import type { Line, Order } from '../../sandbox/platform/collections.ts';
import type { Platform } from '../../sandbox/platform/platform.ts';
import { cancelLines } from '../../sandbox/platform/workers/line.ts';
import { Clock, freshClock } from '../../sandbox/runtime/clock.ts';
import { placeStream } from '../../sandbox/runtime/ids.ts';
import { openMemoryStore } from '../../sandbox/store/memory.ts';
import { Vendors } from '../../sandbox/vendors/vendors.ts';
import { testSpans } from '../harness/spans.ts';

const redeemCode = 'RDM-1';
const order: Order = {
  ...({ order_id: 'ORD-1', uid: 'ANN', door: 'v1', reference_id: null, state: 'placed', trace: 't', seq: 1 } as const),
  redeemCodes: [redeemCode],
  created: 0,
  updated: 0,
};
const points = { redeemPoints: 500, tdsSingleItem: 0, totalpoints: 500, processingFee: 0 };
const line: Line = {
  ...({ redeemCode, order_id: 'ORD-1', uid: 'ANN', sku_code: 'EGV-1', product_type: 'EGV' } as const),
  product_name: 'A voucher',
  priceInr: 500,
  quantity: 1,
  points: { ...points, totalPointWithProcessingFee: 500 },
  ...({ status: 'Pending', remark: '' } as const),
};
const request = { redeemCode, sku_code: 'EGV-1', product_type: 'EGV', quantity: 1, trace: 't' } as const;
const cancellation = { by: 'customer', reason: '' } as const;

async function platform() {
  const store = openMemoryStore<WorkspaceCollections>(workspaceSchema, expect.fail);
  const clock = new Clock(freshClock('frozen'), () => 0);
  const activity = new Activity(store, clock, expect.fail);
  const vendors = new Vendors({ store, clock, activity, spans: testSpans(), vendorOf: () => 'egift' });
  await store.transact((tx) => {
    placeStream(tx, { seed: 'cancel', drawn: 0 });
    tx.put('orders', order.order_id, order);
    tx.put('lines', redeemCode, line);
  });
  const used = { store, clock, activity, vendors, partnerUrl: () => undefined };
  return used as typeof used & Platform;
}

it('OP-129: a line that the vendor has confirmed stays, even before the platform has recorded the answer', async () => {
  const at = await platform();
  expect(await at.vendors.fulfil(request)).toMatchObject({ kind: 'delivered' });
  const refused = [{ redeemCode, why: 'confirmed' }];
  expect(await cancelLines(at, order, [redeemCode], cancellation, 't')).toEqual({
    order_id: 'ORD-1',
    cancelled: [],
    refused,
  });
  expect(at.store.get('lines', redeemCode)).toEqual(line);
  expect(await at.vendors.fulfil(request)).toMatchObject({ kind: 'delivered' });
});

it('OP-129: a line that the vendor released is never fulfilled, however late the request', async () => {
  const at = await platform();
  expect(await cancelLines(at, order, [redeemCode], cancellation, 't')).toEqual({
    order_id: 'ORD-1',
    cancelled: [redeemCode],
    refused: [],
  });
  const remark = 'Cancelled by the customer';
  expect(await at.vendors.fulfil(request)).toEqual({ kind: 'cancelled', remark });
  expect(at.store.get('lines', redeemCode)).toEqual({ ...line, status: 'Rejected', remark, cancelled: true });
});

it('OP-64: a cancellation does not affect an order that was dropped meanwhile, or replaced by another with the same id', async () => {
  const at = await platform();
  const { cancel } = at.vendors;
  at.vendors.cancel = async (unwanted) => {
    const agreed = await cancel.call(at.vendors, unwanted);
    await at.store.transact((tx) => tx.put('orders', order.order_id, { ...order, trace: 'other' }));
    return agreed;
  };
  expect(await cancelLines(at, order, [redeemCode], cancellation, 't')).toBeUndefined();
  expect(at.store.get('lines', redeemCode)).toEqual(line);
});
