/** The platform retries calls to a failing client, and the client records each call exactly once (OP-23, OP-24, OP-70). */
import { expect, it } from 'vitest';
import { failing } from '../harness/faults.ts';
import { advance, order } from '../harness/orders.ts';
import { ok, testSandbox } from '../harness/sandbox.ts';
import { eventsOf, ledgerOf } from '../harness/state.ts';

it('OP-23: saveRedeemDetails never replies: the order fails, and the deduction is refunded once', async () => {
  const sandbox = await testSandbox();
  await failing(sandbox, { target: 'saveRedeemDetails', fault: 'lost_reply', times: 3 });
  expect((await order(sandbox)).error).toMatchObject({ status: 502, code: 57 });
  await advance(sandbox, 0);
  const { balance, entries } = await ledgerOf(sandbox, 'CUST0001');
  expect(balance).toBe(25_000);
  expect(entries.map(({ kind }) => kind)).toEqual(['credit', 'deduct', 'reverse']);
});

it.each(['reset', 'lost_reply', 'malformed', 'duplicate'] as const)(
  'updateRedeemStatus meets %s: delivered once, and one message to the customer',
  async (fault) => {
    const sandbox = await testSandbox();
    await failing(sandbox, { target: 'updateRedeemStatus', fault, times: 1 });
    ok(await order(sandbox));
    // A voucher enters the wallet when the platform has received the client's 200. The client polls until then (OP-121).
    await advance(sandbox, 60);
    expect(await eventsOf(sandbox)).toMatchObject({ 'redemption.delivered': 1 });
    expect(ok(await sandbox.control.GET('/messages')).items).toHaveLength(1);
    expect((await ledgerOf(sandbox, 'CUST0001')).balance).toBe(24_500);
  },
);

it('closing a sandbox does not wait for slow calls', async () => {
  const sandbox = await testSandbox();
  await failing(sandbox, { target: 'getWalletDetail', fault: 'latency', ms: 60_000, times: 1 });
  const headers = { Authorization: `Bearer ${await sandbox.companyToken()}` };
  const wallet = fetch(`${sandbox.urls.rewards}/getwalletdetail?uid=CUST0001`, { headers });
  const isFaultUsed = async () => ok(await sandbox.control.GET('/faults')).items.length === 0;
  await expect.poll(isFaultUsed).toBe(true);
  await sandbox.close();
  expect((await wallet).status).toBe(200);
});
