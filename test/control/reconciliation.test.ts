/** Tests the reconciliation of both ledgers over the control API (OP-23). */
import { expect, it } from 'vitest';
import { redemption } from '../harness/client-requests.ts';
import { downForReports, stubClient } from '../harness/client-stub.ts';
import { failing } from '../harness/faults.ts';
import { advance, order, vendorWill } from '../harness/orders.ts';
import { day, differences, entriesOf } from '../harness/outstanding.ts';
import { ok, testSandbox } from '../harness/sandbox.ts';
import { handTimer } from '../harness/timer.ts';

const sku = 'EGV-SPICE-500';

it('is empty without differences: with no order, and with pending, delivered and rejected orders', async () => {
  const sandbox = await testSandbox();
  expect(await differences(sandbox)).toEqual([]);
  ok(await order(sandbox));
  expect(await differences(sandbox)).toEqual([]);
  await advance(sandbox, 2);
  await vendorWill(sandbox, sku, { outcome: 'reject' });
  ok(await order(sandbox));
  await advance(sandbox, 2);
  expect(await entriesOf(sandbox)).toEqual({ balance: 24_500, kinds: ['credit', 'deduct', 'deduct', 'reverse'] });
  expect(await differences(sandbox)).toEqual([]);
});

it('a rejection that did not reach the client is a missing reversal until the next try', async () => {
  const sandbox = await testSandbox();
  const { state } = await downForReports(sandbox);
  await vendorWill(sandbox, sku, { outcome: 'reject' });
  const redeem_code = ok(await order(sandbox)).lines[0]?.redeemCode;
  await advance(sandbox, 2);
  expect(await differences(sandbox)).toEqual([
    {
      redeem_code,
      uid: 'CUST0001',
      kind: 'missing_reversal',
      platform: { state: 'Rejected', points: 0 },
      client: { state: 'Pending', points: 500 },
      difference: 500,
      outstanding: 'due',
    },
  ]);
  state.down = false;
  await advance(sandbox, 5);
  expect(await differences(sandbox)).toEqual([]);
  expect(await entriesOf(sandbox)).toEqual({ balance: 25_000, kinds: ['credit', 'deduct', 'reverse'] });
});

it('an order that failed with every reply to its deduction lost is a missing reversal until the report', async () => {
  const sandbox = await testSandbox();
  await stubClient(sandbox, ({ operation }) => (operation === 'saveRedeemDetails' ? 'lose' : 'pass'));
  expect((await order(sandbox)).response.status).toBe(502);
  expect(await differences(sandbox)).toMatchObject([{ kind: 'missing_reversal', difference: 500, outstanding: 'due' }]);
  await advance(sandbox, 0);
  expect(await differences(sandbox)).toEqual([]);
  expect(await entriesOf(sandbox)).toEqual({ balance: 25_000, kinds: ['credit', 'deduct', 'reverse'] });
});

it('during an order call, the deduction of the client belongs to no order yet', async () => {
  const { delay, waits, ring } = handTimer();
  const sandbox = await testSandbox({ delay });
  await failing(sandbox, { target: 'saveRedeemDetails', fault: 'lost_reply', times: 1 });
  await failing(sandbox, { target: 'saveRedeemDetails', fault: 'latency', ms: 1_000, times: 1 });
  const ordering = order(sandbox);
  await waits();
  expect(await differences(sandbox)).toMatchObject([
    { kind: 'orphan_deduction', platform: { state: 'Placing', points: 0 }, difference: 500, outstanding: 'due' },
  ]);
  ring();
  ok(await ordering);
  expect(await differences(sandbox)).toEqual([]);
});

it('a deduction for a code unknown to the platform is an orphan without a due delivery', async () => {
  const sandbox = await testSandbox();
  ok(await sandbox.client().POST('/saveRedeemDetails', { body: redemption }));
  expect(await differences(sandbox)).toEqual([
    {
      redeem_code: redemption.redeemCode,
      uid: redemption.uid,
      kind: 'orphan_deduction',
      platform: null,
      client: { state: 'Pending', points: Number(redemption.totalPointWithProcessingFee) },
      difference: Number(redemption.totalPointWithProcessingFee),
      outstanding: 'none',
    },
  ]);
});

it('a client that confirms but deducts nothing leaves an order without a deduction', async () => {
  const sandbox = await testSandbox();
  const yes = { status: 200, body: { success: true, status: 200 } };
  await stubClient(sandbox, ({ operation }) => (operation === 'saveRedeemDetails' ? yes : 'pass'));
  const redeem_code = ok(await order(sandbox)).lines[0]?.redeemCode;
  const difference = {
    redeem_code,
    uid: 'CUST0001',
    kind: 'missing_deduction',
    platform: { state: 'Pending', points: 500 },
    client: null,
    difference: -500,
    outstanding: 'due',
  };
  expect(await differences(sandbox)).toEqual([difference]);
  // The client does not know the code, and refuses the report until the platform parks it.
  await advance(sandbox, 2 * day);
  expect(await differences(sandbox)).toEqual([
    { ...difference, platform: { state: 'Delivered', points: 500 }, outstanding: 'parked' },
  ]);
});

it('OP-22: points that the client refunds by timeout are a missing deduction until the late delivery is refused', async () => {
  const sandbox = await testSandbox();
  ok(await sandbox.control.PATCH('/workspace', { body: { settings: { on_timeout: 'reverse', pending_timeout: 60 } } }));
  await vendorWill(sandbox, sku, { outcome: 'deliver', delay_seconds: 120 });
  ok(await order(sandbox));
  await advance(sandbox, 60);
  expect(await differences(sandbox)).toMatchObject([
    {
      kind: 'missing_deduction',
      platform: { state: 'Pending', points: 500 },
      client: { state: 'Rejected', points: 0 },
      difference: -500,
      outstanding: 'due',
    },
  ]);
  await advance(sandbox, 60);
  expect(await differences(sandbox)).toEqual([]);
});
