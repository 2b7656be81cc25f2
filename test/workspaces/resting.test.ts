/** Workspaces that leave memory while nobody needs them, and come back (OP-211, OP-212). */
import { cp } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import type { SandboxOptions } from '../../sandbox/sandbox.ts';
import { diskFiles } from '../../sandbox/store/files.ts';
import { diskStorage } from '../../sandbox/workspaces/storage.ts';
import { beside } from '../harness/beside.ts';
import { copyOfFolder, temporaryFolder } from '../harness/folders.ts';
import { ok, raw, signIn, testSandbox } from '../harness/sandbox.ts';
import { companyTokenOf, opened, orderIn, workspaceOf } from '../harness/workspaces.ts';

const minute = 60_000;
/** Waits until it is so: for as long as a loaded machine may take. */
const until = (look: () => boolean | Promise<boolean>) => vi.waitUntil(look, { timeout: 60_000 });
const start = Date.UTC(2026, 0, 5, 8);

/** A sandbox on a folder, whose timers and whose real time are the test's own. */
async function besideOnDisk(services: Parameters<typeof beside>[2] = {}, given?: string) {
  const dir = given ?? (await temporaryFolder());
  const timers = new Map<() => void, number>();
  const clock = { now: start };
  const storage = diskStorage(dir, { key: undefined, files: diskFiles, warn: expect.fail });
  const made = await beside(storage, undefined, {
    timer: (run, milliseconds) => {
      timers.set(run, milliseconds);
      return () => timers.delete(run);
    },
    realTime: () => clock.now,
    idleMilliseconds: 5 * minute,
    warn: expect.fail,
    ...services,
  });
  made.workspaces.start();
  const create = async (body: object = { clock: 'frozen' }) => {
    const headers = { 'content-type': 'application/json' };
    const reply = await raw(`${made.origin}/sandbox/v1/workspaces`, {
      method: 'POST',
      headers,
      body: JSON.stringify(body),
    });
    const { id, admin_token } = reply.body as { id: string; admin_token: string };
    const at = (path: string, init: RequestInit = {}) =>
      raw(`${made.origin}/sandbox/v1${path}`, {
        ...init,
        headers: { authorization: `Bearer ${admin_token}`, ...headers },
      });
    return { id, at };
  };
  const ring = (milliseconds: (of: number) => boolean) => {
    for (const [run, of] of timers) if (milliseconds(of) && timers.delete(run)) run();
  };
  const inMemory = () => made.workspaces.all.flatMap(({ id, running }) => (running === undefined ? [] : id));
  /** Looks who can leave, and resolves when that is done: the next look is asked for then. */
  const look = async () => {
    ring((of) => of === minute);
    await until(() => [...timers.values()].includes(minute));
  };
  return { ...made, dir, create, clock, timers, ring, look, inMemory };
}

