/** Tests that every row of the magic value table works as described without preparation, and names its value (OP-72). */
import { describe, expect, it, test } from 'vitest';
import { outgoingTerms } from '../../sandbox/http-client/outgoing.ts';
import { type Expected, magicAmounts, magicCustomers, magicItems } from '../../sandbox/magic/table.ts';
import { flat, refusal, wrapped } from '../harness/envelopes.ts';
import { callsOf, failing } from '../harness/faults.ts';
import { temporaryFolder } from '../harness/folders.ts';
import { advance, order } from '../harness/orders.ts';
import { ok, type TestSandbox, testSandbox } from '../harness/sandbox.ts';
import { ledgerOf } from '../harness/state.ts';
import { handTimer, instantTimer } from '../harness/timer.ts';

const plainItem = 'EGV-CHAI-100';

/** Orders one item and checks the outcome to the second. */
async function expectBehaviour(sandbox: TestSandbox, uid: string, sku: string, expected: Expected, points = 100) {
  const before = await ledgerOf(sandbox, uid);
  const shipping_address = '12 Lake View Road, Bengaluru';
  const placed = await order(sandbox, { uid, line_items: [{ sku, quantity: 1 }], shipping_address });
  const { status, code = 0, message, ends, after = 0 } = expected;
  if (status !== 200) expect(refusal(placed)).toEqual(flat(status, code, message));
  const reference = ok(await sandbox.control.GET('/activity')).items.flatMap((item) => item.redeem_codes)[0];
  const deducted = { kind: 'deduct', points, reference, label: 'Pending' };
  if (after > 0) {
    await advance(sandbox, after - 1);
    expect((await ledgerOf(sandbox, uid)).entries).toEqual([...before.entries, deducted]);
  }
  await advance(sandbox, status === 200 ? Math.min(after, 1) : 60);
  if (ends === undefined) return expect(await ledgerOf(sandbox, uid)).toEqual(before);
  const reversed = ends === 'Reversed' ? [{ ...deducted, kind: 'reverse', label: ends }] : [];
  expect(await ledgerOf(sandbox, uid)).toEqual({
    balance: before.balance - (ends === 'Reversed' ? 0 : points),
    entries: [...before.entries, { ...deducted, label: ends }, ...reversed],
  });
}

it.each(magicItems.map((row) => [row.value, row] as const))('OP-72: %s does what its row says', async (sku, row) => {
  const sandbox = await testSandbox();
  await expectBehaviour(sandbox, 'CUST0001', sku, row.expected, row.physical === true ? 149 : 100);
  const { message = '' } = row.expected;
  if (row.expected.status !== 200) expect(message).toContain(sku);
  if (row.vendor?.reason === undefined) return;
  const { items } = ok(await sandbox.control.GET('/activity', { params: { query: { limit: 10_000 } } }));
  const remarks = items.flatMap((item) =>
    item.kind === 'state' && item.event === 'line.rejected' ? [item.detail.remark] : [],
  );
  expect(remarks).toEqual(row.expected.ends === 'Reversed' ? [row.vendor.reason] : []);
  expect(row.vendor.reason).toContain(sku);
});

it('OP-22: MAGIC-PHY-SLOW outlasts the threshold of a client that reverses: its late delivery is refused', async () => {
  const sandbox = await testSandbox();
  ok(await sandbox.control.PATCH('/workspace', { body: { settings: { on_timeout: 'reverse' } } }));
  const address = { shipping_address: '12 Lake View Road, Bengaluru' };
  ok(await order(sandbox, { line_items: [{ sku: 'MAGIC-PHY-SLOW', quantity: 1 }], ...address }));
  await advance(sandbox, 259_200);
  const { items } = ok(await sandbox.control.GET('/orders'));
  expect(items[0]?.order.lines[0]).toMatchObject({ status: 'Rejected', remark: expect.stringMatching(/^Reversed by/) });
});

