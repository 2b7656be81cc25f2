/**
 * Tests `wait` and `after` on messages, activity, orders and redemptions (OP-42, OP-84). The tests check the order of
 * events and measure no time.
 */
import { expect, it } from 'vitest';
import { advance, order, setStock } from '../harness/orders.ts';
import { ok, raw, type TestSandbox, testSandbox } from '../harness/sandbox.ts';
import { receiver } from '../harness/webhook-receiver.ts';

/** Starts a sandbox whose real-time timers the test fires. `waiting` resolves once that many callers are waiting. */
async function waitingSandbox() {
  const rings: (() => void)[] = [];
  let wake = () => {};
  let isStarted = false;
  const sandbox = await testSandbox({
    timer: (ring) => {
      // Timers that the sandbox sets during its start do not belong to a caller.
      if (!isStarted) return () => {};
      rings.push(ring);
      wake();
      return () => rings.splice(rings.indexOf(ring), 1);
    },
  });
  isStarted = true;
  const waiting = async (callers: number) => {
    while (rings.length < callers) await new Promise<void>((resolve) => (wake = resolve));
  };
  return { ...sandbox, rings, waiting };
}

const otpFor = async ({ auth }: TestSandbox, customer_id: string) =>
  ok(await auth.POST('/api/v1/auth/generate-otp', { body: { customer_id } }));

it('a waiting caller gets a message of its customer as soon as it is in the outbox, and no other', async () => {
  const sandbox = await waitingSandbox();
  const query = { uid: 'CUST0001', wait: 60 };
  const message = sandbox.control.GET('/messages', { params: { query } }).then(ok);
  await sandbox.waiting(1);
  await otpFor(sandbox, 'CUST0002');
  expect(sandbox.rings).toHaveLength(1);
  await otpFor(sandbox, 'CUST0001');
  expect((await message).items).toMatchObject([{ seq: 2, uid: 'CUST0001', kind: 'otp' }]);
  expect(sandbox.rings).toEqual([]);
});

it('with `after`, only a newer message counts', async () => {
  const sandbox = await waitingSandbox();
  await otpFor(sandbox, 'CUST0001');
  const read = (query: { after: number; wait?: number }) =>
    sandbox.control.GET('/messages', { params: { query: { uid: 'CUST0001', ...query } } }).then(ok);
  expect((await read({ after: 0, wait: 60 })).items).toHaveLength(1);
  const next = read({ after: 1, wait: 60 });
  await sandbox.waiting(1);
  await otpFor(sandbox, 'CUST0001');
  expect((await next).items).toMatchObject([{ seq: 2 }]);
});

it('when the wait ends, the reply is an empty list', async () => {
  const sandbox = await waitingSandbox();
  const message = sandbox.control.GET('/messages', { params: { query: { wait: 1 } } }).then(ok);
  await sandbox.waiting(1);
  sandbox.rings[0]?.();
  expect(await message).toEqual({ items: [], next: null });
});

it('a caller can follow the log from call to call without a gap', async () => {
  const sandbox = await waitingSandbox();
  const code = ok(await order(sandbox)).lines[0]?.redeemCode ?? '';
  const read = (query: { after?: number; wait?: number; redeem_code?: string }) =>
    sandbox.control.GET('/activity', { params: { query } }).then(ok);
  const last = (await read({})).items.at(-1)?.seq ?? 0;
  const next = read({ after: last, wait: 60, redeem_code: code });
  await sandbox.waiting(1);
  await otpFor(sandbox, 'CUST0002');
  expect(sandbox.rings).toHaveLength(1);
  await advance(sandbox, 2);
  const { items } = await next;
  // One reply contains all entries of the same event-loop turn.
  expect(items[0]).toMatchObject({ event: 'vendor.delivered', redeem_codes: [code] });
  const { items: after } = await read({ after: last, redeem_code: code });
  expect(after.slice(0, items.length)).toEqual(items);
});

it('a redemption returns its next step as soon as it happens', async () => {
  const sandbox = await waitingSandbox();
  const path = { redeemCode: ok(await order(sandbox)).lines[0]?.redeemCode ?? '' };
  const read = (query: { after?: number; wait?: number }) =>
    sandbox.control.GET('/redemptions/{redeemCode}', { params: { path, query } }).then(ok);
  const after = (await read({})).items.at(-1)?.seq ?? 0;
  const next = read({ after, wait: 60 });
  await sandbox.waiting(1);
  await advance(sandbox, 2);
  const { items, platform } = await next;
  expect(items[0]).toMatchObject({ event: 'vendor.delivered' });
  expect(platform).toMatchObject({ points: 500 });
});

