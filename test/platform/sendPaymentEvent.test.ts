/** Payment events, and the credits that they lead to (G8; OP-09, OP-24, OP-25, OP-48). */
import { expect, it } from 'vitest';
import { stubClient } from '../harness/client-stub.ts';
import { flat, refusal } from '../harness/envelopes.ts';
import { advance } from '../harness/orders.ts';
import { ok, type TestSandbox, testSandbox } from '../harness/sandbox.ts';
import { balanceOf, eventsOf, ledgerOf } from '../harness/state.ts';

const event = {
  uid: 'CUST0002',
  eventType: 'DIGITAL_PAYMENT',
  transactionId: 'TXN-1',
  paymentAmount: '2499.50',
} as const;

async function pay(
  sandbox: TestSandbox,
  change: { [Field in keyof typeof event]?: string } & { occurred_at?: string } = {},
) {
  const body = { ...event, ...change } as typeof event;
  return sandbox.rewards(await sandbox.companyToken()).POST('/v1/partner/events/payment', { body });
}

const accepted = (transactionId: string, points: number) => ({ success: true, status: 202, transactionId, points });

it('G8, M2: OP-25: a payment is answered with the points that will be credited, and they are credited', async () => {
  const sandbox = await testSandbox();
  const answer = await pay(sandbox);
  expect(answer.response.status).toBe(202);
  expect(ok(answer)).toEqual(accepted('TXN-1', 24));
  expect(await balanceOf(sandbox, 'CUST0002')).toBe(0);
  expect(await advance(sandbox, 0)).toBe(1);
  expect(await ledgerOf(sandbox, 'CUST0002')).toEqual({
    balance: 24,
    entries: [{ kind: 'credit', points: 24, reference: 'TXN-1', label: 'Earned' }],
  });
});

it('B1, B4, M3, R19, R21: the credit names the payment as it was reported, with the points as text, under the service token', async () => {
  const sandbox = await testSandbox();
  const heard = await stubClient(sandbox, () => 'pass');
  ok(await pay(sandbox));
  await advance(sandbox, 0);
  const authorization = `Bearer ${sandbox.credentials.service_token}`;
  expect(heard).toEqual([{ operation: 'creditPoints', authorization, body: { ...event, points: '24' }, times: 1 }]);
});

it.each([
  ['0', 0],
  ['99.99', 0],
  ['100', 1],
  ['199.99', 1],
  ['200.0', 2],
  ['9999999999999.99', 99_999_999_999],
])('OP-46: a payment of %s INR earns %i points, fractions rounded down', async (paymentAmount, points) => {
  const sandbox = await testSandbox();
  expect(ok(await pay(sandbox, { paymentAmount }))).toEqual(accepted('TXN-1', points));
  await advance(sandbox, 0);
  expect(await balanceOf(sandbox, 'CUST0002')).toBe(points);
});

it('OP-09: the rate is a setting of the workspace', async () => {
  const sandbox = await testSandbox();
  ok(await sandbox.control.PATCH('/workspace', { body: { settings: { points_per_100_inr: 3 } } }));
  expect(ok(await pay(sandbox))).toEqual(accepted('TXN-1', 74));
});

it('OP-20: the same transaction again is answered the same and credited once, whatever the rate is by then', async () => {
  const sandbox = await testSandbox();
  ok(await pay(sandbox));
  ok(await sandbox.control.PATCH('/workspace', { body: { settings: { points_per_100_inr: 3 } } }));
  expect(ok(await pay(sandbox))).toEqual(accepted('TXN-1', 24));
  expect(ok(await pay(sandbox, { paymentAmount: '2499.5' }))).toEqual(accepted('TXN-1', 24));
  await advance(sandbox, 86_400);
  expect(ok(await pay(sandbox))).toEqual(accepted('TXN-1', 24));
  await advance(sandbox, 0);
  expect(await balanceOf(sandbox, 'CUST0002')).toBe(24);
});

it('ten reports of one transaction at once lead to one credit, which the client is asked for once', async () => {
  const sandbox = await testSandbox();
  const answers = await Promise.all(Array.from({ length: 10 }, () => pay(sandbox)));
  expect(answers.map(ok)).toEqual(answers.map(() => accepted('TXN-1', 24)));
  expect(await advance(sandbox, 0)).toBe(1);
  expect(await balanceOf(sandbox, 'CUST0002')).toBe(24);
});

it.each([{ uid: 'CUST0001' }, { paymentAmount: '2499.51' }, { occurred_at: '2026-01-12T04:29:57.000Z' }])(
  'the same transaction with another value, %o, is refused with code 58, and nothing more is credited',
  async (change) => {
    const sandbox = await testSandbox();
    ok(await pay(sandbox));
    expect(refusal(await pay(sandbox, change))).toEqual(flat(409, 58, 'transactionId was used with other values'));
    expect(await advance(sandbox, 0)).toBe(1);
    expect(await eventsOf(sandbox)).toMatchObject({ 'payment.taken': 1, 'points.credited': 1 });
  },
);

it('OP-24: a credit is delivered at the instants of the schedule until it is acknowledged, and booked once', async () => {
  const sandbox = await testSandbox();
  const heard = await stubClient(sandbox, ({ times }) => (times < 3 ? 'lose' : 'pass'));
  ok(await pay(sandbox));
  const counts: number[] = [];
  for (const seconds of [0, 4, 1, 299, 1, 86_400]) {
    await advance(sandbox, seconds);
    counts.push(heard.length);
  }
  expect(counts).toEqual([1, 1, 2, 2, 3, 3]);
  expect(await balanceOf(sandbox, 'CUST0002')).toBe(24);
});

it('OP-24: after the seventh retry a credit is parked, and says so', async () => {
  const sandbox = await testSandbox();
  const heard = await stubClient(sandbox, () => 'drop');
  ok(await pay(sandbox));
  const counts: number[] = [];
  for (const seconds of [0, 5, 300, 1800, 7200, 18_000, 36_000, 35_999, 1, 30 * 86_400]) {
    await advance(sandbox, seconds);
    counts.push(heard.length);
  }
  expect(counts).toEqual([1, 2, 3, 4, 5, 6, 7, 7, 8, 8]);
  const { items } = ok(await sandbox.control.GET('/activity'));
  const parked = items.filter((item) => item.kind === 'state' && item.event === 'delivery.parked');
  expect(parked).toMatchObject([
    { party: 'platform', detail: { kind: 'creditPoints', transactionId: 'TXN-1' }, at: '2026-01-13T08:05:05.000Z' },
  ]);
});

it('a payment of a customer that the client does not know is taken, and its credit is never booked', async () => {
  const sandbox = await testSandbox();
  expect(ok(await pay(sandbox, { uid: 'CUST9999' }))).toEqual(accepted('TXN-1', 24));
  await advance(sandbox, 2 * 86_400);
  expect(await eventsOf(sandbox)).toMatchObject({ 'delivery.parked': 1 });
});

it('OP-25: what is not a digital payment, or not a date, is refused', async () => {
  const sandbox = await testSandbox();
  const cash = await pay(sandbox, { eventType: 'CASH' });
  expect(refusal(cash)).toEqual(flat(400, 53, 'Invalid request: /eventType must be "DIGITAL_PAYMENT"'));
  const when = await pay(sandbox, { occurred_at: 'yesterday' });
  expect(refusal(when)).toEqual(flat(400, 53, 'Invalid request: /occurred_at must match format "date-time"'));
});
