/** The control API: both sides' books compared (OP-23), and deliveries that were given up on (OP-24). */
import { expect, it } from 'vitest';
import { flat, refusal } from '../contract/envelopes.ts';
import { redemption } from '../contract/records.ts';
import { advance, eventsOf, ledgerOf, order, vendorWill } from '../platform/orders.ts';
import { standIn } from '../platform/stand-in.ts';
import { ok, type TestSandbox, testSandbox } from '../sandbox.ts';

const sku = 'EGV-SPICE-500';
const day = 86_400;

const differences = async ({ control }: TestSandbox) => ok(await control.GET('/reconciliation')).items;
const deliveries = async ({ control }: TestSandbox) => ok(await control.GET('/deliveries')).items;

/** How often the customer's ledger has an entry of each kind. */
async function entriesOf(sandbox: TestSandbox) {
  const { entries, balance } = await ledgerOf(sandbox, 'CUST0001');
  return { balance, kinds: entries.map(({ kind }) => kind) };
}

/** A client that is down for status reports until it is said to be up. */
async function downForReports(sandbox: TestSandbox) {
  const state = { down: true };
  const heard = await standIn(sandbox, ({ operation }) =>
    state.down && operation === 'updateRedeemStatus' ? 'drop' : 'pass',
  );
  return { state, heard };
}

