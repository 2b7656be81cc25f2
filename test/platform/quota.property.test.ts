/** Tests the sliding one-hour quota under random demand, with restarts in between (OP-30). */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type WorkspaceCollections, workspaceSchema } from '../../sandbox/assembly/collections.ts';
import { QuotaWindow } from '../../sandbox/platform/quota.ts';
import { Clock, freshClock } from '../../sandbox/runtime/clock.ts';
import { openMemoryStore } from '../../sandbox/store/memory.ts';
import { temporaryFolder } from '../harness/folders.ts';
import { advance } from '../harness/orders.ts';
import { logIn, ok, testSandbox } from '../harness/sandbox.ts';
import { scaled } from '../harness/scale.ts';
import { follow, hour, schedules } from './quota-schedule.ts';

const stopped = () => new Clock(freshClock('frozen'), () => 0);

test.each([1, 3, 20])(
  'OP-30: a limit of %i is never exceeded in a sliding hour, and is fully used on demand',
  async (limit) => {
    const property = fc.asyncProperty(schedules(limit), async (steps) => {
      const clock = stopped();
      await follow(steps, limit, clock);
    });
    await fc.assert(property, { numRuns: scaled(20, 60), seed: 20_260_112 });
  },
);

test('L1: OP-30: the same holds for the limit of 1000, across a restart', async () => {
  const clock = stopped();
  const through = await follow(
    [
      { kind: 'burst', requests: 700 },
      { kind: 'wait', milliseconds: hour / 2 },
      { kind: 'restart' },
      { kind: 'burst', requests: 700 },
      { kind: 'wait', milliseconds: hour / 2 - 1 },
      { kind: 'burst', requests: 10 },
      { kind: 'restart' },
      { kind: 'wait', milliseconds: 1 },
      { kind: 'burst', requests: 900 },
      { kind: 'trickle', requests: 20, every: hour / 20 },
    ],
    1000,
    clock,
  );
  // The quota accepts 700, then 300 of 700, none of 10, and 700 of 900. The trickle adds 10 after the 300 are an hour old.
  expect(through).toBe(700 + 300 + 700 + 10);
});

test('OP-30: after the clock is set back a day nobody waits longer than an hour: requests in the future do not count', async () => {
  const day = 24 * hour;
  let now = Date.UTC(2026, 10, 22);
  const store = openMemoryStore<WorkspaceCollections>(workspaceSchema);
  const window = new QuotaWindow(store, { now: () => now, limit: () => 3 });
  const used = async () => [await window.take(), await window.take(), await window.take(), await window.take()];
  const anHour = [
    { limit: 3, left: 2, seconds: 3600 },
    { limit: 3, left: 1, seconds: 3600 },
    { limit: 3, left: 0, seconds: 3600 },
    { kind: 'rate_limited', limit: 3, retryAfterSeconds: 3600 },
  ];
  expect(await used()).toEqual(anHour);
  now -= day;
  expect(await used()).toEqual(anHour);
  // After the clock is corrected, none of these requests count.
  now += day + hour;
  expect(await used()).toEqual(anHour);
});

test("OP-30: when the machine's clock is set back, the sandbox's hour goes on: a used quota is not free again", async () => {
  let real = Date.UTC(2026, 10, 22);
  const sandbox = await testSandbox({ clock: 'running', realTime: () => real });
  ok(await sandbox.control.PATCH('/workspace', { body: { settings: { rate_limit: 1 } } }));
  const list = async () => {
    const { response } = await sandbox.rewards(await sandbox.companyToken()).GET('/v1/partner/rewards');
    return [response.status, response.headers.get('retry-after')];
  };
  expect(await list()).toEqual([200, null]);
  real -= 24 * hour;
  expect(await list()).toEqual([429, '3600']);
  real += hour;
  expect(await list()).toEqual([200, null]);
});

test('OP-30: a caller that waits for Retry-After is not refused again, whatever fraction of a second remains', async () => {
  const clock = stopped();
  const store = openMemoryStore<WorkspaceCollections>(workspaceSchema, expect.fail);
  const window = new QuotaWindow(store, { now: () => clock.now(), limit: () => 1 });
  const take = () => window.take();
  const wait = (milliseconds: number) => clock.follow(clock.at(clock.now() + milliseconds));
  expect(await take()).toEqual({ limit: 1, left: 0, seconds: 3600 });
  for (const [passed, retryAfterSeconds] of [
    [400, 3600],
    [600, 3599],
    [hour - 1001, 1],
  ] as const) {
    wait(passed);
    expect(await take()).toEqual({ kind: 'rate_limited', limit: 1, retryAfterSeconds });
  }
  wait(1000);
  expect(await take()).toEqual({ limit: 1, left: 0, seconds: 3600 });
});

test('OP-30: requests at one time share one row, and rows older than an hour are dropped', async () => {
  const clock = stopped();
  const store = openMemoryStore<WorkspaceCollections>(workspaceSchema, expect.fail);
  const window = new QuotaWindow(store, { now: () => clock.now(), limit: () => 1000 });
  const take = () => window.take();
  const began = clock.now();
  for (let round = 0; round < 100; round += 1) await take();
  expect(window.rows).toEqual([{ at: began, requests: 100 }]);
  clock.follow(clock.at(began + hour - 1));
  expect(await take()).toEqual({ limit: 1000, left: 899, seconds: 1 });
  clock.follow(clock.at(began + hour));
  expect(await take()).toEqual({ limit: 1000, left: 998, seconds: 3600 });
  expect(window.rows.map(({ at }) => at - began)).toEqual([hour - 1, hour]);
});

test("L1: OP-30: the rewards, v2.0 and general API share the company's hourly quota, across a restart of the sandbox", async () => {
  const dataDir = await temporaryFolder();
  const options = { dataDir, key: new Uint8Array(32).fill(7) };
  const first = await testSandbox(options);
  ok(await first.control.PATCH('/workspace', { body: { settings: { rate_limit: 30 } } }));
  /** Sends concurrent requests to each of the three APIs. Returns the number of accepted requests. */
  const accepted = async (sandbox: typeof first, access: string, each: number) => {
    const company = await sandbox.companyToken();
    const statuses = await Promise.all(
      Array.from({ length: each }, async () => [
        (await sandbox.rewards(company).GET('/v1/partner/rewards')).response.status,
        (await sandbox.v2Platform(company).GET('/api/v1/catalog')).response.status,
        (await sandbox.general(access).GET('/v1/products')).response.status,
      ]),
    );
    expect(new Set(statuses.flat()).difference(new Set([200, 429]))).toEqual(new Set());
    return statuses.flat().filter((status) => status === 200).length;
  };
  // The login itself counts as one request.
  const access = await logIn(first, 'CUST0001');
  expect(await accepted(first, access, 5)).toBe(15);
  await advance(first, 1800);
  await first.close();

  const second = await testSandbox(options);
  expect(await accepted(second, access, 8)).toBe(30 - 1 - 15);
  await advance(second, 1799);
  expect(await accepted(second, access, 1)).toBe(0);
  await advance(second, 1);
  const again = await logIn(second, 'CUST0001');
  expect(await accepted(second, again, 8)).toBe(15);
});
