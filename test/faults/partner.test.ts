/**
 * Faults in the platform's calls to a partner's own server (OP-115, OP-116). The tests check the calls that the server received, the result
 * on the platform, and that the ledgers finally agree. In these tests, the server stores its ledger in the reference client.
 */
import { expect, it } from 'vitest';
import { type Reaction, type ReceivedCall, stubClient } from '../harness/client-stub.ts';
import { flat, refusal } from '../harness/envelopes.ts';
import { callsOf, failing, sentCalls } from '../harness/faults.ts';
import { advance, order, pay, vendorWill, voucher } from '../harness/orders.ts';
import { differences } from '../harness/outstanding.ts';
import { ok, type TestSandbox, testSandbox } from '../harness/sandbox.ts';
import { balanceOf, eventsOf, ledgerOf } from '../harness/state.ts';
import { handTimer, instantTimer } from '../harness/timer.ts';

const save = 'saveRedeemDetails';
const opening = { kind: 'credit', points: 25_000, reference: 'opening', label: 'Earned' };

/** Starts a sandbox whose client is a partner's server. Also returns the calls that this server received. */
async function partnerSandbox(
  options: Parameters<typeof testSandbox>[0] = {},
  react: (call: ReceivedCall) => Reaction = () => 'pass',
) {
  const sandbox = await testSandbox(options);
  return { sandbox, clientCalls: await stubClient(sandbox, react) };
}

function bodiesOf(calls: readonly ReceivedCall[], name: string) {
  return calls.filter(({ operation }) => operation === name).map(({ body }) => body);
}

/** Checks that each fault is used up and that no call encountered it again at the reference client. */
async function expectOnlyOnTheWay(sandbox: TestSandbox, operation: string) {
  expect(ok(await sandbox.control.GET('/faults')).items).toEqual([]);
  const served = await callsOf(sandbox, operation);
  expect(served.flatMap(({ notices }) => notices)).toEqual([]);
}

const before = 'the connection was reset before anything was sent';
const after = 'the response with status 200 was lost';

it.each([
  ['reset', {}, { arrive: 1, statuses: [null, null, 200], why: before }],
  ['lost_reply', {}, { arrive: 3, statuses: [null, null, 200], why: after }],
  ['malformed', {}, { arrive: 3, statuses: [200, 200, 200], why: 'the response is not JSON' }],
  ['status', { status: 503 }, { arrive: 1, statuses: [503, 503, 200], why: 'status 503: Service Unavailable' }],
  ['status', { status: 429 }, { arrive: 1, statuses: [429, 429, 200], why: 'status 429: Too Many Requests' }],
] as const)(
  "OP-115: saveRedeemDetails meets %s %j twice on its way to a partner's server: three tries, one deduction, and the order succeeds",
  async (fault, more, { arrive, statuses, why }) => {
    const { sandbox, clientCalls } = await partnerSandbox();
    const id = await failing(sandbox, { target: save, fault, ...more, times: 2 });
    const { lines } = ok(await order(sandbox));
    const sent = bodiesOf(clientCalls, save);
    expect(sent).toHaveLength(arrive);
    expect(sent.map(({ redeemCode }) => redeemCode)).toEqual(Array(arrive).fill(lines[0]?.redeemCode));
    expect(await sentCalls(sandbox, save)).toEqual(
      statuses.map((status, at) => ({ status, notices: at < 2 ? [why, `fault ${id}: ${fault}`] : [] })),
    );
    await expectOnlyOnTheWay(sandbox, save);
    await advance(sandbox, 2);
    const deducted = { kind: 'deduct', points: 500, reference: lines[0]?.redeemCode, label: 'Redeemed' };
    expect(await ledgerOf(sandbox, 'CUST0001')).toEqual({ balance: 24_500, entries: [opening, deducted] });
    expect(await differences(sandbox)).toEqual([]);
  },
);

