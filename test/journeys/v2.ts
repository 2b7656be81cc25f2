/** Tests the version 2.0 journey over HTTP, and one customer who orders through every API (OP-28, OP-29, OP-52). */
import { expect, it } from 'vitest';
import { advance, vendorWill, voucher } from '../harness/orders.ts';
import { proxiedSandbox } from '../harness/proxied.ts';
import { logIn, ok, signIn } from '../harness/sandbox.ts';
import { ledgerOf } from '../harness/state.ts';

const uid = 'CUST0005';
const opening = { kind: 'credit', points: 5000, reference: 'opening', label: 'Earned' };

it('OTP -> points -> catalogue -> order -> deduction -> vendor -> Delivered; then a rejection refunds exactly the deducted points', async () => {
  const sandbox = await proxiedSandbox();
  const { jwt, companyToken, customerToken } = await signIn(sandbox, uid);

  // The customer reads the points from the client and the catalogue from the platform.
  const own = sandbox.v2Client(jwt);
  const query = { customer_id: uid };
  expect(ok(await own.GET('/api/v1/customer/points', { params: { query } }))).toEqual({
    customer_id: uid,
    points: { totalEarned: 5000, balance: 5000, totalRedeemed: 0 },
  });
  const page = ok(await sandbox.v2Platform(companyToken).GET('/api/v1/catalog', { params: { query: { limit: 3 } } }));
  const sku = page.items[2]?.sku_code ?? '';
  expect(sku).toBe('EGV-SPICE-500');

  // The platform places the order after the client has deducted the points.
  const platform = sandbox.v2Platform(customerToken);
  const body = { customer_id: uid, line_items: [{ sku, quantity: 2 }] };
  const placed = ok(await platform.POST('/api/v1/orders', { body }));
  expect(placed.status).toBe('Pending');
  const reference = placed.lines[0]?.redeemCode ?? '';
  const deducted = { kind: 'deduct', points: 1000, reference };
  expect(await ledgerOf(sandbox, uid)).toEqual({
    balance: 4000,
    entries: [opening, { ...deducted, label: 'Pending' }],
  });

  // The vendor delivers after two seconds. The client reads the status three seconds later.
  await advance(sandbox, 2);
  const status = { params: { query: { order_id: placed.order_id } } };
  const delivered = ok(await platform.GET('/api/v1/orders/status', status));
  expect(delivered).toEqual({
    ...placed,
    status: 'Delivered',
    lines: placed.lines.map((line) => ({ ...line, status: 'Delivered' })),
    updated_at: '2026-01-12T04:30:02.000Z',
  });
  await advance(sandbox, 3);
  const redeemed = { ...deducted, label: 'Redeemed' };
  expect(await ledgerOf(sandbox, uid)).toEqual({ balance: 4000, entries: [opening, redeemed] });
  const { items } = ok(await sandbox.control.GET('/messages', { params: { query: { uid } } }));
  expect(items.filter(({ kind }) => kind === 'voucher')).toHaveLength(2);

  // The next order is rejected, and exactly its deducted points are reversed.
  await vendorWill(sandbox, sku, { outcome: 'reject', reason: 'Not sold in this region' });
  const second = ok(await platform.POST('/api/v1/orders', { body: { ...body, line_items: [{ sku, quantity: 3 }] } }));
  await advance(sandbox, 2);
  const lost = second.lines[0]?.redeemCode ?? '';
  const rejected = ok(await platform.GET('/api/v1/orders/status', { params: { query: { redeem_code: lost } } }));
  expect(rejected.lines[0]).toMatchObject({ status: 'Rejected', remark: 'Not sold in this region' });
  expect(await ledgerOf(sandbox, uid)).toEqual({
    balance: 4000,
    entries: [
      opening,
      redeemed,
      { kind: 'deduct', points: 1500, reference: lost, label: 'Reversed' },
      { kind: 'reverse', points: 1500, reference: lost, label: 'Reversed' },
    ],
  });
  await advance(sandbox, 7 * 86_400);
  expect((await ledgerOf(sandbox, uid)).balance).toBe(4000);
});

it('a customer orders through version 1.0, version 2.0 and the general API: one ledger, one wallet, one catalogue', async () => {
  const sandbox = await proxiedSandbox();
  const { companyToken, customerToken } = await signIn(sandbox, uid);
  const v2 = sandbox.v2Platform(customerToken);
  const general = sandbox.general(await logIn(sandbox, uid));
  const line_items = [voucher];
  const orders = [
    ok(await sandbox.rewards(customerToken).POST('/v1/partner/redeemptiononskus', { body: { uid, line_items } })),
    ok(await v2.POST('/api/v1/orders', { body: { customer_id: uid, line_items } })),
    ok(await general.POST('/v1/orders', { body: { line_items } })),
  ];
  await advance(sandbox, 5);

  const codes = orders.flatMap(({ lines }) => lines.map(({ redeemCode }) => redeemCode));
  expect(await ledgerOf(sandbox, uid)).toEqual({
    balance: 3500,
    entries: [opening, ...codes.map((reference) => ({ kind: 'deduct', points: 500, reference, label: 'Redeemed' }))],
  });
  const wallet = sandbox.rewards(companyToken).GET('/getwalletdetail', { params: { query: { uid } } });
  expect(ok(await wallet).data.map(({ redemptionCode }) => redemptionCode)).toEqual(codes);
  for (const { order_id } of orders) {
    const orderStatus = ok(await v2.GET('/api/v1/orders/status', { params: { query: { order_id } } }));
    expect(orderStatus).toMatchObject({ order_id, status: 'Delivered' });
  }
  const points = { totalEarned: 5000, balance: 3500, totalRedeemed: 1500 };
  expect(ok(await general.GET('/v1/users/profile')).points).toEqual(points);
  const stock = ok(await sandbox.control.GET('/catalogue')).items.find(({ sku_code }) => sku_code === voucher.sku);
  const [product] = ok(await general.GET('/v1/products', { params: { query: { q: voucher.sku } } })).items;
  expect(product).toMatchObject({ sku_code: voucher.sku, qty: String(stock?.stock) });
});
