/** Tests a sandbox that stores its data in PostgreSQL (OP-195, OP-199). */
import { expect, it } from 'vitest';
import { realTimer } from '../../sandbox/runtime/clock.ts';
import { ready, run } from '../harness/command.ts';
import { unavailable } from '../harness/envelopes.ts';
import { serve } from '../harness/http-server.ts';
import { advance, order, redeem } from '../harness/orders.ts';
import { postgres } from '../harness/postgres.ts';
import { ok, type TestSandbox, testSandbox } from '../harness/sandbox.ts';
import { eventsOf, ledgerOf, stateOf } from '../harness/state.ts';
import { orderIn, workspaceOf } from '../harness/workspaces.ts';

const database = postgres();
const key = Buffer.alloc(32, 5);
const env = { REWARDS_SANDBOX_KEY: key.toString('hex') };

/** Returns the whole state of a sandbox, except its address. */
async function comparableStateOf(sandbox: TestSandbox): Promise<unknown> {
  return JSON.parse(JSON.stringify(await stateOf(sandbox)).replaceAll(new URL(sandbox.origin).host, 'here'));
}

const ordersOf = async ({ control }: TestSandbox) => ok(await control.GET('/orders'));
const workspacesOf = async ({ control }: TestSandbox) => ok(await control.GET('/workspaces')).items.map(({ id }) => id);

it('OP-195: a restart keeps everything: orders, ledger, further workspaces, snapshots, due work', async () => {
  const store = await database();
  const first = await testSandbox({ store, key });
  await redeem(first);
  const workspace = await workspaceOf(first);
  await orderIn(workspace);
  ok(await first.control.POST('/snapshots', { body: { name: 'before' } }));
  const [orders, ledger] = [await ordersOf(first), await ledgerOf(first, 'CUST0001')];
  const [state, ids] = [await comparableStateOf(first), await workspacesOf(first)];
  await first.close();
  const second = await testSandbox({ store, key });
  expect(await comparableStateOf(second)).toEqual(state);
  expect(await workspacesOf(second)).toEqual(ids);
  expect(await advance(second, 3600)).toBeGreaterThan(0);
  expect(await eventsOf(second)).toMatchObject({ 'redemption.delivered': 1 });
  const [snapshot] = ok(await second.control.GET('/snapshots')).items;
  ok(await second.control.POST('/snapshots/{id}/restore', { params: { path: { id: snapshot?.id ?? '' } } }));
  expect([await ordersOf(second), await ledgerOf(second, 'CUST0001')]).toEqual([orders, ledger]);
});

it('OP-195: a database without a key is refused, and so is a wrong key', async () => {
  const store = await database();
  await expect(testSandbox({ store })).rejects.toThrow('REWARDS_SANDBOX_KEY');
  await (await testSandbox({ store, key })).close();
  await expect(testSandbox({ store, key: Buffer.alloc(32, 6) })).rejects.toMatchObject({ code: 'wrong_key' });
});

it('OP-199: a new process takes over from a killed one within five seconds, with every acknowledged change', async () => {
  const store = await database();
  const first = await ready(['--store', store, '--clock', 'frozen'], env);
  const customers = `${first.urls.sandbox}/customers`;
  const headers = { 'content-type': 'application/json' };
  const statuses = Array.from({ length: 20 }, async (_, n) => {
    const body = JSON.stringify({ uid: `CUST7${String(n).padStart(3, '0')}` });
    return (await fetch(customers, { method: 'POST', headers, body })).status;
  });
  expect(new Set(await Promise.all(statuses))).toEqual(new Set([201]));
  first.child.kill('SIGKILL');
  const began = performance.now();
  const second = await ready(['--store', store], env);
  expect(performance.now() - began).toBeLessThan(5000 + 2000);
  const { items } = (await (await fetch(`${second.urls.sandbox}/customers`)).json()) as { items: { uid: string }[] };
  expect(items.filter(({ uid }) => uid.startsWith('CUST7'))).toHaveLength(20);
  second.child.kill('SIGTERM');
  expect(await second.ended).toMatchObject({ code: 0 });
});

