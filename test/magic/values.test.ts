/** Every row of the table of magic values does what it says, with no preparation (OP-72). */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished, test } from 'vitest';
import { type Expected, magicCustomers, magicItems } from '../../sandbox/magic/table.ts';
import { flat, refusal, wrapped } from '../contract/envelopes.ts';
import { callsOf, failing } from '../faults/faults.ts';
import { instantTimer } from '../faults/timer.ts';
import { advance, ledgerOf, order } from '../platform/orders.ts';
import { ok, type TestSandbox, testSandbox } from '../sandbox.ts';

const plainItem = 'EGV-CHAI-100';

/** Orders one voucher and compares what comes of it, up to the second. */
async function behaves(sandbox: TestSandbox, uid: string, sku: string, expected: Expected) {
  const before = await ledgerOf(sandbox, uid);
  const placed = await order(sandbox, { uid, line_items: [{ sku, quantity: 1 }] });
  const { status, code = 0, message, ends, after = 0 } = expected;
  if (status !== 200) {
    expect(refusal(placed)).toEqual(flat(status, code, message));
    await advance(sandbox, 60);
    return expect(await ledgerOf(sandbox, uid)).toEqual(before);
  }
  const reference = ok(placed).lines[0]?.redeemCode;
  const deducted = { kind: 'deduct', points: 100, reference, label: 'Pending' };
  await advance(sandbox, after - 1);
  expect((await ledgerOf(sandbox, uid)).entries).toEqual([...before.entries, deducted]);
  await advance(sandbox, 1);
  const reversed = ends === 'Reversed' ? [{ ...deducted, kind: 'reverse', label: ends }] : [];
  expect(await ledgerOf(sandbox, uid)).toEqual({
    balance: before.balance - (ends === 'Reversed' ? 0 : 100),
    entries: [...before.entries, { ...deducted, label: ends }, ...reversed],
  });
}

it.each(magicItems.map((row) => [row.value, row] as const))('OP-72: %s does what its row says', async (sku, row) => {
  const sandbox = await testSandbox();
  await behaves(sandbox, 'CUST0001', sku, row.expected);
  if (row.vendor?.reason === undefined) return;
  const { items } = ok(await sandbox.control.GET('/activity', { params: { query: { limit: 10_000 } } }));
  const remarks = items.flatMap((item) =>
    item.kind === 'state' && item.event === 'line.rejected' ? [item.detail.remark] : [],
  );
  expect(remarks).toEqual(row.expected.ends === 'Reversed' ? [row.vendor.reason] : []);
  expect(row.vendor.reason).toContain(sku);
});

describe('customers', () => {
  it.each(magicCustomers.map((row) => [row.value, row] as const))('%s does what its row says', async (uid, row) => {
    const { delay, asked } = instantTimer();
    const sandbox = await testSandbox({ delay });
    await behaves(sandbox, uid, plainItem, row.expected);
    const sent = await sandbox.auth.POST('/api/v1/auth/generate-otp', { body: { customer_id: uid } });
    if (row.expected.otp === undefined) expect(sent.response.status).toBe(200);
    else expect(refusal(sent)).toEqual(wrapped(422, row.expected.otp));
    expect(asked).toEqual(row.fault?.ms === undefined ? [] : [row.fault.ms]);
    if (row.fault === undefined) return;
    const [call] = await callsOf(sandbox, row.fault.target);
    expect(call?.notices).toEqual([`fault ${uid}: ${row.fault.fault}`]);
  });
});

test('OP-72: no magic value is in a listing of items, customers or faults', async () => {
  const { control, rewards, companyToken } = await testSandbox();
  const page = ok(
    await rewards(await companyToken()).GET('/v1/partner/rewards', { params: { query: { limit: 200 } } }),
  );
  const { items: stock } = ok(await control.GET('/catalogue'));
  const { items: customers } = ok(await control.GET('/customers'));
  expect([page.items.length, stock.length, customers.length]).toEqual([140, 140, 25]);
  expect(JSON.stringify([page, stock, customers])).not.toContain('MAGIC');
  expect(ok(await control.GET('/faults'))).toEqual({ items: [] });
});

test('a delivery of a magic item does not put it into the catalogue', async () => {
  const sandbox = await testSandbox();
  ok(await order(sandbox, { line_items: [{ sku: 'MAGIC-EGV-FLAKY', quantity: 2 }] }));
  await advance(sandbox, 12);
  expect(ok(await sandbox.control.GET('/messages')).items).toHaveLength(2);
  expect(ok(await sandbox.control.GET('/catalogue')).items).toHaveLength(140);
});

test('a standing fault survives the deletion of all faults, and meets calls about its customer only', async () => {
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
  expect(await reply.json()).toEqual(wrapped(422, 'User points have changed.').body);
  expect(reply.headers.get('x-fault')).toBe('MAGIC-POINTS-CHANGE');
  expect(reply.headers.get('x-problem')).toBe('injected by MAGIC-POINTS-CHANGE');
});

test('what is changed about a magic value outlasts a restart, and a reset takes it back', async () => {
  const dataDir = await mkdtemp(join(tmpdir(), 'magic-'));
  onTestFinished(() => rm(dataDir, { recursive: true }));
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
