/** Shared workspaces leave memory while nobody needs them, and are loaded again (OP-211, OP-212). */
import { expect, it, vi } from 'vitest';
import { realTimer, type Timer } from '../../sandbox/runtime/timer.ts';
import type { SandboxOptions } from '../../sandbox/sandbox.ts';
import { postgres } from '../harness/postgres.ts';
import { ok, raw, testSandbox } from '../harness/sandbox.ts';
import { orderIn, workspaceOf } from '../harness/workspaces.ts';

const database = postgres();
const minute = 60_000;
/** Waits until it is so: for as long as a loaded machine may take. */
const until = (look: () => boolean | Promise<boolean>) => vi.waitUntil(look, { timeout: minute, interval: 20 });

/** One instance that shares its workspaces, whose look for idle workspaces the test rings itself. */
async function instance(options: SandboxOptions = {}) {
  const looks = new Set<() => void>();
  const timer: Timer = (run, milliseconds) => {
    if (milliseconds !== minute) return realTimer(run, milliseconds);
    looks.add(run);
    return () => void looks.delete(run);
  };
  const store = await database();
  const sandbox = await testSandbox({
    ...{ store, key: Buffer.alloc(32, 5), share: { port: 0 }, operations: { port: 0 }, timer, ...options },
  });
  /** Looks which workspaces can leave, and resolves once that is done. */
  const look = async () => {
    await until(() => looks.size > 0);
    for (const run of looks) if (looks.delete(run)) run();
    await until(() => looks.size > 0);
  };
  const loaded = async () => {
    const text = await (await fetch(`${sandbox.operations}/metrics`)).text();
    return Number(/^rewards_sandbox_workspaces_loaded (\d+)/m.exec(text)?.[1]);
  };
  return { ...sandbox, look, loaded };
}

it('OP-211: an idle workspace leaves memory, is listed as before, and its next call finds it as it was', async () => {
  const sandbox = await instance({ idleMilliseconds: 0 });
  const own = await workspaceOf(sandbox, { settings: { rate_limit: 77 } });
  const before = ok(await own.control.GET('/workspace'));
  const listed = ok(await sandbox.control.GET('/workspaces')).items.map(({ id }) => id);
  await sandbox.look();
  expect(await sandbox.loaded()).toBe(1);
  expect(ok(await sandbox.control.GET('/workspaces')).items.map(({ id }) => id)).toEqual(listed);
  expect(ok(await own.control.GET('/workspace'))).toEqual(before);
  expect(await sandbox.loaded()).toBe(2);
});

it('OP-211: a workspace stays in memory as long as a reader of its log is connected', async () => {
  const sandbox = await instance({ idleMilliseconds: 0 });
  const own = await workspaceOf(sandbox);
  const leave = new AbortController();
  const headers = { authorization: `Bearer ${own.shown.admin_token}` };
  const stream = await fetch(`${sandbox.urls.sandbox}/activity/stream`, { headers, signal: leave.signal });
  expect(stream.status).toBe(200);
  await sandbox.look();
  expect(await sandbox.loaded()).toBe(2);
  leave.abort();
  await until(async () => {
    await sandbox.look();
    return (await sandbox.loaded()) === 1;
  });
});

it('OP-211: due work loads its workspace again and is done', async () => {
  const sandbox = await instance({ idleMilliseconds: 0 });
  const own = await workspaceOf(sandbox, { clock: 'running' });
  const path = { sku_code: 'EGV-SPICE-500' };
  // Due work within a minute keeps a workspace in memory.
  const body = { outcome: 'deliver', delay_seconds: 62 } as const;
  ok(await own.control.PUT('/vendor-outcomes/{sku_code}', { params: { path }, body }));
  await orderIn(own);
  await sandbox.look();
  expect(await sandbox.loaded()).toBe(1);
  await vi.waitUntil(async () => (await sandbox.loaded()) === 2, { timeout: 3 * minute, interval: 200 });
  await until(async () => {
    const { items } = ok(await own.control.GET('/messages', { params: { query: { uid: 'CUST0001' } } }));
    return items[0]?.kind === 'voucher';
  });
});

it('OP-212: with all in use, a call for another workspace gets 503 with Retry-After after five seconds, and is served once one is idle', async () => {
  const sandbox = await instance({ maxLoaded: 2 });
  const one = await workspaceOf(sandbox);
  const two = await workspaceOf(sandbox);
  const leave = new AbortController();
  const bearer = ({ shown }: typeof one) => ({ authorization: `Bearer ${shown.admin_token}` });
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
