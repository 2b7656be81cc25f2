/** A shared workspace's owner saves its calls and quota when it renews the lease (OP-30, OP-57). */
import { expect, it } from 'vitest';
import { Activity } from '../../sandbox/activity-log/activity.ts';
import { type WorkspaceCollections, workspaceSchema } from '../../sandbox/assembly/collections.ts';
import { LeasedCalls } from '../../sandbox/cluster/postgres-storage.ts';
import { QuotaWindow } from '../../sandbox/platform/quota.ts';
import { Clock } from '../../sandbox/runtime/clock.ts';
import { openMemoryStore } from '../../sandbox/store/memory.ts';
import { type Store, StoreError } from '../../sandbox/store/store.ts';

const call = {
  kind: 'call_in',
  began: '2026-01-12T04:30:00.000Z',
  trace: 't',
  party: 'platform',
  method: 'GET',
  url: '/rewards/v1/partner/rewards',
  operation: 'listRewards',
  status: 200,
  request: null,
  reply: null,
  notices: [],
} as const;

/** Creates an instance that owns the store. The test renews its lease. */
function owner(store: Store<WorkspaceCollections>, limit = 1000, entries = 10_000) {
  const renewals = new Set<() => void>();
  const calls = new LeasedCalls(store, (listener) => {
    renewals.add(listener);
    return () => renewals.delete(listener);
  });
  const clock = new Clock({ mode: 'frozen', value: 1000 }, () => 0);
  const activity = new Activity(store, clock, expect.fail, { calls, most: { entries, bytes: 1_000_000 } });
  const quota = new QuotaWindow(store, { now: () => clock.now(), limit: () => limit, calls });
  calls.follow({ activity, quota });
  const take = async (times: number) => {
    let remaining: number | string = 'no request';
    for (let count = 0; count < times; count += 1) {
      const answer = await quota.take();
      remaining = 'kind' in answer ? answer.kind : answer.left;
    }
    return remaining;
  };
  const renew = async () => {
    for (const listener of renewals) listener();
    await store.flush();
  };
  return { activity, calls, take, renew, renewals };
}

const memoryStore = () => openMemoryStore<WorkspaceCollections>(workspaceSchema, expect.fail);
const reserve = (store: Store<WorkspaceCollections>) => store.get('tallies', 'quota_reserved');
const saved = (store: Store<WorkspaceCollections>) =>
  store.all('acceptedAt').reduce((sum, { requests }) => sum + requests, 0);

it('OP-30: the owner saves before it accepts a request, and again for each hundred requests', async () => {
  const store = memoryStore();
  const { take } = owner(store);
  await take(100);
  expect([reserve(store), saved(store)]).toEqual([100, 0]);
  await take(1);
  expect([reserve(store), saved(store)]).toEqual([100, 100]);
});

it('OP-30: a lease renewal saves the number of accepted requests, so that the count is exact', async () => {
  const store = memoryStore();
  const { take, renew } = owner(store);
  await take(7);
  await renew();
  expect(saved(store)).toBe(7);
});

it('OP-30: a new owner counts the requests that the dead owner may have accepted, and no more', async () => {
  const store = memoryStore();
  const first = owner(store);
  await first.take(7);
  await first.renew();
  await first.take(20);
  const second = owner(store);
  expect(await second.take(1)).toBe(1000 - 7 - 100 - 1);
});

it('OP-30: no takeover gives a key more requests than its hourly quota', async () => {
  const store = memoryStore();
  let accepted = 0;
  for (let takeover = 0; takeover < 30; takeover += 1) {
    const { take } = owner(store, 20);
    while ((await take(1)) !== 'rate_limited' && accepted <= 20) accepted += 1;
  }
  expect(accepted).toBe(20);
});

it('OP-30: an owner that releases the workspace leaves an exact count', async () => {
  const store = memoryStore();
  const first = owner(store);
  await first.take(7);
  await first.calls.close();
  expect([reserve(store), first.renewals.size]).toEqual([0, 0]);
  expect(await owner(store).take(1)).toBe(1000 - 7 - 1);
});

it('OP-30: while the database refuses, the number of accepted requests is bounded; all are saved once it recovers', async () => {
  const store = memoryStore();
  const { transact } = store;
  const refusing = () => Promise.reject(new StoreError('refused', 'nothing changed'));
  const first = owner(store);
  await first.take(60);
  store.transact = refusing;
  await first.renew();
  await first.take(40);
  await expect(first.take(1)).rejects.toThrow('nothing changed');
  store.transact = transact;
  expect(await first.take(1)).toBe(1000 - 101);
  expect(saved(store)).toBe(100);
});

it('OP-57: the next renewal stores a call, and a new owner has it in its log', async () => {
  const store = memoryStore();
  const { activity, renew } = owner(store);
  await activity.call(call);
  expect(store.count('activity')).toBe(0);
  await renew();
  expect(store.all('activity')).toEqual(activity.after(0));
  await renew();
  expect(owner(store).activity.after(0)).toEqual(activity.after(0));
});

it('OP-57: calls that the log drops are deleted from the store, even if nothing else happens', async () => {
  const store = memoryStore();
  const { activity, renew } = owner(store, 1000, 3);
  for (let number = 0; number < 5; number += 1) {
    await activity.call(call);
    await renew();
  }
  await activity.call(call);
  await renew();
  expect(activity.after(0).map(({ seq }) => seq)).toEqual([4, 5, 6]);
  expect(store.all('activity').map(({ seq }) => seq)).toEqual([4, 5, 6]);
});
