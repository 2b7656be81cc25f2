/** Tests demo customers' history before the workspace started, as each side reports it (OP-162, OP-163). */
import { expect, it } from 'vitest';
import { flat, refusal } from '../harness/envelopes.ts';
import { advance, order, redeem } from '../harness/orders.ts';
import { ok, type TestSandbox, testSandbox } from '../harness/sandbox.ts';
import { ledgerOf, walletOf } from '../harness/state.ts';
import { enter, look, words } from '../harness/visitor.ts';

const customersWithHistory = ['CUST0026', 'CUST0027', 'CUST0028', 'CUST0029', 'CUST0030', 'CUST0031'];

/** Returns the platform's order for each redemption in a customer's ledger. */
async function ordersOf(sandbox: TestSandbox, uid: string) {
  const { entries } = await ledgerOf(sandbox, uid);
  const v2 = sandbox.v2Platform(await sandbox.companyToken());
  const codes = entries.filter(({ kind }) => kind === 'deduct').map(({ reference }) => reference);
  return Promise.all(
    codes.map(async (redeem_code) => ok(await v2.GET('/api/v1/orders/status', { params: { query: { redeem_code } } }))),
  );
}

it('S10, S11, S12, S13: OP-162: demo customers have earned, redeemed, reversed or pending points, or none', async () => {
  const sandbox = await testSandbox();
  const labels = async (uid: string) => [...new Set((await ledgerOf(sandbox, uid)).entries.map(({ label }) => label))];
  expect(await Promise.all(customersWithHistory.map(labels))).toEqual([
    ['Earned'],
    ['Earned', 'Redeemed'],
    ['Earned', 'Reversed'],
    ['Earned', 'Pending'],
    ['Earned', 'Redeemed', 'Reversed', 'Pending'],
    [],
  ]);
  const { items } = ok(await sandbox.control.GET('/customers'));
  const blank = items.filter(({ profile }) => profile.email === '').map(({ uid }) => uid);
  expect(blank).toEqual(['CUST0030', 'CUST0031']);
});

it('OP-162: ledger, orders, wallet, profile and reconciliation agree about the history', async () => {
  const sandbox = await testSandbox();
  for (const uid of customersWithHistory) {
    const orders = await ordersOf(sandbox, uid);
    const activeOrders = orders.filter(({ status }) => status !== 'Rejected');
    const points = ok(await sandbox.client().POST('/getProfileAndPoints', { params: { query: { uid } } })).points;
    const { balance } = await ledgerOf(sandbox, uid);
    const redeemed = activeOrders.reduce(
      (sum, { points: { totalPointWithProcessingFee } }) => sum + totalPointWithProcessingFee,
      0,
    );
    expect(points).toEqual({ totalEarned: balance + redeemed, balance, totalRedeemed: redeemed });
    const delivered = orders.flatMap(({ lines }) => lines).filter(({ status }) => status === 'Delivered');
    const expected = delivered.flatMap(({ redeemCode, quantity }) =>
      Array.from({ length: quantity }, () => redeemCode),
    );
    expect((await walletOf(sandbox, uid)).map(({ redemptionCode }) => redemptionCode)).toEqual(expected);
  }
  expect(ok(await sandbox.control.GET('/reconciliation'))).toEqual({ items: [], next: null });
});

it('R22: OP-161, OP-163: vouchers in the history have a PIN, a PIN and a GCID, or neither, and some have expired', async () => {
  const sandbox = await testSandbox();
  const vouchersOf = async (uid: string) =>
    (await walletOf(sandbox, uid)).map(({ productCode, pin, GCID, remark }) => [productCode, pin, GCID, remark]);
  const [pin, card] = [expect.stringMatching(/^\d{6}$/), expect.stringMatching(/^\d{16}$/)];
  expect(await vouchersOf('CUST0027')).toEqual([
    ['EGV-CHAI-250', pin, null, 'Expired'],
    ['EGV-CHAI-250', pin, null, 'Expired'],
    ['EGV-SPA-1000', pin, card, ''],
  ]);
  expect(await vouchersOf('CUST0030')).toEqual([
    ['EGV-SPA-1000', pin, card, ''],
    ['EGV-MUSIC-250', null, null, ''],
  ]);
});

