/** Tests listing placed orders in the control API (OP-84). wait.test.ts covers waiting for them. */
import { expect, it } from 'vitest';
import { notFound, refusal } from '../harness/envelopes.ts';
import { advance, kettle, order, vendorWill, voucher } from '../harness/orders.ts';
import { logIn, ok, type TestSandbox, testSandbox } from '../harness/sandbox.ts';

type Query = { uid?: string; status?: 'Pending' | 'Delivered' | 'Rejected'; limit?: number; after?: number };

const listOrders = async ({ control }: TestSandbox, query: Query = {}) =>
  ok(await control.GET('/orders', { params: { query } })).items;

const getOrder = ({ control }: TestSandbox, order_id: string) =>
  control.GET('/orders/{order_id}', { params: { path: { order_id } } });

it('OP-84: an order is returned as in the reply to its caller, with the number of the log entry that placed it', async () => {
  const sandbox = await testSandbox();
  const address = { shipping_address: '12 Lake View Road, Bengaluru', reference_id: 'CART-1' };
  const placedOrder = ok(await order(sandbox, { line_items: [voucher, kettle], ...address }));
  const { items } = ok(await sandbox.control.GET('/activity'));
  const { seq } = items.find((item) => item.kind === 'state' && item.event === 'order.placed') ?? {};
  expect(await listOrders(sandbox)).toEqual([{ seq, uid: 'CUST0001', order: placedOrder }]);
  await advance(sandbox, 2);
  const deliveredOrder = ok(await getOrder(sandbox, placedOrder.order_id));
  const lines = placedOrder.lines.map((line) => ({ ...line, status: 'Delivered' }));
  const updated_at = '2026-01-12T04:30:02.000Z';
  expect(deliveredOrder).toEqual({
    seq,
    uid: 'CUST0001',
    order: { ...placedOrder, status: 'Delivered', lines, updated_at },
  });
});

it('OP-84: the list has orders of every API, oldest first, and filters combine', async () => {
  const sandbox = await testSandbox();
  await vendorWill(sandbox, 'EGV-CHAI-100', { outcome: 'reject' });
  const chai = { sku: 'EGV-CHAI-100', quantity: 1 };
  const ids = [ok(await order(sandbox)).order_id];
  const v2 = sandbox.v2Platform(await sandbox.companyToken());
  ids.push(ok(await v2.POST('/api/v1/orders', { body: { customer_id: 'CUST0005', line_items: [chai] } })).order_id);
  const general = sandbox.general(await logIn(sandbox, 'CUST0005'));
  ids.push(ok(await general.POST('/v1/orders', { body: { line_items: [voucher] } })).order_id);
  await advance(sandbox, 2);
  const at = async (query: Query) => (await listOrders(sandbox, query)).map(({ order }) => ids.indexOf(order.order_id));
  const [first] = await listOrders(sandbox);
  expect(await at({})).toEqual([0, 1, 2]);
  expect(await at({ uid: 'CUST0005' })).toEqual([1, 2]);
  expect(await at({ uid: 'CUST0005', status: 'Rejected' })).toEqual([1]);
  expect(await at({ limit: 2 })).toEqual([1, 2]);
  expect(await at({ after: 0, limit: 2 })).toEqual([0, 1]);
  expect(await at({ after: first?.seq ?? 0, status: 'Delivered' })).toEqual([2]);
  expect(await at({ uid: 'CUST0009' })).toEqual([]);
});

it('OP-84: a failed order, and one that was never placed, is unknown', async () => {
  const sandbox = await testSandbox();
  const { error } = await order(sandbox, { uid: 'MAGIC-REFUSED' });
  expect(error).toMatchObject({ code: 56 });
  expect(await listOrders(sandbox)).toEqual([]);
  const { items } = ok(await sandbox.control.GET('/activity'));
  const failed = items.find((item) => item.kind === 'state' && item.event === 'order.failed');
  const id = failed?.kind === 'state' ? String(failed.detail.order_id) : '';
  expect(id).toMatch(/^ORD-000001-/);
  expect(refusal(await getOrder(sandbox, id))).toEqual(notFound(`Order ${id}`));
});
