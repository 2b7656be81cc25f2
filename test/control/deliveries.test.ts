/** Tests listing and replaying deliveries that are due or parked (OP-24). */
import { expect, it } from 'vitest';
import { downForReports } from '../harness/client-stub.ts';
import { flat, notFound, refusal } from '../harness/envelopes.ts';
import { advance, order, vendorWill } from '../harness/orders.ts';
import { day, deliveries, differences, entriesOf } from '../harness/outstanding.ts';
import { ok, testSandbox } from '../harness/sandbox.ts';
import { eventsOf } from '../harness/state.ts';

const sku = 'EGV-SPICE-500';

it('OP-24: a delivery is listed with its tries until it is parked, and a replay takes effect exactly once', async () => {
  const sandbox = await testSandbox();
  const { state, calls: clientCalls } = await downForReports(sandbox);
  await vendorWill(sandbox, sku, { outcome: 'reject' });
  const redeem_code = ok(await order(sandbox)).lines[0]?.redeemCode;
  await advance(sandbox, 2);
  const delivery = {
    id: expect.stringMatching(/^W\d{12}$/),
    kind: 'reportStatus',
    status: 'due',
    tries: 1,
    next_at: '2026-01-12T04:30:07.000Z',
    reason: expect.stringMatching(/./),
    redeem_code,
    transaction_id: null,
    webhook_id: null,
  };
  expect(await deliveries(sandbox)).toEqual([delivery]);
  await advance(sandbox, 2 * day);
  const parked = { ...delivery, status: 'parked', tries: 8, next_at: null };
  expect(await deliveries(sandbox)).toEqual([parked]);
  expect(await differences(sandbox)).toMatchObject([{ kind: 'missing_reversal', outstanding: 'parked' }]);

  state.down = false;
  const now = ok(await sandbox.control.GET('/clock')).now;
  expect(ok(await sandbox.control.POST('/deliveries/replay'))).toEqual({
    items: [{ ...delivery, tries: 0, next_at: now, reason: null }],
    next: null,
  });
  expect(await differences(sandbox)).toMatchObject([{ kind: 'missing_reversal', outstanding: 'due' }]);
  expect(ok(await sandbox.control.POST('/settle')).ran).toBe(1);
  expect(await deliveries(sandbox)).toEqual([]);
  expect(await differences(sandbox)).toEqual([]);
  expect(clientCalls.filter(({ operation }) => operation === 'updateRedeemStatus')).toHaveLength(9);
  expect(await entriesOf(sandbox)).toEqual({ balance: 25_000, kinds: ['credit', 'deduct', 'reverse'] });

  // A second replay has no effect.
  expect(ok(await sandbox.control.POST('/deliveries/replay'))).toEqual({ items: [], next: null });
  expect(await advance(sandbox, 30 * day)).toBe(0);
});

it('OP-24: a replayed delivery that fails restarts the schedule', async () => {
  const sandbox = await testSandbox();
  await downForReports(sandbox);
  ok(await order(sandbox));
  await advance(sandbox, 2 * day);
  const [parked] = await deliveries(sandbox);
  const path = { id: parked?.id ?? '' };
  ok(await sandbox.control.POST('/deliveries/{id}/replay', { params: { path } }));
  // Count attempts at the platform. A call that an open circuit blocks is an attempt, but never reaches the client (OP-61).
  const tries = async () => {
    const { items } = ok(await sandbox.control.GET('/activity', { params: { query: { limit: 10_000 } } }));
    return items.filter((entry) => entry.kind === 'call_out' && entry.operation === 'updateRedeemStatus').length;
  };
  const before = await tries();
  const counts: number[] = [];
  for (const seconds of [0, 4, 1, 299, 1, 30 * day]) {
    await advance(sandbox, seconds);
    counts.push((await tries()) - before);
  }
  expect(counts).toEqual([1, 1, 2, 2, 3, 8]);
  expect(await deliveries(sandbox)).toEqual([parked]);
  expect(await eventsOf(sandbox)).toMatchObject({ 'delivery.parked': 2, 'delivery.replayed': 1 });
});

it('OP-24: a replay brings forward a delivery that is still due', async () => {
  const sandbox = await testSandbox();
  const { state } = await downForReports(sandbox);
  ok(await order(sandbox));
  await advance(sandbox, 2);
  state.down = false;
  expect(await advance(sandbox, 0)).toBe(0);
  const [due] = await deliveries(sandbox);
  ok(await sandbox.control.POST('/deliveries/{id}/replay', { params: { path: { id: due?.id ?? '' } } }));
  await advance(sandbox, 0);
  expect(await deliveries(sandbox)).toEqual([]);
});

it('a job that is not a delivery is not found', async () => {
  const sandbox = await testSandbox();
  const id = 'W000000000002';
  // The second job is the vendor's fulfilment, which is not a delivery.
  ok(await order(sandbox));
  const answer = await sandbox.control.POST('/deliveries/{id}/replay', { params: { path: { id } } });
  expect(refusal(answer)).toEqual(notFound(`Delivery ${id}`));
});

it('OP-03: an id that is too long gets a flat 400, as with every path parameter', async () => {
  const { control } = await testSandbox();
  const id = 'x'.repeat(65);
  const tooLong = (name: string) =>
    flat(400, 53, `Invalid request: path parameter ${name} must have at most 64 characters`);
  const replay = await control.POST('/deliveries/{id}/replay', { params: { path: { id } } });
  expect(refusal(replay)).toEqual(tooLong('id'));
  const redemption = await control.GET('/redemptions/{redeemCode}', { params: { path: { redeemCode: id } } });
  expect(refusal(redemption)).toEqual(tooLong('redeemCode'));
  const outcome = await control.GET('/vendor-outcomes/{sku_code}', { params: { path: { sku_code: id } } });
  expect(refusal(outcome)).toEqual(tooLong('sku_code'));
  expect(refusal(await control.GET('/ledger/{uid}', { params: { path: { uid: id } } }))).toEqual(tooLong('uid'));
});