it('R22: OP-163: new vouchers have the same fields as earlier ones of their item; the message has a PIN only if the voucher does', async () => {
  const sandbox = await testSandbox();
  for (const sku of ['EGV-SPA-1000', 'EGV-MUSIC-250', 'EGV-SPICE-500']) {
    await redeem(sandbox, { line_items: [{ sku, quantity: 1 }] });
  }
  await advance(sandbox, 2);
  const wallet = await walletOf(sandbox, 'CUST0001');
  const [pin, card] = [expect.stringMatching(/^\d{6}$/), expect.stringMatching(/^\d{16}$/)];
  expect(wallet.map(({ GCID, pin: each }) => [GCID, each])).toEqual([
    [card, pin],
    [null, null],
    [null, pin],
  ]);
  const { items } = ok(await sandbox.control.GET('/messages', { params: { query: { uid: 'CUST0001' } } }));
  const withPin = items.toReversed().map(({ text }) => text.includes(', PIN '));
  expect(withPin).toEqual([true, false, true]);
});

it('OP-10, OP-163: some items of the listing are inactive or out of stock, and cannot be ordered', async () => {
  const sandbox = await testSandbox();
  const { items } = ok(await sandbox.control.GET('/catalogue', { params: { query: { after: 140 } } }));
  const availability = Object.fromEntries(items.map(({ sku_code, status, stock }) => [sku_code, [status, stock]]));
  expect(availability).toMatchObject({
    'EGV-SPA-1000': [1, 60],
    'EGV-HOTEL-500': [2, 0],
    'EGV-METRO-200': [0, 60],
    'PHY-UMBRELLA-01': [0, 60],
    'PHY-UMBRELLA-02': [1, 3],
    'PHY-BLANKET-01': [2, 0],
  });
  for (const sku of ['EGV-HOTEL-500', 'EGV-METRO-200']) {
    const refused = await order(sandbox, { line_items: [{ sku, quantity: 1 }] });
    expect(refusal(refused)).toEqual(flat(422, 55, expect.any(String)));
  }
});

it('OP-162: the history is in no log: it adds no orders, messages, activity or deliveries, and no due work', async () => {
  const sandbox = await testSandbox();
  const { control } = sandbox;
  const none = { items: [], next: null };
  expect(ok(await control.GET('/orders'))).toEqual(none);
  expect(ok(await control.GET('/messages'))).toEqual(none);
  expect(ok(await control.GET('/deliveries'))).toEqual(none);
  const { items } = ok(await control.GET('/activity'));
  expect(items.filter(({ kind }) => kind === 'state')).toEqual([]);
  expect(await advance(sandbox, 30 * 86_400)).toBe(0);
});

it('OP-162: the portal shows a customer its history, and a pending redemption in it can still complete', async () => {
  const sandbox = await testSandbox();
  const uid = 'CUST0030';
  const history = words(await look(`${await enter(sandbox, uid)}history`));
  for (const label of ['Redeemed', 'Reversed', 'Pending', 'Earned']) expect(history).toContain(label);
  expect(history).toContain('Reason: Not sold in this region');
  const redeemCode =
    (await ordersOf(sandbox, uid)).find(({ status }) => status === 'Pending')?.lines[0]?.redeemCode ?? '';
  ok(await sandbox.control.POST('/triggers/vendor_outcome', { body: { redeemCode, outcome: 'deliver' } }));
  await advance(sandbox, 1);
  expect((await walletOf(sandbox, uid)).at(-1)).toMatchObject({
    redemptionCode: redeemCode,
    productCode: 'EGV-YOGA-250',
  });
  expect(ok(await sandbox.control.GET('/reconciliation'))).toEqual({ items: [], next: null });
});

it('OP-55, OP-162: the history depends only on the seed, and a reset restores it', async () => {
  const [one, other] = [await testSandbox({ seed: 'one' }), await testSandbox({ seed: 'other' })];
  const before = await walletOf(one, 'CUST0027');
  expect(await walletOf(await testSandbox({ seed: 'one' }), 'CUST0027')).toEqual(before);
  const codes = new Set(before.map(({ voucherCode }) => voucherCode));
  expect((await walletOf(other, 'CUST0027')).filter(({ voucherCode }) => codes.has(voucherCode))).toEqual([]);
  const reference = (await ledgerOf(one, 'CUST0029')).entries[1]?.reference ?? '';
  const status = 'Rejected';
  const report = { redeemCode: reference, status, orderStatus: status, remark: '', projectCode: 'DEMO01' } as const;
  ok(await one.client().POST('/updateRedeemStatus', { body: report }));
  expect((await ledgerOf(one, 'CUST0029')).entries).toHaveLength(3);
  ok(await one.control.POST('/reset'));
  expect(await walletOf(one, 'CUST0027')).toEqual(before);
  expect((await ledgerOf(one, 'CUST0029')).entries.map(({ label }) => label)).toEqual(['Earned', 'Pending']);
});