it('OP-116: every reply of saveRedeemDetails is lost: the order fails, and the partner refunds the deduction once', async () => {
  const { sandbox, clientCalls } = await partnerSandbox();
  await failing(sandbox, { target: save, fault: 'lost_reply', times: 3 });
  expect(refusal(await order(sandbox))).toEqual(flat(502, 57, 'No usable response from the client'));
  expect(bodiesOf(clientCalls, save)).toHaveLength(3);
  expect(await balanceOf(sandbox, 'CUST0001')).toBe(24_500);
  await advance(sandbox, 0);
  const { balance, entries } = await ledgerOf(sandbox, 'CUST0001');
  expect([balance, entries.map(({ kind }) => kind)]).toEqual([25_000, ['credit', 'deduct', 'reverse']]);
  expect(await differences(sandbox)).toEqual([]);
});

it('OP-116: duplicate: the partner gets two identical calls, and the first reply counts', async () => {
  const { sandbox, clientCalls } = await partnerSandbox({}, ({ operation, times }) =>
    operation === save && times === 2 ? { status: 500, body: {} } : 'pass',
  );
  const id = await failing(sandbox, { target: save, fault: 'duplicate', times: 1 });
  ok(await order(sandbox));
  const [first, repeat, ...more] = clientCalls.filter(({ operation }) => operation === save);
  expect(more).toEqual([]);
  expect({ ...repeat, times: 1 }).toEqual(first);
  const notices = ['the repeated call returned status 500', `fault ${id}: duplicate`];
  expect(await sentCalls(sandbox, save)).toEqual([{ status: 200, notices }]);
  expect(await balanceOf(sandbox, 'CUST0001')).toBe(24_500);
});

it('OP-116: duplicate: if the first call gets no reply, the repeat is still sent, and the call counts as unanswered', async () => {
  const { sandbox, clientCalls } = await partnerSandbox({}, ({ operation, times }) =>
    operation === save && times === 1 ? 'drop' : 'pass',
  );
  const id = await failing(sandbox, { target: save, fault: 'duplicate', times: 1 });
  ok(await order(sandbox));
  // The first call, its repeat, and the next try.
  expect(bodiesOf(clientCalls, save)).toHaveLength(3);
  const notices = [expect.any(String), 'the repeated call returned status 200', `fault ${id}: duplicate`];
  expect(await sentCalls(sandbox, save)).toEqual([
    { status: null, notices },
    { status: 200, notices: [] },
  ]);
  expect(await balanceOf(sandbox, 'CUST0001')).toBe(24_500);
});

it.each(['latency', 'drip'] as const)(
  'OP-116: %s: the partner answers immediately, and the platform gets the reply later',
  async (fault) => {
    const { delay, delays, waits, ring } = handTimer();
    const { sandbox, clientCalls } = await partnerSandbox({ delay });
    const id = await failing(sandbox, { target: save, fault, ms: 3000, times: 1 });
    const pendingOrder = order(sandbox);
    await waits();
    expect(delays).toEqual([3000]);
    expect(bodiesOf(clientCalls, save)).toHaveLength(1);
    expect(await balanceOf(sandbox, 'CUST0001')).toBe(24_500);
    expect(await eventsOf(sandbox)).not.toHaveProperty('order.placed');
    ring();
    ok(await pendingOrder);
    expect(await sentCalls(sandbox, save)).toEqual([{ status: 200, notices: [`fault ${id}: ${fault}`] }]);
  },
);

it.each(['latency', 'drip'] as const)(
  'OP-116: %s as long as the timeout of the platform counts as no reply in time, and nothing waits longer',
  async (fault) => {
    const { delay, delays } = instantTimer();
    const { sandbox, clientCalls } = await partnerSandbox({ delay });
    const id = await failing(sandbox, { target: save, fault, ms: 60_000, times: 3 });
    expect(refusal(await order(sandbox))).toEqual(flat(502, 57, 'No usable response from the client'));
    expect(delays).toEqual([15_000, 15_000, 15_000]);
    expect(bodiesOf(clientCalls, save)).toHaveLength(3);
    const late = { status: null, notices: ['no response in time', `fault ${id}: ${fault}`] };
    expect(await sentCalls(sandbox, save)).toEqual([late, late, late]);
    await advance(sandbox, 0);
    expect(await balanceOf(sandbox, 'CUST0001')).toBe(25_000);
  },
);

