/**
 * Tests the takeover of a workspace between two machines whose clocks are 20 minutes apart. The workspace uses
 * PostgreSQL's time, which does not jump.
 */
import { expect, it, vi } from 'vitest';
import { ready } from '../harness/command.ts';
import { postgres } from '../harness/postgres.ts';
import { freePort } from '../harness/postgres-server.ts';
import { ok } from '../harness/sandbox.ts';
import { opened, orderIn } from '../harness/workspaces.ts';

const database = postgres();
const minute = 60_000;
const waits = { timeout: 60_000, interval: 50 };

/** Starts a process on a machine whose clock is ahead of PostgreSQL's, or behind it for negative minutes. */
async function machine(store: string, minutesAhead: number) {
  // Preloaded before all other modules, so that all code reads the shifted time.
  const shift = `const Real = Date; globalThis.Date = class extends Real {
    constructor(...given) { if (given.length === 0) super(Real.now() + ${minutesAhead * minute}); else super(...given); }
    static now() { return Real.now() + ${minutesAhead * minute}; }
  };`;
  const [share, operations] = [await freePort(), await freePort()];
  const running = await ready(['--store', store, '--share', String(share), '--operations', String(operations)], {
    REWARDS_SANDBOX_KEY: Buffer.alloc(32, 9).toString('hex'),
    NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(shift)}`,
  });
  const skew = async () => {
    const text = await (await fetch(`http://127.0.0.1:${operations}/metrics`)).text();
    return Number(/^rewards_sandbox_clock_skew_seconds (\S+)/m.exec(text)?.[1]);
  };
  const end = async (signal: NodeJS.Signals) => {
    running.child.kill(signal);
    return (await running.ended).stderr;
  };
  return { urls: running.urls, skew, end };
}

type CreatedWorkspace = Parameters<typeof opened>[0];

it('OP-236: with machines 10 minutes ahead and behind, time does not go back, jobs run when they are due, and the operator is warned', async () => {
  const store = await database();
  const ahead = await machine(store, 10);
  const response = await fetch(`${ahead.urls.sandbox}/workspaces`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ clock: 'running' }),
  });
  const workspace = (await response.json()) as CreatedWorkspace;
  const through = ({ urls }: { readonly urls: object }) =>
    opened({ ...workspace, urls: urls as CreatedWorkspace['urls'] });
  const first = through(ahead);
  const time = async ({ control }: ReturnType<typeof through>) => Date.parse(ok(await control.GET('/clock')).now);
  const isOfDatabase = (instant: number) => Math.abs(instant - Date.now()) < minute;
  const path = { sku_code: 'EGV-SPICE-500' };
  const late = { outcome: 'deliver', delay_seconds: 3 } as const;
  ok(await first.control.PUT('/vendor-outcomes/{sku_code}', { params: { path }, body: late }));
  const orders = [await orderIn(first), await orderIn(first)];
  const before = await time(first);
  expect([isOfDatabase(before), Math.round((await ahead.skew()) / 60)]).toEqual([true, 10]);
  const stderr = await ahead.end('SIGKILL');

  const behind = await machine(store, -10);
  const second = through(behind);
  await vi.waitUntil(async () => (await second.control.GET('/clock')).response.status === 200, waits);
  const after = await time(second);
  expect([after >= before, isOfDatabase(after), Math.round((await behind.skew()) / 60)]).toEqual([true, true, -10]);
  orders.push(await orderIn(second));
  const delivered = async () => {
    const { items } = ok(await second.control.GET('/activity'));
    return items.flatMap((item) => (item.kind === 'state' && item.event === 'redemption.delivered' ? [item] : []));
  };
  await vi.waitUntil(async () => (await delivered()).length === orders.length, waits);
  // The first two jobs are due when the other instance takes over, and run concurrently.
  const codes = orders.map(({ lines }) => lines[0]?.redeemCode ?? '');
  const done = (await delivered()).map(({ redeem_codes }) => redeem_codes[0] ?? '');
  expect([done.slice(0, 2).toSorted(), done[2]]).toEqual([codes.slice(0, 2).toSorted(), codes[2]]);
  const { items } = ok(await second.control.GET('/activity'));
  const instants = items.map(({ at }) => at);
  expect(instants).toEqual(instants.toSorted());

  const warning = (how: string) =>
    expect.stringMatching(new RegExp(`This machine's clock is (600|599)\\.\\d s ${how} PostgreSQL's`));
  expect([stderr, await behind.end('SIGTERM')]).toEqual([warning('ahead of'), warning('behind')]);
});
