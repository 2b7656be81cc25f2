/** Tests nested byte budgets: stores within a tenant, and tenants within the process. */
import { expect, test } from 'vitest';
import { ByteBudget } from '../../sandbox/store/byte-budget.ts';
import { openMemoryStore } from '../../sandbox/store/memory.ts';
import type { Slice } from '../../sandbox/store/row.ts';
import { nothing } from '../../sandbox/store/row.ts';
import { order } from './adapters.ts';
import { schema } from './schema.ts';

const full = (scope: string, maxBytes: number) => expect.objectContaining({ name: 'StoreFullError', scope, maxBytes });

/** Creates a process budget of 100 bytes with two tenants of 60. The first tenant has two stores of 50, and the second has one. */
function budgets() {
  const process = new ByteBudget(100, 'process');
  const tenants = [0, 1].map(() => new ByteBudget(60, 'tenant', process)) as [ByteBudget, ByteBudget];
  const stores = [0, 1].map(() => new ByteBudget(50, 'store', tenants[0])) as [ByteBudget, ByteBudget];
  return { process, tenants, stores, other: new ByteBudget(50, 'store', tenants[1]) };
}

/** Charges a budget as a transaction does when it adds bytes. */
function charge(budget: ByteBudget, growth: number): void {
  budget.refuseBeyond(growth);
  budget.add(growth);
}

test('the innermost budget that has no room refuses, and nothing is charged anywhere', () => {
  const { process, tenants, stores, other } = budgets();
  charge(stores[0], 40);
  expect(() => charge(stores[0], 11)).toThrow(full('store', 50));
  expect(() => charge(stores[1], 21)).toThrow(full('tenant', 60));
  charge(stores[1], 20);
  expect(() => charge(other, 41)).toThrow(full('process', 100));
  charge(other, 40);
  expect([process, ...tenants, ...stores, other].map(({ used }) => used)).toEqual([100, 60, 40, 40, 20, 40]);
});

test('a store is full as long as a budget around it is, and what another store frees makes room', () => {
  const { stores, other } = budgets();
  charge(stores[0], 50);
  charge(other, 50);
  expect(() => charge(stores[1], 1)).toThrow(full('process', 100));
  expect(stores[1].isFull).toBe(true);
  other.add(-10);
  expect(stores[1].isFull).toBe(false);
});

test('a store counts in its budgets what it holds and is filled with, a replacement next to what it replaces, and nothing once it is closed', async () => {
  const process = new ByteBudget(400, 'process');
  const store = openMemoryStore(schema, expect.fail, { budget: new ByteBudget(300, 'store', process) });
  const tenant = new ByteBudget(350, 'tenant', process);
  const beside = store.countIn(tenant);
  beside.add(20);
  const ids = (count: number) => Array.from({ length: count }, (_, at) => `o${at}`);
  const content = (count: number) => ({
    async *[Symbol.asyncIterator](): AsyncGenerator<Slice> {
      yield { collection: 'orders', rows: ids(count).map((id) => ({ id, record: order('ann') })) };
    },
  });
  const used = () => [tenant.used, process.used];
  await Promise.all(ids(6).map((id) => store.transact((tx) => tx.put('orders', id, order('ann')))));
  expect(used()).toEqual([206, 206]);
  // Each order has 31 bytes, so six and five orders do not fit at the same time.
  await expect(store.replace({ content: content(5), change: () => {} })).rejects.toEqual(full('tenant', 350));
  expect([used(), store.count('orders')]).toEqual([[206, 206], 6]);
  await store.replace({ content: content(4), change: () => {} });
  expect(used()).toEqual([144, 144]);
  const change = (tx: { put: (collection: 'orders', id: string, record: ReturnType<typeof order>) => void }) => {
    for (const id of ids(8)) tx.put('orders', id, order('ann'));
  };
  // The bytes added by the replacement's last step reuse the space of the removed content.
  await store.replace({ content: nothing, change });
  expect(used()).toEqual([268, 268]);
  await expect(store.transact((tx) => tx.put('counters', 'c', { value: 1e90 }))).resolves.toBeUndefined();
  await store.close();
  beside.add(1);
  expect(used()).toEqual([0, 0]);
});