it('OP-199: a process that was paused for longer than its lease serves and writes nothing after it resumes', async () => {
  const store = await database();
  const first = await ready(['--store', store, '--clock', 'frozen'], env);
  first.child.kill('SIGSTOP');
  const second = await ready(['--store', store], env);
  const added = await fetch(`${second.urls.sandbox}/customers`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ uid: 'CUST7001' }),
  });
  expect(added.status).toBe(201);
  first.child.kill('SIGCONT');
  const stale = await fetch(`${first.urls.sandbox}/customers`);
  expect([stale.status, stale.headers.get('retry-after'), await stale.json()]).toEqual([
    503,
    expect.stringMatching(/^\d+$/),
    unavailable.body,
  ]);
  first.child.kill('SIGTERM');
  second.child.kill('SIGTERM');
  expect((await second.ended).code).toBe(0);
  await first.ended;
});

it('OP-199: an order whose lease is in doubt before the deduction is refused with `Retry-After`, and a repeat places it', async () => {
  const renewals: (() => void)[] = [];
  let isPaused = false;
  const timer = (run: () => void, milliseconds: number) => {
    if (!isPaused || milliseconds !== 1000) return realTimer(run, milliseconds);
    renewals.push(run);
    return () => {};
  };
  const sandbox = await testSandbox({ store: await database(), key, timer });
  const reference = sandbox.urls.client;
  const calledPaths: string[] = [];
  const client_url = await serve(async (request, body, response) => {
    const { host: _, connection: __, 'content-length': ___, ...headers } = request.headers;
    const [path = ''] = (request.url ?? '').split('?');
    calledPaths.push(path);
    const init = { method: request.method ?? 'GET', headers: headers as never, ...(body !== '' && { body }) };
    const reply = await fetch(`${reference}${request.url}`, init);
    // Delay the balance until the sandbox no longer knows whether it holds its lease.
    if (path === '/getProfileAndPoints' && calledPaths.length === 1) {
      isPaused = true;
      await expect
        .poll(async () => (await sandbox.control.GET('/clock')).response.status, { timeout: 20_000 })
        .toBe(503);
    }
    response.writeHead(reply.status, { 'Content-Type': 'application/json' }).end(await reply.text());
  });
  ok(await sandbox.control.PATCH('/workspace', { body: { settings: { client_url } } }));
  const refused = await order(sandbox, { reference_id: 'R-1' }, 'once');
  expect([refused.response.status, refused.response.headers.get('retry-after'), refused.error]).toEqual([
    503,
    '1',
    unavailable.body,
  ]);
  expect(calledPaths).toEqual(['/getProfileAndPoints']);
  isPaused = false;
  for (const renew of renewals) renew();
  await expect.poll(async () => (await sandbox.control.GET('/clock')).response.status, { timeout: 20_000 }).toBe(200);
  ok(await order(sandbox, { reference_id: 'R-1' }, 'once'));
  await advance(sandbox, 60);
  expect(ok(await sandbox.control.GET('/orders')).items).toMatchObject([
    { order: { reference_id: 'R-1', status: 'Delivered' } },
  ]);
  expect(calledPaths.filter((path) => path !== '/getProfileAndPoints')).toEqual([
    '/saveRedeemDetails',
    '/updateRedeemStatus',
  ]);
});

it('OP-199: a second start while the first process runs exits with code 5 and says that another instance owns the data', async () => {
  const store = await database();
  const first = await ready(['--store', store], env);
  const second = run(['--port', '0', '--store', store], env);
  const { code, stderr } = await second.ended;
  expect([code, stderr]).toEqual([
    5,
    expect.stringContaining(
      'Cannot open the data in PostgreSQL: the demo workspace is owned by another running instance',
    ),
  ]);
  first.child.kill('SIGTERM');
  await first.ended;
});