/** Starts an order that the fault delays. `uids` lists the customers in the order in which the partner received their calls. */
async function startDelayedOrder() {
  const { delay, delays, waits, ring } = handTimer();
  const { sandbox, clientCalls } = await partnerSandbox({ delay });
  const id = await failing(sandbox, { target: save, fault: 'out_of_order' });
  const first = order(sandbox);
  await waits();
  expect(delays).toEqual([10_000]);
  expect(bodiesOf(clientCalls, save)).toEqual([]);
  return { sandbox, id, first, ring, uids: () => bodiesOf(clientCalls, save).map(({ uid }) => uid) };
}

it('OP-116: out_of_order: a call is sent after the next call has its reply', async () => {
  const { sandbox, id, first, uids } = await startDelayedOrder();
  ok(await order(sandbox, { uid: 'CUST0005' }));
  ok(await first);
  expect(uids()).toEqual(['CUST0005', 'CUST0001']);
  expect((await sentCalls(sandbox, save)).map(({ notices }) => notices)).toEqual([[], [`fault ${id}: out_of_order`]]);
});

it.each(['ten seconds have passed', 'the fault is deleted'])(
  'OP-116: out_of_order: without a next call, the call is sent when %s',
  async (end) => {
    const { sandbox, id, first, ring, uids } = await startDelayedOrder();
    if (end === 'ten seconds have passed') ring();
    else await sandbox.control.DELETE('/faults/{id}', { params: { path: { id } } });
    ok(await first);
    expect(uids()).toEqual(['CUST0001']);
  },
);

it('OP-116: closing a sandbox does not wait for a call that a fault holds back', async () => {
  const { sandbox, first } = await startDelayedOrder();
  await sandbox.close();
  expect((await first).response.status).toBeGreaterThanOrEqual(200);
});

it.each([
  ['reset', 1],
  ['lost_reply', 2],
  // Any 2xx is a success, regardless of its body (OP-102).
  ['malformed', 1],
  ['duplicate', 2],
] as const)('OP-115: creditPoints meets %s: number of arrivals %i, and one credit', async (fault, times) => {
  const { sandbox, clientCalls } = await partnerSandbox();
  await failing(sandbox, { target: 'creditPoints', fault, times: 1 });
  ok(await pay(sandbox));
  await advance(sandbox, 5);
  expect(bodiesOf(clientCalls, 'creditPoints')).toHaveLength(times);
  expect(await ledgerOf(sandbox, 'CUST0001')).toEqual({
    balance: 25_010,
    entries: [opening, { kind: 'credit', points: 10, reference: 'TXN-1', label: 'Earned' }],
  });
  await expectOnlyOnTheWay(sandbox, 'creditPoints');
});

it.each([
  ['reset', 1],
  ['lost_reply', 2],
  ['malformed', 2],
  ['duplicate', 2],
] as const)('OP-115: updateRedeemStatus meets %s: number of arrivals %i, and one refund', async (fault, times) => {
  const { sandbox, clientCalls } = await partnerSandbox();
  await failing(sandbox, { target: 'updateRedeemStatus', fault, times: 1 });
  await vendorWill(sandbox, voucher.sku, { outcome: 'reject' });
  ok(await order(sandbox));
  await advance(sandbox, 7);
  expect(bodiesOf(clientCalls, 'updateRedeemStatus')).toHaveLength(times);
  const { balance, entries } = await ledgerOf(sandbox, 'CUST0001');
  expect([balance, entries.map(({ kind }) => kind)]).toEqual([25_000, ['credit', 'deduct', 'reverse']]);
  expect(await differences(sandbox)).toEqual([]);
});

it('OP-116: a fault does not count as a failure of the partner: it opens no circuit', async () => {
  const { sandbox, clientCalls } = await partnerSandbox();
  await failing(sandbox, { target: save, fault: 'reset', times: 6 });
  for (const _ of 'ab') expect((await order(sandbox)).response.status).toBe(502);
  ok(await order(sandbox));
  expect(bodiesOf(clientCalls, save)).toHaveLength(1);
});
