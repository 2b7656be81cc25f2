/** Tests how a redemption ends for each vendor outcome (G15, G16; OP-06, OP-35, OP-49, OP-51). */
import { expect, it } from 'vitest';
import { report } from '../harness/client-requests.ts';
import { type ReceivedCall, stubClient } from '../harness/client-stub.ts';
import { advance, kettle, order, setStock, vendorWill, voucher } from '../harness/orders.ts';
import { ok, type TestSandbox, testSandbox } from '../harness/sandbox.ts';
import { eventsOf, itemOf, ledgerOf, opening } from '../harness/state.ts';

const sku = 'EGV-SPICE-500';

/** Places the default order with a stubbed client. Returns its code and the later reports to the client. */
async function placed(sandbox: TestSandbox, body: Parameters<typeof order>[1] = {}) {
  const clientCalls = await stubClient(sandbox, () => 'pass');
  const { lines } = ok(await order(sandbox, body));
  return { redeemCode: lines[0]?.redeemCode ?? '', reports: () => reportsOf(clientCalls) };
}

function reportsOf(clientCalls: readonly ReceivedCall[]) {
  return clientCalls.filter(({ operation }) => operation === 'updateRedeemStatus').map(({ body }) => body);
}

it('G15, B12, M6, S4, S5: OP-35: deliver: reported Delivered after the delay, the points stay deducted, the stock decreases', async () => {
  const sandbox = await testSandbox();
  await vendorWill(sandbox, sku, { outcome: 'deliver', delay_seconds: 60 });
  const before = (await itemOf(sandbox, sku))?.stock ?? 0;
  const { redeemCode, reports } = await placed(sandbox, { line_items: [{ ...voucher, quantity: 3 }] });
  expect(await advance(sandbox, 59)).toBe(0);
  expect(await advance(sandbox, 1)).toBe(3);
  expect(reports()).toEqual([report('Delivered', redeemCode)]);
  expect((await itemOf(sandbox, sku))?.stock).toBe(before - 3);
  expect(await ledgerOf(sandbox, 'CUST0001')).toEqual({
    balance: 23_500,
    entries: [opening, { kind: 'deduct', points: 1500, reference: redeemCode, label: 'Redeemed' }],
  });
});

it('deliver: the vendor delivers a product without vouchers', async () => {
  const sandbox = await testSandbox();
  const before = (await itemOf(sandbox, kettle.sku))?.stock ?? 0;
  const { redeemCode, reports } = await placed(sandbox, { line_items: [kettle], shipping_address: 'Lake View Road' });
  await advance(sandbox, 2);
  expect(reports()).toEqual([report('Delivered', redeemCode)]);
  expect((await itemOf(sandbox, kettle.sku))?.stock).toBe(before - 1);
  expect(ok(await sandbox.control.GET('/messages')).items.map(({ kind }) => kind)).toEqual(['delivered']);
});

it.each([
  ['reject', 'Not sold in this region', 'Not sold in this region'],
  ['reject', undefined, 'Rejected by the vendor'],
  ['out_of_stock', undefined, 'Product out of stock'],
] as const)(
  'G16, B12, S6, S8, R17: %s: reported Rejected with the reason, and exactly the deducted points are refunded',
  async (outcome, reason, remark) => {
    const sandbox = await testSandbox();
    ok(await sandbox.control.PATCH('/workspace', { body: { settings: { processing_fee_egv: 25, tds_percent: 10 } } }));
    await vendorWill(sandbox, sku, { outcome, ...(reason !== undefined && { reason }) });
    const before = (await itemOf(sandbox, sku))?.stock;
    const { redeemCode, reports } = await placed(sandbox);
    expect((await ledgerOf(sandbox, 'CUST0001')).balance).toBe(25_000 - 575);
    await advance(sandbox, 2);
    expect(reports()).toEqual([{ ...report('Rejected', redeemCode), remark }]);
    expect((await itemOf(sandbox, sku))?.stock).toBe(before);
    expect(await ledgerOf(sandbox, 'CUST0001')).toEqual({
      balance: 25_000,
      entries: [
        opening,
        { kind: 'deduct', points: 575, reference: redeemCode, label: 'Reversed' },
        { kind: 'reverse', points: 575, reference: redeemCode, label: 'Reversed' },
      ],
    });
  },
);