it('is empty when all is well: nothing ordered, pending, delivered and rejected', async () => {
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

it('a rejection that the client has not heard of is a missing reversal, gone after the next try', async () => {
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

it('an order that failed because every reply to its deduction was lost is a missing reversal until it is reported', async () => {
  const sandbox = await testSandbox();
  await standIn(sandbox, ({ operation }) => (operation === 'saveRedeemDetails' ? 'lose' : 'pass'));
  expect((await order(sandbox)).response.status).toBe(502);
  expect(await differences(sandbox)).toMatchObject([{ kind: 'missing_reversal', difference: 500, outstanding: 'due' }]);
  await advance(sandbox, 0);
  expect(await differences(sandbox)).toEqual([]);
  expect(await entriesOf(sandbox)).toEqual({ balance: 25_000, kinds: ['credit', 'deduct', 'reverse'] });
});

it('while an order call is under way, what the client has deducted for it belongs to no order yet', async () => {
  const sandbox = await testSandbox();
  const seen: unknown[] = [];
  let looking: Promise<unknown> = Promise.resolve();
  await standIn(sandbox, ({ operation, times }) => {
    if (operation !== 'saveRedeemDetails') return 'pass';
    if (times === 2) looking = differences(sandbox).then((found) => seen.push(...found));
    return times === 1 ? 'lose' : 'pass';
  });
  ok(await order(sandbox));
  await looking;
  expect(seen).toMatchObject([
    { kind: 'orphan_deduction', platform: { state: 'Placing', points: 0 }, difference: 500, outstanding: 'due' },
  ]);
  expect(await differences(sandbox)).toEqual([]);
});

it('a deduction for a code that the platform does not know is an orphan that nobody works on', async () => {
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

it('a client that says yes and deducts nothing leaves an order without deduction', async () => {
  const sandbox = await testSandbox();
  const yes = { status: 200, body: { success: true, status: 200 } };
  await standIn(sandbox, ({ operation }) => (operation === 'saveRedeemDetails' ? yes : 'pass'));
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
  // The client knows no such code and refuses the report until the platform gives it up.
  await advance(sandbox, 2 * day);
  expect(await differences(sandbox)).toEqual([
    { ...difference, platform: { state: 'Delivered', points: 500 }, outstanding: 'parked' },
  ]);
});

it('OP-22: points that the client gave back by timeout are missing until the late delivery is refused', async () => {
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

it('OP-24: a delivery is shown with its tries until it is parked, and a replay takes effect exactly once', async () => {
  const sandbox = await testSandbox();
  const { state, heard } = await downForReports(sandbox);
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
  });
  expect(await differences(sandbox)).toMatchObject([{ kind: 'missing_reversal', outstanding: 'due' }]);
  expect(ok(await sandbox.control.POST('/settle')).ran).toBe(1);
  expect(await deliveries(sandbox)).toEqual([]);
  expect(await differences(sandbox)).toEqual([]);
  expect(heard.filter(({ operation }) => operation === 'updateRedeemStatus')).toHaveLength(9);
  expect(await entriesOf(sandbox)).toEqual({ balance: 25_000, kinds: ['credit', 'deduct', 'reverse'] });

  // There is nothing left to replay.
  expect(ok(await sandbox.control.POST('/deliveries/replay'))).toEqual({ items: [] });
  expect(await advance(sandbox, 30 * day)).toBe(0);
});

it('OP-24: a replayed delivery that fails again starts the schedule anew', async () => {
  const sandbox = await testSandbox();
  await downForReports(sandbox);
  ok(await order(sandbox));
  await advance(sandbox, 2 * day);
  const [parked] = await deliveries(sandbox);
  const path = { id: parked?.id ?? '' };
  ok(await sandbox.control.POST('/deliveries/{id}/replay', { params: { path } }));
  // Counted at the platform: a call that an open circuit holds back is a try, and the client does not hear it (OP-61).
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

it('OP-16: a credit whose reply was lost is replayed under the same transactionId and booked once', async () => {
  const sandbox = await testSandbox();
  const state = { broken: true };
  await standIn(sandbox, ({ operation }) => (state.broken && operation === 'creditPoints' ? 'lose' : 'pass'));
  const rewards = sandbox.rewards(await sandbox.companyToken());
  const payment = {
    uid: 'CUST0002',
    eventType: 'DIGITAL_PAYMENT',
    transactionId: 'TXN-1',
    paymentAmount: '2500',
  } as const;
  ok(await rewards.POST('/v1/partner/events/payment', { body: payment }));
  await advance(sandbox, 2 * day);
  const [parked] = await deliveries(sandbox);
  expect(parked).toMatchObject({ kind: 'creditPoints', status: 'parked', transaction_id: 'TXN-1', redeem_code: null });
  state.broken = false;
  const path = { id: parked?.id ?? '' };
  ok(await sandbox.control.POST('/deliveries/{id}/replay', { params: { path } }));
  await advance(sandbox, 0);
  expect(await deliveries(sandbox)).toEqual([]);
  expect(await eventsOf(sandbox)).toMatchObject({ 'points.credited': 1 });
  expect((await ledgerOf(sandbox, 'CUST0002')).balance).toBe(25);
});

it('OP-24: a delivery that is still due is brought forward by a replay', async () => {
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

it.each(['W000000000999', 'W000000000002', ' '])('a delivery %s that is not outstanding is not found', async (id) => {
  const sandbox = await testSandbox();
  // The second piece of work is the vendor's fulfilment, which is no delivery.
  ok(await order(sandbox));
  const answer = await sandbox.control.POST('/deliveries/{id}/replay', { params: { path: { id } } });
  expect(refusal(answer)).toEqual(flat(404, 44, 'Not found'));
});

it('OP-03: an id that is too long is a flat 400, here as with every path parameter', async () => {
  const { control } = await testSandbox();
  const id = 'x'.repeat(65);
  const tooLong = (name: string) =>
    flat(400, 53, `Invalid request: path parameter ${name} must NOT have more than 64 characters`);
  const replayed = await control.POST('/deliveries/{id}/replay', { params: { path: { id } } });
  expect(refusal(replayed)).toEqual(tooLong('id'));
  const followed = await control.GET('/redemptions/{redeemCode}', { params: { path: { redeemCode: id } } });
  expect(refusal(followed)).toEqual(tooLong('redeemCode'));
  const outcome = await control.GET('/vendor-outcomes/{sku_code}', { params: { path: { sku_code: id } } });
  expect(refusal(outcome)).toEqual(tooLong('sku_code'));
  expect(refusal(await control.GET('/ledger/{uid}', { params: { path: { uid: id } } }))).toEqual(tooLong('uid'));
});
