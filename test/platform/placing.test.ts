/** What of an order is on the disk when the client is asked for its points (OP-50, OP-143). */
import { expect, it } from 'vitest';
import { Activity } from '../../sandbox/activity-log/activity.ts';
import { workspaceSchema } from '../../sandbox/assembly/collections.ts';
import { newLine } from '../../sandbox/domain/order-line.ts';
import type { PlatformCollections } from '../../sandbox/platform/collections.ts';
import { type Draft, writePlacing } from '../../sandbox/platform/placing.ts';
import type { Platform } from '../../sandbox/platform/platform.ts';
import { Clock } from '../../sandbox/runtime/clock.ts';
import { SeededRandom } from '../../sandbox/runtime/random.ts';
import { openMemoryStore } from '../../sandbox/store/memory.ts';
import { type Store, StoreError, type Tx } from '../../sandbox/store/store.ts';

const points = {
  ...{ redeemPoints: 100, processingFee: 0, totalpoints: 100, totalPointWithProcessingFee: 100, tdsSingleItem: 0 },
};
const draft: Draft = {
  ...{ uid: 'CUST0001', sku_code: 'EGV-1', product_type: 'EGV', product_name: 'Voucher', priceInr: 100, quantity: 1 },
  ...{ points, ...newLine },
};
const request = { uid: 'CUST0001', version: 'v1', trace: 'a'.repeat(32), reference_id: 'MINE-1' } as const;

/** A platform whose disk syncs when it is told to. */
async function platformOn(partner: string | undefined, refuses = false) {
  const books = openMemoryStore<PlatformCollections>(workspaceSchema);
  await books.transact((tx) => tx.put('streams', 'books', new SeededRandom('x').place()));
  const disk = Promise.withResolvers<void>();
  const refusal = Promise.withResolvers<void>();
  const held = new Set<string>();
  const transact: Store<PlatformCollections>['transact'] = async (change) => {
    const touched = new Set<unknown>();
    const value = await books.transact((tx) => change(noting(tx, touched)));
    if (refuses && touched.has('orders')) {
      refusal.resolve();
      throw new StoreError('refused', 'full');
    }
    // Whoever comes behind it is told after it, also where the disk takes that.
    if (refuses) await refusal.promise.then(() => new Promise(setImmediate));
    if ([...touched].some((collection) => collection !== 'activity')) await disk.promise;
    return value;
  };
  const store = Object.assign(Object.create(books), { transact }) as Store<PlatformCollections>;
  const clock = new Clock({ mode: 'frozen', value: 0 }, () => 0);
  const hold = (guard: string) => {
    held.add(guard);
    return () => held.delete(guard);
  };
  const activity = new Activity(books, clock, expect.fail);
  const runner = () => ({ hold });
  const platform = { store, clock, activity, runner, partnerUrl: () => partner } as unknown as Platform;
  return { platform, books, held, sync: disk.resolve, fail: disk.reject };
}

/** The transaction, which notes the collections that it is asked about. */
function noting(tx: Tx<PlatformCollections>, touched: Set<unknown>): Tx<PlatformCollections> {
  const get =
    (of: object, name: string) =>
    (collection: unknown, ...rest: unknown[]) => {
      touched.add(collection);
      return (of as Record<string, (...given: unknown[]) => unknown>)[name]?.(collection, ...rest);
    };
  return new Proxy(tx, { get: (of, name) => get(of, String(name)) });
}

/** Whether it has settled by the time that everything which waits for no disk has. */
async function isSettled(promise: Promise<unknown>): Promise<boolean> {
  const turns = async () => {
    for (let turn = 0; turn < 20; turn += 1) await new Promise(setImmediate);
    return false;
  };
  return Promise.race([promise.then(() => true), turns()]);
}

it.each([undefined, 'https://partner.example'])(
  'OP-143: an order is on the disk, and held, before the client is asked for its points, with %s as the client',
  async (partner) => {
    const { platform, books, held, sync } = await platformOn(partner);
    const placing = writePlacing(platform, request, [draft]);
    expect(await isSettled(placing)).toBe(false);
    sync();
    const { order, lines, guard, release } = (await placing) ?? expect.fail('it was not written');
    expect(books.get('orders', order.order_id)).toEqual(order);
    expect([order.state, lines[0]?.points, [...held]]).toEqual(['placing', points, [guard]]);
    release();
    expect(held.size).toBe(0);
  },
);

it.each([undefined, 'https://partner.example'])(
  'OP-50: an order that the disk refuses is nobody’s to ask for, and is held no longer, with %s as the client',
  async (partner) => {
    const { platform, held, sync } = await platformOn(partner, true);
    sync();
    await expect(writePlacing(platform, request, [draft])).rejects.toThrow('full');
    expect(held.size).toBe(0);
  },
);

it('OP-133: whose reference is taken hears so once the order that has it is on the disk', async () => {
  const { platform, sync } = await platformOn(undefined);
  const first = writePlacing(platform, request, [draft]);
  const second = writePlacing(platform, request, [draft]);
  expect(await isSettled(second)).toBe(false);
  sync();
  expect([(await first)?.order.state, await second]).toEqual(['placing', undefined]);
});