describe('customers', () => {
  it.each(magicCustomers.map((row) => [row.value, row] as const))('%s does what its row says', async (uid, row) => {
    const { fault, expected } = row;
    const { sandbox, delays, endWaits } = await sandboxForFault(fault?.ms);
    await expectBehaviour(sandbox, uid, plainItem, expected);
    const sent = await sandbox.auth.POST('/api/v1/auth/generate-otp', { body: { customer_id: uid } });
    if (expected.otp === undefined) expect(sent.response.status).toBe(200);
    else expect(refusal(sent)).toEqual(wrapped(422, expected.otp));
    const { tries = 1 } = expected;
    expect(delays).toEqual(fault?.ms === undefined ? [] : Array(tries).fill(fault.ms));
    if (fault === undefined) return;
    endWaits();
    const faults = await faultsOf(sandbox, fault.targets[0] ?? '', tries);
    expect(faults).toEqual(Array(tries).fill(`fault ${uid}: ${fault.fault}`));
    for (const text of [expected.otp, expected.code === 56 ? expected.message : undefined]) {
      if (text !== undefined) expect(text).toContain(uid);
    }
  });

  it.each(['MAGIC-REFUSED', 'MAGIC-POINTS-CHANGE'])('%s is refused through version 2.0 too', async (customer_id) => {
    const sandbox = await testSandbox();
    const body = { customer_id, line_items: [{ sku: plainItem, quantity: 1 }] };
    const answer = await sandbox.v2Platform(await sandbox.companyToken()).POST('/api/v1/orders', { body });
    const message = magicCustomers.find(({ value }) => value === customer_id)?.expected.message;
    expect(refusal(answer)).toEqual(flat(422, 56, message));
  });
});

/**
 * Starts a sandbox for a fault that waits `ms` milliseconds. If `ms` exceeds the platform's timeout, the timeout is
 * shortened and the fault waits until `endWaits` is called. All other waits end immediately. Also returns the requested
 * delays.
 */
async function sandboxForFault(ms = 0) {
  if (ms <= outgoingTerms.totalTimeout) {
    const { delay, delays } = instantTimer();
    return { sandbox: await testSandbox({ delay }), delays, endWaits: () => {} };
  }
  const { delay, delays, ring } = handTimer();
  return { sandbox: await testSandbox({ delay, outgoing: { totalTimeout: 400 } }), delays, endWaits: ring };
}

/** Returns the faults of an operation's calls, or `null` for calls without a fault. Waits until the log contains `calls` calls. */
async function faultsOf(sandbox: TestSandbox, operation: string, calls: number) {
  await expect.poll(async () => (await callsOf(sandbox, operation)).length).toBe(calls);
  const entries = await callsOf(sandbox, operation);
  return entries.map(({ notices }) => notices.find((notice) => notice.startsWith('fault ')) ?? null);
}

describe('amounts', () => {
  it.each(magicAmounts.map((row) => [row.value, row] as const))('%s does what its row says', async (amount, row) => {
    const { points, credited, tries, after, reason } = row.expected;
    const { sandbox, delays, endWaits } = await sandboxForFault(row.fault?.ms);
    const { control } = sandbox;
    expect(amount, 'can be written in one way only').toMatch(/^\d+\.\d[1-9]$/);
    const body = { uid: 'CUST0002', paymentAmount: amount };
    const paid = ok(await control.POST('/triggers/payment', { body }));
    expect(paid).toMatchObject({ points, answer: { outcome: 'accepted' } });
    if (after > 0) {
      await advance(sandbox, after - 1);
      expect(ok(await control.GET('/deliveries')).items).toMatchObject([{ status: 'due', tries: tries - 1 }]);
    }
    await advance(sandbox, 1);
    const parked = [{ kind: 'creditPoints', status: 'parked', tries, reason, transaction_id: paid.transactionId }];
    expect(ok(await control.GET('/deliveries')).items).toMatchObject(reason === undefined ? [] : parked);
    const { transactionId: reference } = paid;
    const credit = { kind: 'credit', points, reference, label: 'Earned' };
    expect(await ledgerOf(sandbox, 'CUST0002')).toEqual({
      balance: credited ? points : 0,
      entries: credited ? [credit] : [],
    });
    const { fault } = row;
    const times = fault === undefined ? 0 : (fault.times ?? tries);
    endWaits();
    const faults = await faultsOf(sandbox, 'creditPoints', tries);
    const named = `fault MAGIC-AMOUNT-${amount}: ${fault?.fault}`;
    const expectedFaults = Array.from({ length: tries }, (_, index) => (index < times ? named : null));
    // A call is logged when it ends, so a late call can follow its successor in the log.
    expect(faults.toSorted()).toEqual(expectedFaults.toSorted());
    expect(delays).toEqual(fault?.ms === undefined ? [] : Array(times).fill(fault.ms));
  });

  test('each payment of a magic amount triggers its fault, and other amounts never do', async () => {
    const sandbox = await testSandbox();
    const pay = (paymentAmount: string) => sandbox.control.POST('/triggers/payment', { body: { paymentAmount } });
    for (const amount of ['4503.01', '4503.01', '4503.10', '450.01']) ok(await pay(amount));
    await advance(sandbox, 0);
    expect(ok(await sandbox.control.GET('/deliveries')).items).toHaveLength(2);
    await advance(sandbox, 305);
    expect(ok(await sandbox.control.GET('/deliveries')).items).toEqual([]);
  });

  test('0.01 earns nothing even at the highest rate', async () => {
    const sandbox = await testSandbox();
    ok(await sandbox.control.PATCH('/workspace', { body: { settings: { points_per_100_inr: 1000 } } }));
    const paid = ok(await sandbox.control.POST('/triggers/payment', { body: { paymentAmount: '0.01' } }));
    expect(paid.points).toBe(0);
  });
});

