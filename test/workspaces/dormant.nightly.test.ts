/** Idle shared workspaces are unloaded from memory and reloaded on demand (OP-211, OP-212). */
import { expect, it, vi } from 'vitest';
import { realTimer, type Timer } from '../../sandbox/runtime/clock.ts';
import type { SandboxOptions } from '../../sandbox/sandbox.ts';
import { postgres } from '../harness/postgres.ts';
import { ok, raw, testSandbox } from '../harness/sandbox.ts';
import { orderIn, workspaceOf } from '../harness/workspaces.ts';

const database = postgres();
const minute = 60_000;
/** Waits until a condition holds, with a timeout that suits a busy machine. */
const until = (condition: () => boolean | Promise<boolean>) =>
  vi.waitUntil(condition, { timeout: minute, interval: 20 });

/** Starts an instance that shares its workspaces. The test triggers its check for idle workspaces. */
async function instance(options: SandboxOptions = {}) {
  const idleChecks = new Set<() => void>();
  const timer: Timer = (run, milliseconds) => {
    if (milliseconds !== minute) return realTimer(run, milliseconds);
    idleChecks.add(run);
    return () => void idleChecks.delete(run);
  };
  const store = await database();
  const sandbox = await testSandbox({
    store,
    key: Buffer.alloc(32, 5),
    share: { port: 0 },
    operations: { port: 0 },
    timer,
    ...options,
  });
  /** Runs the check for idle workspaces. Resolves when they are unloaded. */
  const checkIdle = async () => {
    await until(() => idleChecks.size > 0);
    for (const run of idleChecks) if (idleChecks.delete(run)) run();
    await until(() => idleChecks.size > 0);
  };
  const loaded = async () => {
    const text = await (await fetch(`${sandbox.operations}/metrics`)).text();
    return Number(/^rewards_sandbox_workspaces_loaded (\d+)/m.exec(text)?.[1]);
  };
  return { ...sandbox, checkIdle, loaded };
}

it('OP-211: an idle workspace is unloaded, stays in the list, and its next call loads it unchanged', async () => {
  const sandbox = await instance({ idleMilliseconds: 0 });
  const own = await workspaceOf(sandbox, { settings: { rate_limit: 77 } });
  const before = ok(await own.control.GET('/workspace'));
  const listed = ok(await sandbox.control.GET('/workspaces')).items.map(({ id }) => id);
  await sandbox.checkIdle();
  expect(await sandbox.loaded()).toBe(1);
  expect(ok(await sandbox.control.GET('/workspaces')).items.map(({ id }) => id)).toEqual(listed);
  expect(ok(await own.control.GET('/workspace'))).toEqual(before);
  expect(await sandbox.loaded()).toBe(2);
});

it('OP-211: a workspace stays in memory while a reader of its log is connected', async () => {
  const sandbox = await instance({ idleMilliseconds: 0 });
  const own = await workspaceOf(sandbox);
  const leave = new AbortController();
  const headers = { authorization: `Bearer ${own.details.admin_token}` };
  const stream = await fetch(`${sandbox.urls.sandbox}/activity/stream`, { headers, signal: leave.signal });
  expect(stream.status).toBe(200);
  await sandbox.checkIdle();
  expect(await sandbox.loaded()).toBe(2);
  leave.abort();
  await until(async () => {
    await sandbox.checkIdle();
    return (await sandbox.loaded()) === 1;
  });
});

it('OP-211: due work loads its dormant workspace and runs', async () => {
  const sandbox = await instance({ idleMilliseconds: 0 });
  const own = await workspaceOf(sandbox, { clock: 'running' });
  const path = { sku_code: 'EGV-SPICE-500' };
  // Work due within a minute keeps a workspace in memory.
  const body = { outcome: 'deliver', delay_seconds: 62 } as const;
  ok(await own.control.PUT('/vendor-outcomes/{sku_code}', { params: { path }, body }));
  await orderIn(own);
  await sandbox.checkIdle();
  expect(await sandbox.loaded()).toBe(1);
  await vi.waitUntil(async () => (await sandbox.loaded()) === 2, { timeout: 3 * minute, interval: 200 });
  await until(async () => {
    const { items } = ok(await own.control.GET('/messages', { params: { query: { uid: 'CUST0001' } } }));
    return items[0]?.kind === 'voucher';
  });
});

it('OP-212: with all memory slots in use, a call for another workspace gets 503 with Retry-After after five seconds, and succeeds once one is idle', async () => {
  const sandbox = await instance({ maxLoaded: 2 });
  const one = await workspaceOf(sandbox);
  const two = await workspaceOf(sandbox);
  const leave = new AbortController();
  const bearer = ({ details }: typeof one) => ({ authorization: `Bearer ${details.admin_token}` });
  await fetch(`${sandbox.urls.sandbox}/activity/stream`, { headers: bearer(one), signal: leave.signal });
  const refused = await raw(`${sandbox.urls.sandbox}/clock`, { headers: bearer(two) });
  expect([refused.status, refused.body, refused.headers.get('retry-after'), refused.headers.get('x-problem')]).toEqual([
    503,
    {
      name: 'Service Unavailable',
      message: 'Temporarily unavailable',
      code: 65,
      status: 503,
      type: 'ServiceUnavailableHttpException',
    },
    '1',
    'no instance can currently serve the workspace',
  ]);
  const served = raw(`${sandbox.urls.sandbox}/clock`, { headers: bearer(two) });
  leave.abort();
  expect((await served).status).toBe(200);
});
