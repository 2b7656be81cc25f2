/**
 * Faults of the platform's calls to a partner's own server (OP-115, OP-116): what that server saw, what the platform
 * concluded, and that the books add up in the end. The server here keeps its books at the reference client behind it.
 */
import { expect, it } from 'vitest';
import { type Heard, type Reaction, stubClient } from '../harness/client-stub.ts';
import { flat, refusal } from '../harness/envelopes.ts';
import { callsOf, failing, sentCalls } from '../harness/faults.ts';
import { advance, order, pay, vendorWill, voucher } from '../harness/orders.ts';
import { differences } from '../harness/outstanding.ts';
import { ok, type TestSandbox, testSandbox } from '../harness/sandbox.ts';
import { balanceOf, eventsOf, ledgerOf } from '../harness/state.ts';
import { handTimer, instantTimer } from '../harness/timer.ts';

const save = 'saveRedeemDetails';
const opening = { kind: 'credit', points: 25_000, reference: 'opening', label: 'Earned' };

/** A sandbox whose client is a partner's server, and what that server heard. */
async function partnered(
  options: Parameters<typeof testSandbox>[0] = {},
  react: (heard: Heard) => Reaction = () => 'pass',
) {
  const sandbox = await testSandbox(options);
  return { sandbox, heard: await stubClient(sandbox, react) };
}

function bodiesOf(heard: readonly Heard[], wanted: string) {
  return heard.filter(({ operation }) => operation === wanted).map(({ body }) => body);
}

/** Each fault is used up, and no call met it where the reference client served it: it happened once. */
async function metOnTheWayOnly(sandbox: TestSandbox, operation: string) {
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
  "OP-115: saveRedeemDetails meets %s %j twice on its way to a partner's server: tried three times, deducted once, the order stands",
  async (fault, more, { arrive, statuses, why }) => {
    const { sandbox, heard } = await partnered();
    const id = await failing(sandbox, { target: save, fault, ...more, times: 2 });
    const { lines } = ok(await order(sandbox));
    const sent = bodiesOf(heard, save);
    expect(sent).toHaveLength(arrive);
    expect(sent.map(({ redeemCode }) => redeemCode)).toEqual(Array(arrive).fill(lines[0]?.redeemCode));
    expect(await sentCalls(sandbox, save)).toEqual(
      statuses.map((status, at) => ({ status, notices: at < 2 ? [why, `fault ${id}: ${fault}`] : [] })),
    );
    await metOnTheWayOnly(sandbox, save);
    await advance(sandbox, 2);
    const deducted = { kind: 'deduct', points: 500, reference: lines[0]?.redeemCode, label: 'Redeemed' };
    expect(await ledgerOf(sandbox, 'CUST0001')).toEqual({ balance: 24_500, entries: [opening, deducted] });
    expect(await differences(sandbox)).toEqual([]);
  },
);

it('OP-116: every reply of saveRedeemDetails is lost: no order stands, and what the partner deducted goes back once', async () => {
  const { sandbox, heard } = await partnered();
  await failing(sandbox, { target: save, fault: 'lost_reply', times: 3 });
  expect(refusal(await order(sandbox))).toEqual(flat(502, 57, 'No usable response from the client'));
  expect(bodiesOf(heard, save)).toHaveLength(3);
  expect(await balanceOf(sandbox, 'CUST0001')).toBe(24_500);
  await advance(sandbox, 0);
  const { balance, entries } = await ledgerOf(sandbox, 'CUST0001');
  expect([balance, entries.map(({ kind }) => kind)]).toEqual([25_000, ['credit', 'deduct', 'reverse']]);
  expect(await differences(sandbox)).toEqual([]);
});

it('OP-116: duplicate: the partner gets the call twice, word for word, and the first reply counts', async () => {
  const { sandbox, heard } = await partnered({}, ({ operation, times }) =>
    operation === save && times === 2 ? { status: 500, body: {} } : 'pass',
  );
  const id = await failing(sandbox, { target: save, fault: 'duplicate', times: 1 });
  ok(await order(sandbox));
  const [first, repeat, ...more] = heard.filter(({ operation }) => operation === save);
  expect(more).toEqual([]);
  expect({ ...repeat, times: 1 }).toEqual(first);
  const notices = ['the repeated call returned status 500', `fault ${id}: duplicate`];
  expect(await sentCalls(sandbox, save)).toEqual([{ status: 200, notices }]);
  expect(await balanceOf(sandbox, 'CUST0001')).toBe(24_500);
});

it('OP-116: duplicate: where the first gets no reply the repeat is sent all the same, and the call counts as unanswered', async () => {
  const { sandbox, heard } = await partnered({}, ({ operation, times }) =>
    operation === save && times === 1 ? 'drop' : 'pass',
  );
  const id = await failing(sandbox, { target: save, fault: 'duplicate', times: 1 });
  ok(await order(sandbox));
  // The first, its repeat, and the try that follows.
  expect(bodiesOf(heard, save)).toHaveLength(3);
  const notices = [expect.any(String), 'the repeated call returned status 200', `fault ${id}: duplicate`];
  expect(await sentCalls(sandbox, save)).toEqual([
    { status: null, notices },
    { status: 200, notices: [] },
  ]);
  expect(await balanceOf(sandbox, 'CUST0001')).toBe(24_500);
});

