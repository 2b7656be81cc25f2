/** Tests reading the wallet (A14 to A16; OP-27, OP-45, OP-47). */
import { expect, it } from 'vitest';
import { stubClient } from '../harness/client-stub.ts';
import { flat, plain, refusal } from '../harness/envelopes.ts';
import { advance, kettle, order, vendorWill, voucher } from '../harness/orders.ts';
import { ok, raw, signIn, testSandbox } from '../harness/sandbox.ts';
import { walletOf } from '../harness/state.ts';
import { voucherRecord } from '../harness/wallet.ts';

it('A16, R22, R23, R24, S4: OP-27: the wallet has one record for each voucher of a delivered line, with all fields of the interface', async () => {
  const sandbox = await testSandbox();
  const placed = ok(await order(sandbox, { line_items: [{ ...voucher, quantity: 2 }] }));
  expect(await walletOf(sandbox)).toEqual([]);
  await advance(sandbox, 2);
  const record = voucherRecord(placed.lines[0]?.redeemCode);
  const query = { params: { query: { uid: 'CUST0001' } } };
  const reply = ok(await sandbox.rewards(await sandbox.companyToken()).GET('/getwalletdetail', query));
  expect(reply).toEqual({ success: true, status: 200, data: [record, record] });
  const { data } = reply;
  expect(new Set(data.map((entry) => entry.voucherCode)).size).toBe(2);
});

it('OP-27: records are listed oldest first, in the order of delivery', async () => {
  const sandbox = await testSandbox();
  await vendorWill(sandbox, 'EGV-CHAI-250', { outcome: 'deliver', delay_seconds: 60 });
  ok(await order(sandbox, { line_items: [{ sku: 'EGV-CHAI-250', quantity: 1 }] }));
  ok(await order(sandbox));
  await advance(sandbox, 60);
  ok(await order(sandbox, { line_items: [{ sku: 'EGV-YOGA-100', quantity: 1 }] }));
  await advance(sandbox, 2);
  const data = await walletOf(sandbox);
  expect(data.map(({ productCode, partnerCode }) => [productCode, partnerCode])).toEqual([
    ['EGV-SPICE-500', 'VENDOR-EGIFT'],
    ['EGV-CHAI-250', 'VENDOR-EGIFT'],
    ['EGV-YOGA-100', 'VENDOR-SERVICES'],
  ]);
});

it('OP-27: shipped products and rejected lines have no vouchers', async () => {
  const sandbox = await testSandbox();
  await vendorWill(sandbox, 'EGV-SPICE-500', { outcome: 'reject' });
  ok(await order(sandbox, { line_items: [voucher, kettle], shipping_address: '12 Lake View Road' }));
  await advance(sandbox, 2);
  expect(await walletOf(sandbox)).toEqual([]);
});

it('A15: OP-27: an unknown uid has an empty wallet; a missing uid leads to code 53', async () => {
  const sandbox = await testSandbox();
  expect(await walletOf(sandbox, 'CUST9999')).toEqual([]);
  const headers = { authorization: `Bearer ${await sandbox.companyToken()}` };
  const missing = await raw(`${sandbox.urls.rewards}/getwalletdetail`, { headers });
  expect(plain(missing)).toEqual(flat(400, 53, 'Invalid request: query parameter uid is required'));
});

it("OP-45: a customer's token opens its own wallet only", async () => {
  const sandbox = await testSandbox();
  const { customerToken } = await signIn(sandbox, 'CUST0001');
  ok(await order(sandbox));
  await advance(sandbox, 2);
  const ask = (uid: string) => sandbox.rewards(customerToken).GET('/getwalletdetail', { params: { query: { uid } } });
  expect(ok(await ask('CUST0001')).data).toEqual(await walletOf(sandbox));
  const message = "Invalid request: query parameter uid must be the session's own customer";
  expect(refusal(await ask('CUST0005'))).toEqual(flat(400, 53, message));
});

it('R22: OP-161: an expired voucher stays in the wallet, and its remark says so', async () => {
  const sandbox = await testSandbox();
  ok(await order(sandbox));
  await advance(sandbox, 2);
  const year = 365 * 86_400;
  const [record] = await walletOf(sandbox);
  await advance(sandbox, year - 1);
  expect(await walletOf(sandbox)).toEqual([{ ...record, remark: '' }]);
  await advance(sandbox, 1);
  expect(await walletOf(sandbox)).toEqual([{ ...record, remark: 'Expired' }]);
});

it('G5: the platform sends no message: with a partner’s client a voucher appears only in the wallet', async () => {
  const sandbox = await testSandbox();
  const query = { params: { query: { uid: 'CUST0001' } } };
  const profileAndPoints = ok(await sandbox.client().POST('/getProfileAndPoints', query));
  const done = { success: true, status: 200 };
  const clientCalls = await stubClient(sandbox, ({ operation }) => ({
    status: 200,
    body: operation === 'getProfileAndPoints' ? profileAndPoints : done,
  }));
  ok(await order(sandbox));
  await advance(sandbox, 30 * 86_400);
  const calls = clientCalls.map(({ operation, body }) => `${operation} ${body.status ?? ''}`);
  expect(calls).toEqual(['getProfileAndPoints ', 'saveRedeemDetails ', 'updateRedeemStatus Delivered']);
  expect(await walletOf(sandbox)).toHaveLength(1);
  expect(ok(await sandbox.control.GET('/messages'))).toEqual({ items: [], next: null });
});
