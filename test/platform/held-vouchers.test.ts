/** Tests that a voucher becomes visible only after the client has accepted its delivery report (S4, S9; OP-22, OP-121). */
import { expect, it } from 'vitest';
import { redemption, report } from '../harness/client-requests.ts';
import { downForReports, stubClient } from '../harness/client-stub.ts';
import { advance, order, redeem, vendorWill } from '../harness/orders.ts';
import { ok, type TestSandbox, testSandbox } from '../harness/sandbox.ts';
import { itemOf, ledgerOf, walletOf } from '../harness/state.ts';

const day = 86_400;
const sku = 'EGV-SPICE-500';

async function wallet(sandbox: TestSandbox) {
  return (await walletOf(sandbox)).map(({ redemptionCode }) => redemptionCode);
}

async function messages({ control }: TestSandbox) {
  return ok(await control.GET('/messages')).items;
}

const stockOf = async (sandbox: TestSandbox) => (await itemOf(sandbox))?.stock;

it('OP-121: the wallet contains a voucher only after the client has accepted Delivered', async () => {
  const sandbox = await testSandbox();
  const walletsDuringReport: string[][] = [];
  await stubClient(sandbox, async ({ operation }) => {
    if (operation === 'updateRedeemStatus') walletsDuringReport.push(await wallet(sandbox));
    return 'pass' as const;
  });
  const code = await redeem(sandbox);
  await advance(sandbox, 2);
  expect(walletsDuringReport).toEqual([[]]);
  expect(await wallet(sandbox)).toEqual([code]);
});

it('OP-121: a client that is down for the report and reverses meanwhile never gets the voucher, and the stock is restored', async () => {
  const sandbox = await testSandbox();
  const before = await stockOf(sandbox);
  const settings = { on_timeout: 'reverse', pending_timeout: 60 } as const;
  ok(await sandbox.control.PATCH('/workspace', { body: { settings } }));
  const { state } = await downForReports(sandbox);
  const code = await redeem(sandbox);
  await advance(sandbox, 2);
  expect([await wallet(sandbox), await stockOf(sandbox)]).toEqual([[], (before ?? 0) - 1]);
  await advance(sandbox, 60);
  expect((await ledgerOf(sandbox, 'CUST0001')).balance).toBe(25_000);
  expect(await wallet(sandbox)).toEqual([]);
  state.down = false;
  await advance(sandbox, 300);
  const kinds = (await messages(sandbox)).map(({ kind }) => kind);
  expect([await wallet(sandbox), await stockOf(sandbox), kinds]).toEqual([[], before, ['reversed']]);
  const { items } = ok(await sandbox.control.GET('/orders'));
  const remark = 'Reversed by the client before the delivery was reported';
  expect(items[0]?.order.lines[0]).toMatchObject({ redeemCode: code, status: 'Rejected', remark });
});

it('OP-121: the platform keeps reporting to a silent client, and the voucher is visible and sent once the client has answered', async () => {
  const sandbox = await testSandbox();
  const { state } = await downForReports(sandbox);
  const code = await redeem(sandbox);
  await advance(sandbox, day);
  expect(await wallet(sandbox)).toEqual([]);
  state.down = false;
  await advance(sandbox, day);
  expect([await wallet(sandbox), (await messages(sandbox)).length]).toEqual([[code], 1]);
});

it('OP-121: a parked report withholds the voucher until it is replayed', async () => {
  const sandbox = await testSandbox();
  const { state } = await downForReports(sandbox);
  const code = await redeem(sandbox);
  await advance(sandbox, 30 * day);
  state.down = false;
  expect(await wallet(sandbox)).toEqual([]);
  ok(await sandbox.control.POST('/deliveries/replay'));
  await advance(sandbox, 0);
  expect(await wallet(sandbox)).toEqual([code]);
});

it('OP-121: if the reply to Delivered was lost, the client polls for the voucher until the platform has the answer', async () => {
  const sandbox = await testSandbox();
  await stubClient(sandbox, ({ operation, times }) =>
    operation === 'updateRedeemStatus' && times < 3 ? 'lose' : 'pass',
  );
  const code = await redeem(sandbox);
  await advance(sandbox, 2);
  expect([await wallet(sandbox), await messages(sandbox)]).toEqual([[], []]);
  await advance(sandbox, 700);
  expect(await wallet(sandbox)).toEqual([code]);
  expect((await messages(sandbox)).map(({ kind }) => kind)).toEqual(['voucher']);
});

it('OP-121: the client polls for vouchers of products that are not shipped, until the end of the schedule', async () => {
  const sandbox = await testSandbox();
  const shipped = { ...redemption, redeemCode: 'RDM-900002-TEST02', shippingAddress: '12 Lake View Road' };
  for (const body of [redemption, shipped]) ok(await sandbox.client().POST('/saveRedeemDetails', { body }));
  for (const { redeemCode } of [redemption, shipped])
    ok(await sandbox.client().POST('/updateRedeemStatus', { body: report('Delivered', redeemCode) }));
  await advance(sandbox, 30 * day);
  const { items } = ok(await sandbox.control.GET('/activity', { params: { query: { limit: 1000 } } }));
  const codeLists = items.flatMap((item) =>
    item.kind === 'state' && item.event === 'vouchers.given_up' ? [item.redeem_codes] : [],
  );
  expect(codeLists).toEqual([[redemption.redeemCode]]);
});

it('OP-121: a delivery of version 2.0, which the client reads, is in the wallet immediately', async () => {
  const sandbox = await testSandbox();
  await vendorWill(sandbox, sku, { outcome: 'deliver', delay_seconds: 7 });
  const v2 = sandbox.v2Platform(await sandbox.companyToken());
  const body = { customer_id: 'CUST0001', line_items: [{ sku, quantity: 1 }] };
  const placed = ok(await v2.POST('/api/v1/orders', { body }));
  await advance(sandbox, 7);
  expect(await wallet(sandbox)).toEqual(placed.lines.map(({ redeemCode }) => redeemCode));
  ok(await order(sandbox));
});
