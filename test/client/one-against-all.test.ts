/** Tests that one customer's large wallet or slow operation does not affect other customers (OP-92). */
import { expect, it } from 'vitest';
import { failing } from '../harness/faults.ts';
import { advance, order } from '../harness/orders.ts';
import { ok, type TestSandbox, testSandbox } from '../harness/sandbox.ts';
import { eventsOf } from '../harness/state.ts';
import { createRichCustomer, expectOthersServed, fillWallet, maxPerOrder, voucherMessages } from './wallets.ts';

/** Returns the number of wallet reads that the reference client has completed. */
async function readsOf({ control }: TestSandbox): Promise<number> {
  const { items } = ok(await control.GET('/activity', { params: { query: { limit: 10_000 } } }));
  return items.filter((item) => item.kind === 'call_out' && item.operation === 'getWalletDetail').length;
}

it('OP-92: a wallet of 400 vouchers is read once for all its redemptions, each voucher is sent once, and others do not wait', async () => {
  const sandbox = await testSandbox();
  const uid = await createRichCustomer(sandbox, 'CUST9001');
  await fillWallet(sandbox, uid, 2);
  expect(await voucherMessages(sandbox, uid)).toEqual({ messages: 2 * maxPerOrder, vouchers: 2 * maxPerOrder });
  expect(await readsOf(sandbox)).toBe(1);
  await expectOthersServed(sandbox);
  ok(await order(sandbox, { uid }));
  await advance(sandbox, 2);
  expect((await voucherMessages(sandbox, uid)).vouchers).toBe(2 * maxPerOrder + 1);
  expect(ok(await sandbox.control.GET('/reconciliation')).items).toEqual([]);
});

it('OP-92: a failed read counts as a try of every waiting redemption, and the next read serves them all', async () => {
  const sandbox = await testSandbox();
  const uid = await createRichCustomer(sandbox, 'CUST9001');
  await failing(sandbox, { target: 'getWalletDetail', fault: 'reset', times: 1 });
  await fillWallet(sandbox, uid, 1);
  expect(await eventsOf(sandbox)).toMatchObject({ 'vouchers.postponed': 20 });
  expect(await voucherMessages(sandbox, uid)).toEqual({ messages: 0, vouchers: 0 });
  await advance(sandbox, 5);
  expect(await voucherMessages(sandbox, uid)).toEqual({ messages: maxPerOrder, vouchers: maxPerOrder });
  expect(await readsOf(sandbox)).toBe(2);
});

it.each(['reset', 'lost_reply', 'malformed'] as const)(
  'OP-92: wallets of six customers meet %s; orders, credits and vouchers of others do not wait',
  async (fault) => {
    const sandbox = await testSandbox();
    const uids = ['CUST9001', 'CUST9002', 'CUST9003', 'CUST9004', 'CUST9005', 'CUST9006'];
    for (const uid of uids) ok(await order(sandbox, { uid: await createRichCustomer(sandbox, uid) }));
    await failing(sandbox, { target: 'getWalletDetail', fault, times: uids.length });
    await advance(sandbox, 2);
    expect(await eventsOf(sandbox)).toMatchObject({ 'vouchers.postponed': uids.length });
    await expectOthersServed(sandbox);
    await advance(sandbox, 5);
    for (const uid of uids) expect(await voucherMessages(sandbox, uid)).toEqual({ messages: 1, vouchers: 1 });
  },
);