describe('OP-211: a workspace that nobody uses', () => {
  it('leaves memory five minutes after its last call, is listed as before, and the next call finds it as it was', async () => {
    const { create, clock, look, inMemory, origin } = await besideOnDisk();
    const { id, at } = await create({ clock: 'frozen', settings: { rate_limit: 77 } });
    const before = await at('/workspace');
    const listed = await raw(`${origin}/sandbox/v1/workspaces`);
    clock.now += 5 * minute - 1;
    await look();
    expect(inMemory()).toEqual(['demo', id]);
    clock.now += 1;
    await look();
    expect(inMemory()).toEqual(['demo']);
    expect((await raw(`${origin}/sandbox/v1/workspaces`)).body).toMatchObject({
      items: [{ id: 'demo' }, (listed.body as { items: object[] }).items[1]],
    });
    const after = await at('/workspace');
    expect([after.status, after.body]).toEqual([200, before.body]);
    expect(inMemory()).toEqual(['demo', id]);
  });

  it('stays as long as a reader of its log is connected', async () => {
    const { create, clock, look, inMemory, origin } = await besideOnDisk();
    const { id, at } = await create();
    const { body } = await at('/workspace');
    const leave = new AbortController();
    const headers = { authorization: `Bearer ${(body as { admin_token: string }).admin_token}` };
    const stream = await fetch(`${origin}/sandbox/v1/activity/stream`, { headers, signal: leave.signal });
    expect(stream.status).toBe(200);
    clock.now += 60 * minute;
    await look();
    expect(inMemory()).toEqual(['demo', id]);
    leave.abort();
    await until(async () => {
      clock.now += 6 * minute;
      await look();
      return !inMemory().includes(id);
    });
  });

  it('is brought back when work of it falls due by its own clock, and does it', async () => {
    const dataDir = await temporaryFolder();
    const timers = new Map<() => void, number>();
    let now = start;
    const timer = (run: () => void, milliseconds: number) => {
      timers.set(run, milliseconds);
      return () => timers.delete(run);
    };
    const ring = (milliseconds: number) => {
      for (const [run, of] of timers) if (of === milliseconds && timers.delete(run)) run();
    };
    const sandbox = await testSandbox({ dataDir, realTime: () => now, timer, operations: { port: 0 } });
    const own = await workspaceOf(sandbox, { clock: 'running' });
    ok(await own.control.POST('/clock/advance', { body: { seconds: 3600 } }));
    const path = { sku_code: 'EGV-SPICE-500' };
    const body = { outcome: 'deliver', delay_seconds: 7200 } as const;
    ok(await own.control.PUT('/vendor-outcomes/{sku_code}', { params: { path }, body }));
    await orderIn(own);
    now += 6 * minute;
    await until(async () => {
      ring(minute);
      return (await loadedIn(sandbox)) === 1;
    });
    // By its own clock that is in 7,200 s from the order, of which 360 have passed.
    ring(2 * 60 * minute - 6 * minute);
    expect(await loadedIn(sandbox)).toBe(1);
    now = start + 2 * 60 * minute;
    for (const of of new Set(timers.values())) if (of > 100 * minute && of < 120 * minute) ring(of);
    await until(async () => (await loadedIn(sandbox)) === 2);
    await until(async () => {
      // What a loaded machine refuses for a moment is tried again by a timer.
      now += 1_000;
      for (const of of new Set(timers.values())) if (of < minute) ring(of);
      const { items } = ok(await own.control.GET('/messages', { params: { query: { uid: 'CUST0001' } } }));
      return items[0]?.kind === 'voucher';
    });
  });

  it('leaves where memory is full as soon as it is idle, the one first that was used least lately', async () => {
    const { create, clock, inMemory } = await besideOnDisk({ mostLoaded: 3 });
    const one = await create();
    clock.now += 1;
    const two = await create();
    clock.now += 1;
    await one.at('/clock');
    clock.now += 1;
    const three = await create();
    expect(inMemory()).toEqual(['demo', one.id, three.id]);
    expect((await two.at('/clock')).status).toBe(200);
    expect(inMemory()).toEqual(['demo', two.id, three.id]);
  });
});

describe('OP-212: where all in memory are in use', () => {
  it('a call for another one waits, is refused with 503 and Retry-After after five seconds, and is served once one is idle', async () => {
    const { create, origin, ring, timers } = await besideOnDisk({ mostLoaded: 2 });
    const one = await create();
    const two = await create();
    const { body } = await one.at('/workspace');
    const leave = new AbortController();
    const headers = { authorization: `Bearer ${(body as { admin_token: string }).admin_token}` };
    await fetch(`${origin}/sandbox/v1/activity/stream`, { headers, signal: leave.signal });
    const refused = two.at('/clock');
    await until(() => [...timers.values()].includes(5000));
    ring((of) => of === 5000);
    const { status, body: said, headers: told } = await refused;
    expect([status, said, told.get('retry-after'), told.get('x-problem')]).toEqual([
      503,
      {
        name: 'Service Unavailable',
        message: 'Temporarily unavailable',
        code: 65,
        status: 503,
        type: 'ServiceUnavailableHttpException',
      },
      '1',
      'the workspace is not in memory and cannot be loaded now',
    ]);
    ring((of) => of === 100);
    const served = two.at('/clock');
    await until(() => [...timers.values()].includes(5000));
    leave.abort();
    expect((await served).status).toBe(200);
  });
});

/** How many workspaces are in memory. */
async function loadedIn({ operations }: { readonly operations: string | undefined }): Promise<number> {
  const text = await (await fetch(`${operations}/metrics`)).text();
  return Number(/^rewards_sandbox_workspaces_loaded (\d+)/m.exec(text)?.[1]);
}

