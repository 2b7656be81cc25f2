/** Tests that codes never repeat if a partner's server stores them. With the reference client, the seed repeats the codes (OP-245). */
import { expect, it } from 'vitest';
import { advance, order, voucher } from '../harness/orders.ts';
import { PartnerServer } from '../harness/partner-server.ts';
import { ok, type TestSandbox, testSandbox } from '../harness/sandbox.ts';
import { walletOf } from '../harness/state.ts';
import { receiver } from '../harness/webhook-receiver.ts';

const uid = 'CUST0001';

/** Returns the ids and codes of a delivered order, a payment, a voucher, a webhook and its messages. */
async function codesOfRun(sandbox: TestSandbox): Promise<readonly string[]> {
  const { control } = sandbox;
  const { received, webhook_id } = await receiver(sandbox);
  const placed = ok(await order(sandbox, { uid, line_items: [voucher] }));
  const { transactionId } = ok(await control.POST('/triggers/payment', { body: { uid } }));
  ok(await control.POST('/triggers/catalogue_change', { body: { sku_code: voucher.sku } }));
  await advance(sandbox, 60);
  const data = await walletOf(sandbox, uid);
  const redeemCode = placed.lines[0]?.redeemCode ?? '';
  const vouchers = data.filter(({ redemptionCode }) => redemptionCode === redeemCode);
  const messages = received.map(({ headers }) => String(headers['webhook-id']));
  expect([vouchers.length, messages.length]).toEqual([1, 2]);
  const voucherCodes = vouchers.map(({ voucherCode }) => voucherCode);
  return [placed.order_id, redeemCode, transactionId, webhook_id, ...voucherCodes, ...messages];
}

it('OP-245: a server that keeps its books passes the same run after a reset, a restored snapshot and in a new data folder', async () => {
  const server = new PartnerServer();
  const first = await testSandbox();
  await server.standIn(first);
  const { id } = ok(await first.control.POST('/snapshots', { body: { name: 'before' } }));
  const codes = [...(await codesOfRun(first))];
  ok(await first.control.POST('/snapshots/{id}/restore', { params: { path: { id } } }));
  codes.push(...(await codesOfRun(first)));
  ok(await first.control.POST('/reset'));
  await server.standIn(first);
  codes.push(...(await codesOfRun(first)));
  expect(ok(await first.control.GET('/reconciliation')).items).toEqual([]);

  const other = await testSandbox();
  await server.standIn(other);
  codes.push(...(await codesOfRun(other)));
  expect(ok(await other.control.GET('/reconciliation')).items).toEqual([]);
  expect(new Set(codes).size).toBe(4 * 7);
});

it('OP-245: with the reference client, the same calls give the same codes after a reset and in a new data folder', async () => {
  const sandbox = await testSandbox();
  const codes = await codesOfRun(sandbox);
  ok(await sandbox.control.POST('/reset'));
  expect(await codesOfRun(sandbox)).toEqual(codes);
  expect(await codesOfRun(await testSandbox())).toEqual(codes);
});
