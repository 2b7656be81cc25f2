/** Tests payment events and their credits (G8; OP-09, OP-24, OP-25, OP-48, OP-130, OP-131). */
import { expect, it } from 'vitest';
import { type ReceivedCall, stubClient } from '../harness/client-stub.ts';
import { flat, refusal, wrapped } from '../harness/envelopes.ts';
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

/** Returns the number of credit calls to the client. */
const credits = (clientCalls: readonly ReceivedCall[]) =>
  clientCalls.filter(({ operation }) => operation === 'creditPoints').length;

const accepted = (transactionId: string, points: number) => ({ success: true, status: 202, transactionId, points });

it('G8, M2: OP-25: the reply to a payment states the points to be credited, and they are credited', async () => {
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

it('B1, B4, M3, R19, R21: the credit repeats the payment as reported, with the points as text, and uses the service token', async () => {
  const sandbox = await testSandbox();
  const clientCalls = await stubClient(sandbox, () => 'pass');
  ok(await pay(sandbox));
  await advance(sandbox, 0);
  const authorization = `Bearer ${sandbox.credentials.service_token}`;
  expect(clientCalls).toEqual([
    { operation: 'getProfileAndPoints', authorization, body: {}, times: 1 },
    { operation: 'creditPoints', authorization, body: { ...event, points: '24' }, times: 1 },
  ]);
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

it('OP-20: a repeated transaction gets the same answer and is credited once, even if the rate has changed', async () => {
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

it('ten concurrent reports of one transaction lead to one credit call to the client', async () => {
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
    expect(await eventsOf(sandbox)).toMatchObject({ 'payment.accepted': 1, 'points.credited': 1 });
  },
);

it('OP-24: after the seventh retry a credit is parked, and the log says so', async () => {
  const sandbox = await testSandbox();
  const clientCalls = await stubClient(sandbox, () => 'drop');
  ok(await pay(sandbox));
  const counts: number[] = [];
  for (const seconds of [0, 5, 300, 1800, 7200, 18_000, 36_000, 35_999, 1, 30 * 86_400]) {
    await advance(sandbox, seconds);
    counts.push(credits(clientCalls));
  }
  expect(counts).toEqual([1, 2, 3, 4, 5, 6, 7, 7, 8, 8]);
  const { items } = ok(await sandbox.control.GET('/activity'));
  const parked = items.filter((item) => item.kind === 'state' && item.event === 'delivery.parked');
  expect(parked).toMatchObject([
    { party: 'platform', detail: { kind: 'creditPoints', transactionId: 'TXN-1' }, at: '2026-01-13T08:05:05.000Z' },
  ]);
});

const unknown = flat(422, 56, 'Refused by the client: Unknown customer.');
const whoIs = (call: ReceivedCall) => call.operation === 'getProfileAndPoints';

it('OP-130: a payment of a customer that the client does not know is refused, and accepted on repeat once it does', async () => {
  const sandbox = await testSandbox();
  expect(refusal(await pay(sandbox, { uid: 'CUST9999' }))).toEqual(unknown);
  await advance(sandbox, 2 * 86_400);
  expect(ok(await sandbox.control.GET('/deliveries')).items).toEqual([]);
  expect(await eventsOf(sandbox)).not.toHaveProperty('payment.accepted');
  ok(await sandbox.control.POST('/customers', { body: { uid: 'CUST9999' } }));
  expect(ok(await pay(sandbox, { uid: 'CUST9999' }))).toEqual(accepted('TXN-1', 24));
  await advance(sandbox, 0);
  expect(await balanceOf(sandbox, 'CUST9999')).toBe(24);
});

it('OP-130: a payment is accepted if the client does not answer whether it knows the customer', async () => {
  const sandbox = await testSandbox();
  await stubClient(sandbox, (call) => (whoIs(call) ? 'drop' : 'pass'));
  expect(ok(await pay(sandbox))).toEqual(accepted('TXN-1', 24));
  await advance(sandbox, 0);
  expect(await balanceOf(sandbox, 'CUST0002')).toBe(24);
});

it('OP-130: a repeated transaction is answered without a call to the client', async () => {
  const sandbox = await testSandbox();
  ok(await pay(sandbox));
  const clientCalls = await stubClient(sandbox, () => wrapped(422, 'Unknown customer.'));
  expect(ok(await pay(sandbox))).toEqual(accepted('TXN-1', 24));
  expect(clientCalls).toEqual([]);
});

it('OP-130: a credit of a customer who was removed in between is parked with the reason', async () => {
  const sandbox = await testSandbox();
  const clientCalls = await stubClient(sandbox, (call) => (whoIs(call) ? 'pass' : wrapped(422, 'Unknown customer.')));
  expect(ok(await pay(sandbox))).toEqual(accepted('TXN-1', 24));
  await advance(sandbox, 2 * 86_400);
  expect(credits(clientCalls)).toBe(1);
  const parked = {
    id: 'W000000000001',
    kind: 'creditPoints',
    transaction_id: 'TXN-1',
    redeem_code: null,
    webhook_id: null,
  };
  const { items } = ok(await sandbox.control.GET('/deliveries'));
  const reason = 'Unknown customer.';
  expect(items).toEqual([{ ...parked, status: 'parked', tries: 1, next_at: null, reason }]);
  expect(ok(await pay(sandbox))).toEqual(accepted('TXN-1', 24));
  await advance(sandbox, 0);
  expect(credits(clientCalls)).toBe(1);
});

it('OP-130: a replay books a parked credit once the client accepts it', async () => {
  const sandbox = await testSandbox();
  await stubClient(sandbox, (call) => (!whoIs(call) && call.times === 1 ? wrapped(422, 'Unknown customer.') : 'pass'));
  ok(await pay(sandbox));
  await advance(sandbox, 0);
  ok(await sandbox.control.POST('/deliveries/replay'));
  await advance(sandbox, 0);
  expect(await balanceOf(sandbox, 'CUST0002')).toBe(24);
  expect(ok(await sandbox.control.GET('/deliveries')).items).toEqual([]);
});

it.each([401, 403, 404, 409])(
  'OP-130, OP-101: a credit that the client answers with %i is parked after one try',
  async (status) => {
    const sandbox = await testSandbox();
    const clientCalls = await stubClient(sandbox, (call) => (whoIs(call) ? 'pass' : wrapped(status, 'Not this one.')));
    ok(await pay(sandbox));
    await advance(sandbox, 2 * 86_400);
    expect(credits(clientCalls)).toBe(1);
    const { items } = ok(await sandbox.control.GET('/deliveries'));
    expect(items).toMatchObject([{ status: 'parked', tries: 1, next_at: null, reason: 'Not this one.' }]);
  },
);

it.each([500, 503, 408, 429])('OP-130: a client that answers a credit with %i does not refuse it', async (status) => {
  const sandbox = await testSandbox();
  await stubClient(sandbox, (call) => (!whoIs(call) && call.times === 1 ? wrapped(status, 'Not now.') : 'pass'));
  ok(await pay(sandbox));
  await advance(sandbox, 0);
  expect(ok(await sandbox.control.GET('/deliveries')).items).toMatchObject([{ status: 'due', tries: 1 }]);
  await advance(sandbox, 5);
  expect(await balanceOf(sandbox, 'CUST0002')).toBe(24);
});

it.each([
  ['the sandbox clock', '2026-01-12T04:30:00Z', '2026-01-01T00:00:00Z'],
  ['real time, if that is later', '2026-01-12T04:30:00Z', '2026-11-22T10:00:00Z'],
])('OP-131: a payment must not be more than 24 hours ahead of %s', async (_name, frozen, real) => {
  const sandbox = await testSandbox({ realTime: () => Date.parse(real) });
  const ahead = (milliseconds: number) =>
    new Date(Math.max(Date.parse(frozen), Date.parse(real)) + 86_400_000 + milliseconds).toISOString();
  const refused = flat(400, 53, 'Invalid request: /occurred_at must not be more than 24 hours ahead');
  expect(refusal(await pay(sandbox, { occurred_at: ahead(1) }))).toEqual(refused);
  expect(refusal(await pay(sandbox, { occurred_at: '9999-12-31T23:59:59Z' }))).toEqual(refused);
  expect(await eventsOf(sandbox)).not.toHaveProperty('payment.accepted');
  expect(ok(await pay(sandbox, { occurred_at: ahead(0) }))).toEqual(accepted('TXN-1', 24));
  expect(ok(await pay(sandbox, { transactionId: 'TXN-2', occurred_at: '1970-01-01T00:00:00Z' })).points).toBe(24);
});

it('OP-25: an event other than a digital payment, or with an invalid date, is refused', async () => {
  const sandbox = await testSandbox();
  const cash = await pay(sandbox, { eventType: 'CASH' });
  expect(refusal(cash)).toEqual(flat(400, 53, 'Invalid request: /eventType must be "DIGITAL_PAYMENT"'));
  const when = await pay(sandbox, { occurred_at: 'yesterday' });
  expect(refusal(when)).toEqual(
    flat(400, 53, 'Invalid request: /occurred_at must be a date and time such as 2026-01-31T09:30:00Z'),
  );
});