it('OP-51: timeout: the platform tries the vendor five times, five seconds apart, then the line is Rejected', async () => {
  const sandbox = await testSandbox();
  await vendorWill(sandbox, sku, { outcome: 'timeout' });
  const { redeemCode, reports } = await placed(sandbox);
  const tries: (number | undefined)[] = [];
  for (const seconds of [2, 5, 5, 5]) {
    await advance(sandbox, seconds);
    tries.push((await eventsOf(sandbox))['vendor.failed']);
  }
  expect(tries).toEqual([1, 2, 3, 4]);
  await advance(sandbox, 4);
  expect(reports()).toEqual([]);
  await advance(sandbox, 1);
  expect(reports()).toEqual([{ ...report('Rejected', redeemCode), remark: 'The vendor did not respond in time' }]);
  expect(await eventsOf(sandbox)).toMatchObject({ 'vendor.failed': 5 });
  expect((await ledgerOf(sandbox, 'CUST0001')).balance).toBe(25_000);
});

it.each([1, 2, 3, 4])('OP-35: fail_then_deliver: after %i failures the line is delivered once', async (times) => {
  const sandbox = await testSandbox();
  await vendorWill(sandbox, sku, { outcome: 'fail_then_deliver', times });
  const { redeemCode, reports } = await placed(sandbox);
  await advance(sandbox, 2 + 5 * times - 1);
  expect(reports()).toEqual([]);
  await advance(sandbox, 1);
  expect(reports()).toEqual([report('Delivered', redeemCode)]);
  expect(await eventsOf(sandbox)).toMatchObject({ 'vendor.failed': times, 'vendor.delivered': 1, 'line.delivered': 1 });
});

it('times: an outcome applies to this number of redemptions, then the default returns', async () => {
  const sandbox = await testSandbox();
  await vendorWill(sandbox, sku, { outcome: 'reject', reason: 'No', times: 2 });
  const { reports } = await placed(sandbox, { line_items: [voucher, voucher, voucher] });
  await advance(sandbox, 2);
  expect(reports().map(({ status }) => status)).toEqual(['Rejected', 'Rejected', 'Delivered']);
  const vendorOutcome = ok(
    await sandbox.control.GET('/vendor-outcomes/{sku_code}', { params: { path: { sku_code: sku } } }),
  );
  expect(vendorOutcome).toEqual({ sku_code: sku, outcome: 'deliver', reason: '', times: null, delay_seconds: 2 });
});

it('OP-49: delivery decreases the stock; at zero the item gets status 2, and orders get code 55', async () => {
  const sandbox = await testSandbox();
  const path = { params: { path: { sku_code: sku } } };
  ok(await sandbox.control.PATCH('/catalogue/{sku_code}', { ...path, body: { stock: 1 } }));
  const clientCalls = await stubClient(sandbox, () => 'pass');
  ok(await order(sandbox));
  expect(await itemOf(sandbox, sku)).toMatchObject({ stock: 1, status: 1 });
  ok(await order(sandbox));
  await advance(sandbox, 2);
  expect(reportsOf(clientCalls).map(({ status, remark }) => [status, remark])).toEqual([
    ['Delivered', ''],
    ['Rejected', 'Product out of stock'],
  ]);
  expect(await itemOf(sandbox, sku)).toMatchObject({ stock: 0, status: 2, qty: '0' });
  expect((await order(sandbox)).error).toMatchObject({ code: 55, message: `Product not available: ${sku}` });
  ok(await sandbox.control.PATCH('/catalogue/{sku_code}', { ...path, body: { stock: 5 } }));
  expect(await itemOf(sandbox, sku)).toMatchObject({ stock: 5, status: 1, qty: '5' });
});

it('OP-113: with two of three units in stock, one line of three delivers none, and three lines deliver two', async () => {
  const sandbox = await testSandbox();
  await setStock(sandbox, 5);
  const whole = ok(await order(sandbox, { line_items: [{ ...voucher, quantity: 3 }] }));
  await setStock(sandbox, 2);
  await advance(sandbox, 60);
  const read = async ({ order_id }: { order_id: string }) =>
    ok(await sandbox.control.GET('/orders/{order_id}', { params: { path: { order_id } } })).order;
  expect((await read(whole)).lines).toEqual([
    { ...whole.lines[0], status: 'Rejected', remark: 'Product out of stock' },
  ]);
  expect((await ledgerOf(sandbox, 'CUST0001')).balance).toBe(25_000);
  expect((await itemOf(sandbox))?.stock).toBe(2);

  await setStock(sandbox, 3);
  const single = ok(await order(sandbox, { line_items: [voucher, voucher, voucher] }));
  await setStock(sandbox, 2);
  await advance(sandbox, 60);
  const { status, lines } = await read(single);
  expect([status, lines.map((line) => line.status).sort()]).toEqual([
    'Delivered',
    ['Delivered', 'Delivered', 'Rejected'],
  ]);
  expect((await ledgerOf(sandbox, 'CUST0001')).balance).toBe(24_000);
});