it.each(['latency', 'drip'] as const)(
  'OP-116: %s: the partner answers at once, the platform has it later',
  async (fault) => {
    const { delay, asked, waits, ring } = handTimer();
    const { sandbox, heard } = await partnered({ delay });
    const id = await failing(sandbox, { target: save, fault, ms: 3000, times: 1 });
    const placed = order(sandbox);
    await waits();
    expect(asked).toEqual([3000]);
    expect(bodiesOf(heard, save)).toHaveLength(1);
    expect(await balanceOf(sandbox, 'CUST0001')).toBe(24_500);
    expect(await eventsOf(sandbox)).not.toHaveProperty('order.placed');
    ring();
    ok(await placed);
    expect(await sentCalls(sandbox, save)).toEqual([{ status: 200, notices: [`fault ${id}: ${fault}`] }]);
  },
);

it.each(['latency', 'drip'] as const)(
  'OP-116: %s as long as the platform waits is no reply in time, and nobody waits longer than that',
  async (fault) => {
    const { delay, asked } = instantTimer();
    const { sandbox, heard } = await partnered({ delay });
    const id = await failing(sandbox, { target: save, fault, ms: 60_000, times: 3 });
    expect(refusal(await order(sandbox))).toEqual(flat(502, 57, 'No usable response from the client'));
    expect(asked).toEqual([15_000, 15_000, 15_000]);
    expect(bodiesOf(heard, save)).toHaveLength(3);
    const late = { status: null, notices: ['no response in time', `fault ${id}: ${fault}`] };
    expect(await sentCalls(sandbox, save)).toEqual([late, late, late]);
    await advance(sandbox, 0);
    expect(await balanceOf(sandbox, 'CUST0001')).toBe(25_000);
  },
);

/** Two orders of two customers, the first of them held back, with the uids in the order in which the partner heard them. */
async function heldBack() {
  const { delay, asked, waits, ring } = handTimer();
  const { sandbox, heard } = await partnered({ delay });
  const id = await failing(sandbox, { target: save, fault: 'out_of_order' });
  const first = order(sandbox);
  await waits();
  expect(asked).toEqual([10_000]);
  expect(bodiesOf(heard, save)).toEqual([]);
  return { sandbox, id, first, ring, uids: () => bodiesOf(heard, save).map(({ uid }) => uid) };
}

it('OP-116: out_of_order: a call is sent once the call behind it came back', async () => {
  const { sandbox, id, first, uids } = await heldBack();
  ok(await order(sandbox, { uid: 'CUST0005' }));
  ok(await first);
  expect(uids()).toEqual(['CUST0005', 'CUST0001']);
  expect((await sentCalls(sandbox, save)).map(({ notices }) => notices)).toEqual([[], [`fault ${id}: out_of_order`]]);
});

it.each(['ten seconds passed', 'the fault was deleted'])(
  'OP-116: out_of_order: a call is sent after all once %s',
  async (end) => {
    const { sandbox, id, first, ring, uids } = await heldBack();
    if (end === 'ten seconds passed') ring();
    else await sandbox.control.DELETE('/faults/{id}', { params: { path: { id } } });
    ok(await first);
    expect(uids()).toEqual(['CUST0001']);
  },
);

it('OP-116: a sandbox that is closed does not wait for a call that is held back', async () => {
  const { sandbox, first } = await heldBack();
  await sandbox.close();
  expect((await first).response.status).toBeGreaterThanOrEqual(200);
});

it.each([
  ['reset', 1],
  ['lost_reply', 2],
  // Any success is one, whatever its body is (OP-102).
  ['malformed', 1],
  ['duplicate', 2],
] as const)(
  'OP-115: creditPoints meets %s: so often it arrives: %i, and is credited once in the end',
  async (fault, times) => {
    const { sandbox, heard } = await partnered();
    await failing(sandbox, { target: 'creditPoints', fault, times: 1 });
    ok(await pay(sandbox));
    await advance(sandbox, 5);
    expect(bodiesOf(heard, 'creditPoints')).toHaveLength(times);
    expect(await ledgerOf(sandbox, 'CUST0001')).toEqual({
      balance: 25_010,
      entries: [opening, { kind: 'credit', points: 10, reference: 'TXN-1', label: 'Earned' }],
    });
    await metOnTheWayOnly(sandbox, 'creditPoints');
  },
);

it.each([
  ['reset', 1],
  ['lost_reply', 2],
  ['malformed', 2],
  ['duplicate', 2],
] as const)(
  'OP-115: updateRedeemStatus meets %s: so often it arrives: %i, and the points go back once',
  async (fault, times) => {
    const { sandbox, heard } = await partnered();
    await failing(sandbox, { target: 'updateRedeemStatus', fault, times: 1 });
    await vendorWill(sandbox, voucher.sku, { outcome: 'reject' });
    ok(await order(sandbox));
    await advance(sandbox, 7);
    expect(bodiesOf(heard, 'updateRedeemStatus')).toHaveLength(times);
    const { balance, entries } = await ledgerOf(sandbox, 'CUST0001');
    expect([balance, entries.map(({ kind }) => kind)]).toEqual([25_000, ['credit', 'deduct', 'reverse']]);
    expect(await differences(sandbox)).toEqual([]);
  },
);

it('OP-116: a fault is not the failure of the partner: no circuit opens after it', async () => {
  const { sandbox, heard } = await partnered();
  await failing(sandbox, { target: save, fault: 'reset', times: 6 });
  for (const _ of 'ab') expect((await order(sandbox)).response.status).toBe(502);
  ok(await order(sandbox));
  expect(bodiesOf(heard, save)).toHaveLength(1);
});