test('a refused call names its magic values in X-Problem and in the log; an accepted call does not', async () => {
  const sandbox = await testSandbox();
  const refused = await order(sandbox, { uid: 'MAGIC-ZERO' });
  const hint = 'magic value MAGIC-ZERO, see docs/magic-values.md#magic-zero';
  expect(refused.response.headers.get('x-problem')).toBe(hint);
  const accepted = await order(sandbox, { line_items: [{ sku: 'MAGIC-EGV-SLOW', quantity: 1 }] });
  expect(accepted.response.headers.get('x-problem')).toBeNull();
  expect(await callsOf(sandbox, 'createRedemptionOrder')).toEqual([
    { status: 422, notices: [hint] },
    { status: 200, notices: [] },
  ]);
});

test('OP-72: no magic value is in a listing of items, customers or faults', async () => {
  const { control, rewards, companyToken } = await testSandbox();
  const page = ok(
    await rewards(await companyToken()).GET('/v1/partner/rewards', { params: { query: { limit: 200 } } }),
  );
  const { items: stock } = ok(await control.GET('/catalogue'));
  const { items: customers } = ok(await control.GET('/customers'));
  expect([page.items.length, stock.length, customers.length]).toEqual([150, 150, 31]);
  expect(JSON.stringify([page, stock, customers])).not.toContain('MAGIC');
  expect(ok(await control.GET('/faults'))).toEqual({ items: [], next: null });
});

test('delivering a magic item does not add it to the catalogue', async () => {
  const sandbox = await testSandbox();
  ok(await order(sandbox, { line_items: [{ sku: 'MAGIC-EGV-FLAKY', quantity: 2 }] }));
  await advance(sandbox, 12);
  expect(ok(await sandbox.control.GET('/messages')).items).toHaveLength(2);
  expect(ok(await sandbox.control.GET('/catalogue')).items).toHaveLength(150);
});

test('a permanent fault survives the deletion of all faults, and affects only calls about its customer', async () => {
  const sandbox = await testSandbox();
  await failing(sandbox, { target: 'saveRedeemDetails', fault: 'reset' });
  await sandbox.control.DELETE('/faults');
  ok(await order(sandbox));
  expect((await order(sandbox, { uid: 'MAGIC-REFUSED' })).error).toMatchObject({ code: 56 });
});

test('the client names the magic value in X-Fault and X-Problem', async () => {
  const { urls, credentials } = await testSandbox();
  const headers = { Authorization: `Bearer ${credentials.service_token}`, 'Content-Type': 'application/json' };
  const body = JSON.stringify({ uid: 'MAGIC-POINTS-CHANGE' });
  const reply = await fetch(`${urls.client}/saveRedeemDetails`, { method: 'POST', headers, body });
  expect(await reply.json()).toEqual(wrapped(422, 'User points have changed. (MAGIC-POINTS-CHANGE)').body);
  expect(reply.headers.get('x-fault')).toBe('MAGIC-POINTS-CHANGE');
  expect(reply.headers.get('x-problem')).toBe('injected by MAGIC-POINTS-CHANGE');
});

test('a change to a magic value survives a restart, and a reset undoes it', async () => {
  const dataDir = await temporaryFolder();
  const key = new Uint8Array(32).fill(7);
  const path = { params: { path: { sku_code: 'MAGIC-EGV-STUCK' } } };
  const before = await testSandbox({ dataDir, key });
  expect((await before.control.DELETE('/vendor-outcomes/{sku_code}', path)).response.status).toBe(204);
  await before.close();
  const { control } = await testSandbox({ dataDir, key });
  expect(ok(await control.GET('/vendor-outcomes/{sku_code}', path))).toMatchObject({ outcome: 'deliver' });
  ok(await control.POST('/reset'));
  expect(ok(await control.GET('/vendor-outcomes/{sku_code}', path))).toMatchObject({ outcome: 'never' });
});
