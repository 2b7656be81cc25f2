/** The platform retries calls to a failing client, and the client records each call exactly once (OP-23, OP-24, OP-70). */
import { expect, it } from 'vitest';
import { callsOf, failing } from '../harness/faults.ts';
import { advance, order, pay } from '../harness/orders.ts';
import { ok, type TestSandbox, testSandbox } from '../harness/sandbox.ts';
import { eventsOf, ledgerOf } from '../harness/state.ts';

const opening = { kind: 'credit', points: 25_000, reference: 'opening', label: 'Earned' };
async function statusesOf(sandbox: TestSandbox, operation: string) {
  return (await callsOf(sandbox, operation)).map(({ status }) => status);
}

it.each([
  ['reset', {}, [null, null, 200]],
  ['lost_reply', {}, [null, null, 200]],
  ['malformed', {}, [200, 200, 200]],
  ['status', { status: 503 }, [503, 503, 200]],
  ['status', { status: 429 }, [429, 429, 200]],
] as const)(
  'saveRedeemDetails meets %s %j twice: three tries, one deduction, and the order succeeds',
  async (fault, more, statuses) => {
    const sandbox = await testSandbox();
    await failing(sandbox, { target: 'saveRedeemDetails', fault, ...more, times: 2 });
    const { lines } = ok(await order(sandbox));
    expect(await statusesOf(sandbox, 'saveRedeemDetails')).toEqual(statuses);
    const deducted = { kind: 'deduct', points: 500, reference: lines[0]?.redeemCode };
    expect(await ledgerOf(sandbox, 'CUST0001')).toEqual({
      balance: 24_500,
      entries: [opening, { ...deducted, label: 'Pending' }],
    });
    await advance(sandbox, 2);
    expect((await ledgerOf(sandbox, 'CUST0001')).entries).toEqual([opening, { ...deducted, label: 'Redeemed' }]);
  },
);

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
  'creditPoints meets %s: credited once in the end',
  async (fault) => {
    const sandbox = await testSandbox();
    await failing(sandbox, { target: 'creditPoints', fault, times: 1 });
    ok(await pay(sandbox));
    await advance(sandbox, 5);
    expect(await ledgerOf(sandbox, 'CUST0001')).toEqual({
      balance: 25_010,
      entries: [opening, { kind: 'credit', points: 10, reference: 'TXN-1', label: 'Earned' }],
    });
    // Any 2xx is a success, regardless of its body (OP-102).
    const isOnce = fault === 'duplicate' || fault === 'malformed';
    expect(await statusesOf(sandbox, 'creditPoints')).toHaveLength(isOnce ? 1 : 2);
  },
);

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