it('OP-84: a waiting caller gets the next order of a customer as soon as it is placed', async () => {
  const sandbox = await waitingSandbox();
  const read = (query: { uid: string; after: number; wait?: number }) =>
    sandbox.control.GET('/orders', { params: { query } }).then(ok);
  const first = read({ uid: 'CUST0001', after: 0, wait: 60 });
  await sandbox.waiting(1);
  ok(await order(sandbox, { uid: 'CUST0005' }));
  await order(sandbox, { line_items: [{ sku: 'MAGIC-EGV-OUT-OF-STOCK', quantity: 1 }] });
  expect(sandbox.rings).toHaveLength(1);
  const { order_id } = ok(await order(sandbox));
  const { items } = await first;
  expect(items).toMatchObject([{ uid: 'CUST0001', order: { order_id, status: 'Pending' } }]);

  const next = read({ uid: 'CUST0001', after: items[0]?.seq ?? 0, wait: 60 });
  await sandbox.waiting(1);
  await advance(sandbox, 2);
  expect(sandbox.rings).toHaveLength(1);
  const second = ok(await order(sandbox));
  expect((await next).items.map(({ order }) => order)).toEqual([second]);
});

it('OP-84: a waiting caller gets an order when it is no longer Pending, or its current state when the wait ends', async () => {
  const sandbox = await waitingSandbox();
  const path = { order_id: ok(await order(sandbox)).order_id };
  const read = (wait: number) =>
    sandbox.control.GET('/orders/{order_id}', { params: { path, query: { wait } } }).then(ok);
  const early = read(1);
  await sandbox.waiting(1);
  sandbox.rings[0]?.();
  expect((await early).order.status).toBe('Pending');

  const result = read(60);
  await sandbox.waiting(1);
  await advance(sandbox, 1);
  ok(await order(sandbox));
  expect(sandbox.rings).toHaveLength(1);
  await advance(sandbox, 1);
  expect((await result).order.status).toBe('Delivered');
  expect((await read(60)).order.status).toBe('Delivered');
});

it('OP-84: a caller can wait for the first order with a status', async () => {
  const sandbox = await waitingSandbox();
  const query = { status: 'Rejected', wait: 60 } as const;
  const orders = sandbox.control.GET('/orders', { params: { query } }).then(ok);
  await sandbox.waiting(1);
  ok(await order(sandbox));
  ok(await order(sandbox, { line_items: [{ sku: 'MAGIC-EGV-REJECTED', quantity: 1 }] }));
  expect(sandbox.rings).toHaveLength(1);
  await advance(sandbox, 2);
  expect((await orders).items).toMatchObject([{ order: { lines: [{ sku_code: 'MAGIC-EGV-REJECTED' }] } }]);
});

it('OP-85: a waiting caller gets a try of a webhook as soon as it is made', async () => {
  const sandbox = await waitingSandbox();
  const path = { webhook_id: (await receiver(sandbox)).webhook_id };
  const query = { after: 0, wait: 60 };
  const tries = sandbox.control.GET('/webhooks/{webhook_id}/deliveries', { params: { path, query } }).then(ok);
  await sandbox.waiting(1);
  await setStock(sandbox, 7);
  expect(sandbox.rings).toHaveLength(1);
  await advance(sandbox, 0);
  expect((await tries).items).toMatchObject([{ seq: 1, state: 'delivered' }]);
});

it('a caller that disconnects frees its slot', async () => {
  const sandbox = await waitingSandbox();
  const abort = new AbortController();
  const reply = raw(`${sandbox.urls.sandbox}/messages?wait=60`, { signal: abort.signal }).catch(() => 'disconnected');
  await sandbox.waiting(1);
  const before = [...sandbox.rings];
  abort.abort();
  expect(await reply).toBe('disconnected');
  // The sandbox detects the closed socket slightly later than the caller does.
  await expect.poll(() => sandbox.rings.filter((ring) => before.includes(ring))).toEqual([]);
});

it('closing the sandbox ends every wait immediately, with a reply', async () => {
  const sandbox = await waitingSandbox();
  const waits = ['/messages?wait=60', '/activity?wait=60'].map((path) => raw(`${sandbox.urls.sandbox}${path}`));
  await sandbox.waiting(2);
  const closing = sandbox.close();
  expect((await Promise.all(waits)).map(({ status, body }) => [status, body])).toEqual([
    [200, { items: [], next: null }],
    [200, { items: [], next: null }],
  ]);
  await closing;
});
