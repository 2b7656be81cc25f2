/** Tests that slow wallet reads delay no other customer, and that each wallet is read once (OP-92). */
import { expect, it } from 'vitest';
import { callsOf, failing, sentCalls } from '../harness/faults.ts';
import { order, pay, vendorWill } from '../harness/orders.ts';
import { ok, testSandbox } from '../harness/sandbox.ts';
import { eventsOf } from '../harness/state.ts';
import { handTimer } from '../harness/timer.ts';
import { createRichCustomer, voucherMessages } from './wallets.ts';

it('OP-92: while ten customers wait for slow wallets, orders, credits and reports do not', async () => {
  const { delay, delays, ring } = handTimer();
  const sandbox = await testSandbox({ clock: 'running', delay });
  await vendorWill(sandbox, 'EGV-SPICE-500', { outcome: 'deliver', delay_seconds: 0 });
  await failing(sandbox, { target: 'getWalletDetail', fault: 'latency', ms: 60_000 });
  const uids = Array.from({ length: 10 }, (_, number) => `CUST${9001 + number}`);
  for (const uid of uids) ok(await order(sandbox, { uid: await createRichCustomer(sandbox, uid) }));
  await expect.poll(() => delays.length).toBe(4);
  expect((await order(sandbox)).response.status).toBe(200);
  ok(await pay(sandbox));
  const events = { 'points.credited': 1, 'redemption.delivered': uids.length + 1 };
  await expect.poll(() => eventsOf(sandbox)).toMatchObject(events);
  expect([delays.length, await sentCalls(sandbox, 'getWalletDetail')]).toEqual([4, []]);
  await sandbox.control.DELETE('/faults');
  ring();
  for (const uid of [...uids, 'CUST0001']) {
    await expect.poll(() => voucherMessages(sandbox, uid)).toEqual({ messages: 1, vouchers: 1 });
  }
  expect(await callsOf(sandbox, 'getWalletDetail')).toHaveLength(uids.length + 1);
});
