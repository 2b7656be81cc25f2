/** Tests cancellations of pending lines (E8, S6, S7; OP-127 to OP-129). */
import { expect, it } from 'vitest';
import { stubClient } from '../harness/client-stub.ts';
import { flat, notFound, refusal } from '../harness/envelopes.ts';
import { advance, kettle, order, redeem, vendorWill, voucher } from '../harness/orders.ts';
import { ok, type TestSandbox, testSandbox } from '../harness/sandbox.ts';
import { eventsOf, itemOf, ledgerOf, refusing, walletOf } from '../harness/state.ts';

const uid = 'CUST0001';
const invalid = (problem: string) => flat(400, 53, `Invalid request: ${problem}`);

function cancel({ control }: TestSandbox, body: { redeemCode?: string; order_id?: string; reason?: string }) {
  return control.POST('/triggers/cancellation', { body });
}

async function orderAt({ control }: TestSandbox, order_id: string) {
  return ok(await control.GET('/orders/{order_id}', { params: { path: { order_id } } })).order;
}

it('OP-127: a pending line is cancelled: the client gets a Rejected report with the remark, refunds the points, and nothing is delivered', async () => {
  const sandbox = await testSandbox();
  const clientCalls = await stubClient(sandbox, () => 'pass');
  const stock = (await itemOf(sandbox))?.stock;
  const placed = ok(await order(sandbox));
  const redeemCode = placed.lines[0]?.redeemCode ?? '';
  const remark = 'Cancelled by the company: Ordered twice';
  expect(ok(await cancel(sandbox, { redeemCode, reason: 'Ordered twice' }))).toEqual({
    order_id: placed.order_id,
    cancelled: [redeemCode],
    kept: [],
  });
  expect(await orderAt(sandbox, placed.order_id)).toEqual({
    ...placed,
    status: 'Rejected',
    lines: [{ ...placed.lines[0], status: 'Rejected', remark }],
  });
  ok(await sandbox.control.POST('/settle'));
  await advance(sandbox, 86_400);
  const reports = clientCalls.filter(({ operation }) => operation === 'updateRedeemStatus').map(({ body }) => body);
  expect(reports).toEqual([{ redeemCode, status: 'Rejected', orderStatus: 'Rejected', remark, projectCode: 'DEMO01' }]);
  const change = { points: 500, reference: redeemCode, label: 'Reversed' };
  expect(await ledgerOf(sandbox, uid)).toEqual({
    balance: 25_000,
    entries: [
      { kind: 'credit', points: 25_000, reference: 'opening', label: 'Earned' },
      { kind: 'deduct', ...change },
      { kind: 'reverse', ...change },
    ],
  });
  expect([(await itemOf(sandbox))?.stock, await walletOf(sandbox)]).toEqual([stock, []]);
  expect(ok(await sandbox.control.GET('/reconciliation')).items).toEqual([]);
  expect(await eventsOf(sandbox)).not.toHaveProperty('vendor.delivered');
});

it('OP-127: a repeated cancellation gets the same answer, and the client gets one report', async () => {
  const sandbox = await testSandbox();
  const clientCalls = await stubClient(sandbox, () => 'pass');
  const redeemCode = await redeem(sandbox);
  const first = ok(await cancel(sandbox, { redeemCode }));
  expect(ok(await cancel(sandbox, { redeemCode, reason: 'Again' }))).toEqual(first);
  await advance(sandbox, 86_400);
  expect(ok(await cancel(sandbox, { redeemCode }))).toEqual(first);
  const reports = clientCalls.filter(({ operation }) => operation === 'updateRedeemStatus');
  expect(reports.map(({ body }) => body.remark)).toEqual(['Cancelled by the company']);
  expect((await ledgerOf(sandbox, uid)).balance).toBe(25_000);
});

it('OP-127, OP-129: cancelling an order cancels its pending lines; the others stay, each with a reason', async () => {
  const sandbox = await testSandbox();
  await vendorWill(sandbox, kettle.sku, { outcome: 'deliver', delay_seconds: 60 });
  await vendorWill(sandbox, 'EGV-CHAI-100', { outcome: 'reject', delay_seconds: 0 });
  const line_items = [voucher, kettle, { sku: 'EGV-CHAI-100', quantity: 1 }];
  const placed = ok(await order(sandbox, { line_items, shipping_address: '12 Lake View Road' }));
  const [delivered = '', pending = '', rejected = ''] = placed.lines.map(({ redeemCode }) => redeemCode);
  await advance(sandbox, 2);
  const { order_id } = placed;
  expect(ok(await cancel(sandbox, { order_id }))).toEqual({
    order_id,
    cancelled: [pending],
    kept: [
      { redeemCode: delivered, reason: 'is already Delivered' },
      { redeemCode: rejected, reason: 'is already Rejected' },
    ],
  });
  await advance(sandbox, 86_400);
  const { status, lines } = await orderAt(sandbox, order_id);
  expect([status, lines.map((line) => [line.status, line.remark])]).toEqual([
    'Delivered',
    [
      ['Delivered', ''],
      ['Rejected', 'Cancelled by the company'],
      ['Rejected', 'Rejected by the vendor'],
    ],
  ]);
  expect((await ledgerOf(sandbox, uid)).balance).toBe(24_500);
});

it('OP-127: a line cancelled before its request to the vendor uses up no configured outcome', async () => {
  const sandbox = await testSandbox();
  await vendorWill(sandbox, voucher.sku, { outcome: 'reject', times: 1 });
  ok(await cancel(sandbox, { redeemCode: await redeem(sandbox) }));
  const next = await redeem(sandbox);
  await advance(sandbox, 60);
  const timeline = ok(
    await sandbox.control.GET('/redemptions/{redeemCode}', { params: { path: { redeemCode: next } } }),
  );
  expect(timeline.platform?.state).toBe('Rejected');
});

