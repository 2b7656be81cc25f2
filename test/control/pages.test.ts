/** Tests paging of lists in the control API (OP-82). */
import { expect, it } from 'vitest';
import { order } from '../harness/orders.ts';
import { ok, raw, type TestSandbox, testSandbox } from '../harness/sandbox.ts';

interface Page {
  readonly items: readonly Record<string, unknown>[];
  readonly next: string | number | null;
}

async function pageOf({ urls }: TestSandbox, path: string, query: string): Promise<Page> {
  const { status, body } = await raw(`${urls.sandbox}${path}?${query}`);
  expect(status).toBe(200);
  return body as Page;
}

/** Returns all items of a list, read from a position in pages of `limit` items. */
async function walk(sandbox: TestSandbox, path: string, limit: number, from: string) {
  const items: Record<string, unknown>[] = [];
  for (let at = from; ; ) {
    const page = await pageOf(sandbox, path, `limit=${limit}${at}`);
    expect(page.items.length).toBeLessThanOrEqual(limit);
    items.push(...page.items);
    if (page.next === null) return items;
    at = `&after=${encodeURIComponent(page.next)}`;
  }
}

/** Starts a sandbox with items in every list. */
async function filledSandbox() {
  const sandbox = await testSandbox();
  for (let orders = 0; orders < 5; orders += 1) ok(await order(sandbox));
  for (const sku_code of ['EGV-CHAI-100', 'EGV-SPICE-500', 'PHY-KETTLE-01']) {
    const params = { path: { sku_code } };
    ok(await sandbox.control.PUT('/vendor-outcomes/{sku_code}', { params, body: { outcome: 'deliver' } }));
  }
  for (const fault of ['malformed', 'reset', 'lost_reply'] as const) {
    ok(await sandbox.control.POST('/faults', { body: { target: 'getWalletDetail', fault } }));
  }
  ok(await sandbox.control.POST('/settle'));
  ok(await sandbox.control.POST('/clock/advance', { body: { seconds: 5 } }));
  for (let codes = 0; codes < 3; codes += 1) {
    ok(await sandbox.auth.POST('/api/v1/auth/generate-otp', { body: { customer_id: `CUST000${codes + 2}` } }));
  }
  return sandbox;
}

it('OP-82: reading pages of two returns each item once, in the order of the whole list', async () => {
  const sandbox = await filledSandbox();
  const keys = {
    '/customers': ['uid', ''],
    '/catalogue': ['id', ''],
    '/vendor-outcomes': ['sku_code', ''],
    '/faults': ['id', ''],
    '/ledger/CUST0001': ['reference', ''],
    '/orders': ['seq', '&after=0'],
    '/activity': ['seq', '&after=0'],
  } as const;
  for (const [path, [key, from]] of Object.entries(keys)) {
    const whole = await pageOf(sandbox, path, `limit=1000${from}`);
    expect(whole.next).toBe(null);
    expect(whole.items.length).toBeGreaterThan(2);
    const items = await walk(sandbox, path, 2, from);
    expect([path, items.map((item) => item[key])]).toEqual([path, whole.items.map((item) => item[key])]);
  }
});

it('OP-82: the outbox lists the newest first, and pages with `after` continue toward the newest', async () => {
  const sandbox = await filledSandbox();
  const seqs = ({ items }: Page) => items.map(({ seq }) => seq);
  const newest = await pageOf(sandbox, '/messages', 'limit=2');
  expect([seqs(newest), newest.next]).toEqual([[3, 2], null]);
  const first = await pageOf(sandbox, '/messages', 'limit=2&after=0');
  expect([seqs(first), first.next]).toEqual([[2, 1], 2]);
  const second = await pageOf(sandbox, '/messages', 'limit=2&after=2');
  expect([seqs(second), second.next]).toEqual([[3], null]);
});

it('OP-82: a page has at most 1 MiB, and the next one continues after it', async () => {
  const sandbox = await testSandbox();
  const name = 'x'.repeat(1500);
  const body = JSON.stringify({ secret: name });
  const headers = { 'content-type': 'application/json' };
  const signIn = () => raw(`${sandbox.urls.rewards}/v1/company/auth?${name}`, { method: 'POST', headers, body });
  // Low enough that even a busy machine accepts all calls.
  const concurrency = 28;
  for (let calls = 0; calls < 1400; calls += concurrency)
    await Promise.all(Array.from({ length: concurrency }, signIn));
  const newest = await pageOf(sandbox, '/activity', 'limit=10000');
  const oldest = await pageOf(sandbox, '/activity', 'limit=10000&after=0');
  for (const page of [newest, oldest]) {
    const bytes = Buffer.byteLength(JSON.stringify(page.items));
    expect(bytes).toBeGreaterThan(900 * 1024);
    expect(bytes).toBeLessThan(1100 * 1024);
  }
  expect(newest.items.at(-1)?.seq).toBe(1400);
  expect(oldest.next).toBe(oldest.items.at(-1)?.seq);
  const rest = await pageOf(sandbox, '/activity', `limit=10000&after=${oldest.next}`);
  expect(rest.items[0]?.seq).toBe(Number(oldest.next) + 1);
});