/** Everything that differs between two sandboxes although they do the same. */
function scrubbed(value: unknown, own: readonly string[]): unknown {
  let text = JSON.stringify(value);
  for (const [at, each] of own.entries()) text = text.replaceAll(each, `own ${at}`);
  return JSON.parse(
    text
      .replace(/eyJ[\w-]+\.[\w-]+\.[\w-]+/g, 'token')
      .replace(/127\.0\.0\.1:\d+/g, 'origin')
      .replace(/("next_cursor":"[^."]+)[^"]*/g, '$1'),
  );
}

/** A journey in a workspace; all calls of the test are made while another workspace is called in between. */
async function journey(options: SandboxOptions) {
  const dataDir = await temporaryFolder();
  const sandbox = await testSandbox({ dataDir, operations: { port: 0 }, ...options });
  const other = await workspaceOf(sandbox, { seed: 'other' });
  const plain = globalThis.fetch;
  let most = 0;
  const between = async (...call: Parameters<typeof fetch>) => {
    const poked = await plain(`${sandbox.urls.sandbox}/clock`, {
      headers: { authorization: `Bearer ${other.shown.admin_token}` },
    });
    await poked.text();
    most = Math.max(most, await loadedIn(sandbox));
    return plain(...call);
  };
  vi.stubGlobal('fetch', between);
  onTestFinished(() => void vi.unstubAllGlobals());
  const own = opened((await workspaceOf(sandbox, { seed: 'a journey' })).shown);
  vi.unstubAllGlobals();
  const seen: unknown[] = [];
  const note = <T>(value: T): T => {
    seen.push(value);
    return value;
  };
  const { customerToken, companyToken } = await signIn(own, 'CUST0001');
  note(ok(await own.rewards(companyToken).GET('/v1/partner/rewards', { params: { query: { limit: 5 } } })));
  const ordered = note(await orderIn(own));
  note(ok(await own.control.POST('/clock/advance', { body: { seconds: 30 } })));
  const code = ordered.lines[0]?.redeemCode ?? '';
  note(ok(await own.rewards(customerToken).GET('/getwalletdetail', { params: { query: { uid: 'CUST0001' } } })));
  note(
    await own.rewards(await companyTokenOf(own)).POST('/v1/partner/redeemptiononskus', {
      body: { uid: 'CUST0002', line_items: [{ sku: 'PHY-KETTLE-01', quantity: 1 }], shipping_address: 'a street' },
    }),
  );
  note(ok(await own.control.POST('/clock/advance', { body: { seconds: 86_400 } })));
  note(code);
  note(ok(await own.control.GET('/reconciliation')));
  note(ok(await own.control.GET('/activity', { params: { query: { limit: 200 } } })));
  const { id, admin_token, credentials } = own.shown;
  const secrets = [admin_token, credentials.company_secret, credentials.service_token, credentials.basic.password];
  return { seen: scrubbed(seen, [id, ...secrets]), most };
}

it('OP-211: a journey says the same whether its workspace leaves memory between every two calls or stays', async () => {
  const stays = await journey({});
  const leaves = await journey({ maxLoaded: 2 });
  expect(leaves.seen).toEqual(stays.seen);
  expect([stays.most, leaves.most]).toEqual([3, 2]);
});

describe('OP-211: a start', () => {
  it('opens only the demo workspace after a proper end, and the others when they are called', async () => {
    const dataDir = await temporaryFolder();
    const first = await testSandbox({ dataDir });
    const own = await workspaceOf(first);
    const code = await orderIn(own);
    await first.close();
    const second = await testSandbox({ dataDir, operations: { port: 0 } });
    expect(ok(await second.control.GET('/workspaces')).items).toHaveLength(2);
    expect(await loadedIn(second)).toBe(1);
    const again = opened({ ...own.shown, urls: second.urls });
    const { items } = ok(await again.control.GET('/orders'));
    expect(items.map(({ order }) => order.lines[0]?.redeemCode)).toEqual([code.lines[0]?.redeemCode]);
    expect(await loadedIn(second)).toBe(2);
  });

  it('believes nothing that was written down of books that changed since', async () => {
    const dataDir = await temporaryFolder();
    const first = await testSandbox({ dataDir });
    const own = await workspaceOf(first);
    await first.close();
    const place = join('workspaces', own.shown.id, 'resting');
    const second = await testSandbox({ dataDir });
    const again = opened({ ...own.shown, urls: second.urls });
    await orderIn(again);
    const killed = await copyOfFolder(dataDir);
    await cp(join(dataDir, place), join(killed, place), { recursive: true });
    const third = await testSandbox({ dataDir: killed, operations: { port: 0 } });
    expect(await loadedIn(third)).toBe(2);
    const { items } = ok(await opened({ ...own.shown, urls: third.urls }).control.GET('/orders'));
    expect(items).toHaveLength(1);
  });
});