it('OP-128, E8: for an order of version 2.0 the platform sends the client a reversal with the points and the reason', async () => {
  const sandbox = await testSandbox();
  const clientCalls = await stubClient(sandbox, () => 'pass');
  const v2 = sandbox.v2Platform(await sandbox.companyToken());
  const body = { customer_id: uid, line_items: [kettle], shipping_address: '12 Lake View Road' };
  const { order_id, lines } = ok(await v2.POST('/api/v1/orders', { body }));
  const redeem_code = lines[0]?.redeemCode ?? '';
  ok(await cancel(sandbox, { order_id }));
  ok(await sandbox.control.POST('/settle'));
  const reverse = clientCalls.filter(({ operation }) => operation === 'api/v1/orders/reverse').map((call) => call.body);
  expect(reverse).toEqual([{ redeem_code, points: 1548, reason: 'Cancelled by the company' }]);
  const orderStatus = ok(await v2.GET('/api/v1/orders/status', { params: { query: { redeem_code } } }));
  expect(orderStatus.lines).toMatchObject([{ status: 'Rejected', remark: 'Cancelled by the company' }]);
  expect((await ledgerOf(sandbox, uid)).balance).toBe(25_000);
});

it.each([
  ['Delivered', 'deliver', 'is already Delivered'],
  ['Rejected by its vendor', 'reject', 'is already Rejected'],
] as const)('OP-129: a line that is %s cannot be cancelled, and nothing changes', async (_, outcome, problem) => {
  const sandbox = await testSandbox();
  await vendorWill(sandbox, voucher.sku, { outcome });
  const placed = ok(await order(sandbox));
  await advance(sandbox, 2);
  const refuses = await refusing(sandbox);
  const redeemCode = placed.lines[0]?.redeemCode ?? '';
  expect(refusal(await refuses(cancel(sandbox, { redeemCode })))).toEqual(invalid(`/redeemCode ${problem}`));
  const { order_id } = placed;
  expect(refusal(await refuses(cancel(sandbox, { order_id })))).toEqual(invalid(`/order_id ${problem}`));
});

it('OP-129: an order that is being placed, or that was not placed, cannot be cancelled', async () => {
  const sandbox = await testSandbox();
  const answers: unknown[] = [];
  let redeemCode = '';
  await stubClient(sandbox, async ({ operation, body }) => {
    if (operation !== 'saveRedeemDetails') return 'pass';
    redeemCode = String(body.redeemCode);
    answers.push(refusal(await cancel(sandbox, { redeemCode })));
    return { status: 403, body: {} };
  });
  expect((await order(sandbox)).response.status).toBe(422);
  expect(answers).toEqual([invalid('/redeemCode belongs to an order that is not placed yet')]);
  expect(refusal(await cancel(sandbox, { redeemCode }))).toEqual(invalid('/redeemCode is already Rejected'));
});

it('OP-127: a cancellation must name an existing redemption or order', async () => {
  const sandbox = await testSandbox();
  const [one, other] = [ok(await order(sandbox)), ok(await order(sandbox))];
  const redeemCode = one.lines[0]?.redeemCode ?? '';
  const refuses = await refusing(sandbox);
  for (const [body, what] of [
    [{ redeemCode: 'RDM-999999-NONE22' }, 'Redemption RDM-999999-NONE22'],
    [{ order_id: 'ORD-999999-NONE' }, 'Order ORD-999999-NONE'],
    [{ redeemCode, order_id: other.order_id }, `Order ${other.order_id} with redemption ${redeemCode}`],
  ] as const) {
    expect(refusal(await refuses(cancel(sandbox, body)))).toEqual(notFound(what));
  }
  expect(refusal(await refuses(cancel(sandbox, {})))).toEqual(invalid('/redeemCode or /order_id is required'));
  ok(await cancel(sandbox, { redeemCode, order_id: one.order_id }));
});

it('OP-129: a cancellation at the moment of the vendor request leaves each line either cancelled and reversed, or delivered', async () => {
  const sandbox = await testSandbox();
  const line_items = Array.from({ length: 20 }, () => voucher);
  const { order_id, lines } = ok(await order(sandbox, { line_items }));
  const codes = lines.map(({ redeemCode }) => redeemCode);
  const [, ...answers] = await Promise.all([
    advance(sandbox, 2),
    ...codes.map((redeemCode) => cancel(sandbox, { redeemCode })),
  ]);
  await advance(sandbox, 86_400);
  const cancelled = codes.filter((_, index) => answers[index]?.response.status === 200);
  const delivered = codes.filter((code) => !cancelled.includes(code));
  const ended = (await orderAt(sandbox, order_id)).lines.map(({ redeemCode, status }) => [redeemCode, status]);
  expect(ended).toEqual(codes.map((code) => [code, cancelled.includes(code) ? 'Rejected' : 'Delivered']));
  expect((await walletOf(sandbox)).map(({ redemptionCode }) => redemptionCode).sort()).toEqual(delivered.sort());
  expect((await ledgerOf(sandbox, uid)).balance).toBe(25_000 - 500 * delivered.length);
});

it('OP-127: a line with a silent vendor can be cancelled after any time', async () => {
  const sandbox = await testSandbox();
  await vendorWill(sandbox, voucher.sku, { outcome: 'never' });
  const redeemCode = await redeem(sandbox);
  await advance(sandbox, 40 * 86_400);
  ok(await cancel(sandbox, { redeemCode }));
  ok(await sandbox.control.POST('/settle'));
  expect((await ledgerOf(sandbox, uid)).balance).toBe(25_000);
});
