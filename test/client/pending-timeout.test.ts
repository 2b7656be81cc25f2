/** Tests redemptions that stay pending for too long (S9; OP-22). */
import { expect, it } from 'vitest';
import { redemption, report } from '../harness/client-requests.ts';
import { stubClient } from '../harness/client-stub.ts';
import { refusal, wrapped } from '../harness/envelopes.ts';
import { advance, order, vendorWill } from '../harness/orders.ts';
import { ok, type TestSandbox, testSandbox } from '../harness/sandbox.ts';
import { eventsOf, ledgerOf, opening, walletOf } from '../harness/state.ts';

const day = 86_400;
const sku = 'EGV-SPICE-500';

async function set({ control }: TestSandbox, settings: { on_timeout?: 'wait' | 'reverse'; pending_timeout?: number }) {
  ok(await control.PATCH('/workspace', { body: { settings } }));
}

it('S9: OP-22: wait, the default: the points stay deducted and the redemption stays pending', async () => {
  const sandbox = await testSandbox();
  ok(await sandbox.client().POST('/saveRedeemDetails', { body: redemption }));
  expect(await advance(sandbox, 30 * day)).toBe(1);
  expect((await ledgerOf(sandbox, 'CUST0001')).entries[1]).toMatchObject({ kind: 'deduct', label: 'Pending' });
  expect(ok(await sandbox.client().POST('/updateRedeemStatus', { body: report('Delivered') }))).toEqual({
    success: true,
    status: 200,
  });
});

it('S9: OP-22: reverse: after 24 hours of sandbox time the points are refunded once, and a late Delivered is refused', async () => {
  const sandbox = await testSandbox();
  await set(sandbox, { on_timeout: 'reverse' });
  ok(await sandbox.client().POST('/saveRedeemDetails', { body: redemption }));
  expect(await advance(sandbox, day - 1)).toBe(0);
  expect(await advance(sandbox, 1)).toBe(1);
  const reference = redemption.redeemCode;
  const reversedLedger = {
    balance: 25_000,
    entries: [
      opening,
      { kind: 'deduct', points: 500, reference, label: 'Reversed' },
      { kind: 'reverse', points: 500, reference, label: 'Reversed' },
    ],
  };
  expect(await ledgerOf(sandbox, 'CUST0001')).toEqual(reversedLedger);

  const late = await sandbox.client().POST('/updateRedeemStatus', { body: report('Delivered') });
  expect(refusal(late)).toEqual(wrapped(422, 'Order already Rejected.'));
  ok(await sandbox.client().POST('/updateRedeemStatus', { body: report('Rejected') }));
  await advance(sandbox, 30 * day);
  expect(await ledgerOf(sandbox, 'CUST0001')).toEqual(reversedLedger);
});

it.each(['Delivered', 'Rejected'] as const)(
  'reverse: a redemption that is %s in time does not change',
  async (status) => {
    const sandbox = await testSandbox();
    await set(sandbox, { on_timeout: 'reverse' });
    ok(await sandbox.client().POST('/saveRedeemDetails', { body: redemption }));
    await advance(sandbox, day - 1);
    ok(await sandbox.client().POST('/updateRedeemStatus', { body: report(status) }));
    const before = await ledgerOf(sandbox, 'CUST0001');
    await advance(sandbox, 1);
    expect(await ledgerOf(sandbox, 'CUST0001')).toEqual(before);
  },
);

it('OP-22: the threshold is a setting: a deduction is checked when the threshold of its time has passed', async () => {
  const sandbox = await testSandbox();
  await set(sandbox, { on_timeout: 'reverse', pending_timeout: 60 });
  ok(await sandbox.client().POST('/saveRedeemDetails', { body: redemption }));
  await advance(sandbox, 59);
  expect((await ledgerOf(sandbox, 'CUST0001')).balance).toBe(24_500);
  await advance(sandbox, 1);
  expect((await ledgerOf(sandbox, 'CUST0001')).balance).toBe(25_000);
});

it('OP-22: a delivery after the reversal: the client refuses it, and the platform voids the vouchers and closes the line as Rejected', async () => {
  const sandbox = await testSandbox();
  await set(sandbox, { on_timeout: 'reverse', pending_timeout: 60 });
  await vendorWill(sandbox, sku, { outcome: 'deliver', delay_seconds: 3600 });
  const clientCalls = await stubClient(sandbox, () => 'pass');
  const [line] = ok(await order(sandbox)).lines;
  await advance(sandbox, 3600);
  const reports = clientCalls.filter(({ operation }) => operation === 'updateRedeemStatus');
  expect(reports.map(({ body }) => [body.redeemCode, body.status])).toEqual([[line?.redeemCode, 'Delivered']]);
  expect(await walletOf(sandbox)).toEqual([]);
  expect(await ledgerOf(sandbox, 'CUST0001')).toMatchObject({ balance: 25_000 });
  expect(await eventsOf(sandbox)).toMatchObject({ 'line.delivered': 1, 'line.rejected': 1 });
  expect(ok(await sandbox.control.GET('/messages')).items.map(({ kind }) => kind)).toEqual(['reversed']);
  expect(await advance(sandbox, 2 * day)).toBe(0);
});
