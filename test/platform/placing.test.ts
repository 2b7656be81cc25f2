/** Tests which parts of an order are on disk before the platform requests a deduction (OP-50, OP-143). */
import { expect, it } from 'vitest';
import { Activity } from '../../sandbox/activity-log/activity.ts';
import { workspaceSchema } from '../../sandbox/assembly/collections.ts';
import { newLine } from '../../sandbox/domain/order-line.ts';
import type { PlatformCollections } from '../../sandbox/platform/collections.ts';
import { type Draft, writePlacing } from '../../sandbox/platform/orders.ts';
import type { Platform } from '../../sandbox/platform/platform.ts';
import { Clock } from '../../sandbox/runtime/clock.ts';
import { draw, SeededRandom } from '../../sandbox/runtime/ids.ts';
import { openMemoryStore } from '../../sandbox/store/memory.ts';
import { type Store, StoreError, type Tx } from '../../sandbox/store/store.ts';

const points = {
  redeemPoints: 100,
  processingFee: 0,
  totalpoints: 100,
  totalPointWithProcessingFee: 100,
  tdsSingleItem: 0,
};
const draft: Draft = {
  uid: 'CUST0001',
  sku_code: 'EGV-1',
  product_type: 'EGV',
  product_name: 'Voucher',
  priceInr: 100,
  quantity: 1,
  points,
  ...newLine,
};
const request = { uid: 'CUST0001', version: 'v1', trace: 'a'.repeat(32), reference_id: 'MINE-1' } as const;

/** Creates a platform whose disk syncs on demand. */
async function platformOn(partner: string | undefined, refuses = false) {
  const collections = openMemoryStore<PlatformCollections>(workspaceSchema);
  await collections.transact((tx) => tx.put('streams', 'records', new SeededRandom('x').place()));
  const disk = Promise.withResolvers<void>();
  const refusal = Promise.withResolvers<void>();
  const guards = new Set<string>();
  const transact: Store<PlatformCollections>['transact'] = async (change) => {
    const touched = new Set<unknown>();
    const value = await collections.transact((tx) => change(recordCollections(tx, touched)));
    if (refuses && touched.has('orders')) {
      refusal.resolve();
      throw new StoreError('refused', 'full');
    }
    // A later transaction resolves only after the refused one, even if the disk accepts it.
    if (refuses) await refusal.promise.then(() => new Promise(setImmediate));
    if ([...touched].some((collection) => collection !== 'activity')) await disk.promise;
    return value;
  };
  const store = Object.assign(Object.create(collections), { transact }) as Store<PlatformCollections>;
  const clock = new Clock({ mode: 'frozen', value: 0 }, () => 0);
  const hold = (guard: string) => {
    guards.add(guard);
    return () => guards.delete(guard);
  };
  const activity = new Activity(collections, clock, expect.fail);
  const runner = () => ({ hold });
  const platform = { store, clock, activity, runner, drawKept: draw, partnerUrl: () => partner } as unknown as Platform;
  return { platform, collections, guards, sync: disk.resolve, fail: disk.reject };
}

/** Wraps a transaction and records the collections that it accesses. */
function recordCollections(tx: Tx<PlatformCollections>, touched: Set<unknown>): Tx<PlatformCollections> {
  const get =
    (of: object, name: string) =>
    (collection: unknown, ...rest: unknown[]) => {
      touched.add(collection);
      return (of as Record<string, (...args: unknown[]) => unknown>)[name]?.(collection, ...rest);
    };
  return new Proxy(tx, { get: (of, name) => get(of, String(name)) });
}

/** Returns whether the promise has settled after all work that does not wait for the disk. */
async function isSettled(promise: Promise<unknown>): Promise<boolean> {
  const turns = async () => {
    for (let turn = 0; turn < 20; turn += 1) await new Promise(setImmediate);
    return false;
  };
  return Promise.race([promise.then(() => true), turns()]);
}

it.each([undefined, 'https://partner.example'])(
  'OP-143: an order is on the disk and guarded before the platform requests the deduction, with %s as the client',
  async (partner) => {
    const { platform, collections, guards, sync } = await platformOn(partner);
    const placing = writePlacing(platform, request, [draft]);
    expect(await isSettled(placing)).toBe(false);
    sync();
    const { order, lines, guard, release } = (await placing) ?? expect.fail('it was not written');
    expect(collections.get('orders', order.order_id)).toEqual(order);
    expect([order.state, lines[0]?.points, [...guards]]).toEqual(['placing', points, [guard]]);
    release();
    expect(guards.size).toBe(0);
  },
);

it.each([undefined, 'https://partner.example'])(
  'OP-50: an order that the disk refuses is never deducted, and its guard is released, with %s as the client',
  async (partner) => {
    const { platform, guards, sync } = await platformOn(partner, true);
    sync();
    await expect(writePlacing(platform, request, [draft])).rejects.toThrow('full');
    expect(guards.size).toBe(0);
  },
);

it('OP-133: a duplicate reference is refused only once the first order with it is on the disk', async () => {
  const { platform, sync } = await platformOn(undefined);
  const first = writePlacing(platform, request, [draft]);
  const second = writePlacing(platform, request, [draft]);
  expect(await isSettled(second)).toBe(false);
  sync();
  expect([(await first)?.order.state, await second]).toEqual(['placing', undefined]);
});
