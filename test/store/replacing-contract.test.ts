/** Tests reading a store's whole content during changes, and replacing it. */
import { describe, expect, test, vi } from 'vitest';
import { Collection } from '../../sandbox/store/collection.ts';
import { nothing, rowsOfSlice, type Slice, type Slices } from '../../sandbox/store/row.ts';
import type { Committed, Replacement, Store, Tx } from '../../sandbox/store/store.ts';
import { adapters, order } from './adapters.ts';
import type { Collections } from './schema.ts';
import { contentOf } from './stores.ts';

/** Yields these orders, one per slice, and runs `meanwhile` before the last one. */
async function* ordersOf(customers: readonly string[], meanwhile = async () => {}): AsyncGenerator<Slice, void, void> {
  for (const [at, customer] of customers.entries()) {
    if (at === customers.length - 1) await meanwhile();
    const record: Collections['orders'] = Object.freeze({ customer, points: at + 1 });
    yield { collection: 'orders', rows: [{ id: `n${at}`, record }] };
  }
}

async function rowsIn(content: Slices): Promise<unknown[]> {
  const rows: unknown[] = [];
  for await (const slice of content) rows.push(...slice.rows.map(({ id, record }) => [slice.collection, id, record]));
  return rows;
}

const put = (store: Store<Collections>, id: string, customer: string) =>
  store.transact((tx) => tx.put('orders', id, order(customer)));
const keep = () => {};

describe.each(Object.entries(adapters))('the %s store', (_name, openAdapter) => {
  /** Creates a store with a counter and with ann's orders, named o0, o1 and so on. */
  async function withOrders(orders: number) {
    const opened = await openAdapter();
    await opened.store.transact((tx) => {
      for (let n = 0; n < orders; n += 1) tx.put('orders', `o${n}`, order('ann', n));
      tx.put('counters', 'orders', { value: orders });
    });
    return opened;
  }

  test('a view has the content at the time of the request, whatever is committed while it is read', async () => {
    const { store } = await withOrders(2 * rowsOfSlice + 1);
    const expected = [
      ...store.ids('orders').map((id) => ['orders', id, store.get('orders', id)]),
      ['counters', 'orders', store.get('counters', 'orders')],
    ];
    const readRows = await store.view(async (content) => {
      await store.transact((tx) => tx.remove('orders', 'o0'));
      const rows: unknown[] = [];
      for await (const slice of content) {
        rows.push(...(await rowsIn(only(slice))));
        await store.transact((tx) => {
          const [next = '', , last = ''] = [`o${rows.length}`, '', store.ids('orders').at(-1)];
          tx.put('orders', next, order('bob'));
          tx.remove('orders', last);
          tx.add('orders', `later ${rows.length}`, order('bob'));
          tx.put('counters', 'orders', { value: 0 });
        });
      }
      return rows;
    });
    expect(readRows).toEqual(expected);
  });

  test('an error during the reading of a view rejects the call, and the store continues', async () => {
    const { store } = await withOrders(3);
    const failing = store.view(async (content) => {
      for await (const _slice of content) throw new Error('the disk is full');
    });
    await expect(failing).rejects.toThrow('the disk is full');
    await put(store, 'o1', 'bob');
    expect(store.get('orders', 'o1')).toEqual(order('bob'));
  });

  test('after a replacement the store has the new content with the change on top, and indexes find nothing else', async () => {
    const { store } = await withOrders(3);
    const change = (tx: Tx<Collections>): number => {
      tx.put('orders', 'n0', order('cem', 7));
      tx.put('orders', 'n3', order('bob', 9));
      return tx.count('orders');
    };
    expect(await store.replace({ content: ordersOf(['bob', 'cem', 'bob']), change })).toBe(4);
    const [n0, n1, n2, n3] = [order('cem', 7), order('cem', 2), order('bob', 3), order('bob', 9)];
    expect(contentOf(store)).toEqual({ orders: [n0, n1, n2, n3], counters: [] });
    expect(store.find('orders', 'customer', 'bob')).toEqual([n2, n3]);
    expect(store.find('orders', 'customer', 'ann')).toEqual([]);
    expect(store.range('orders', { after: 'n0', limit: 2 })).toEqual([n1, n2]);
    expect(store.ending('orders')).toEqual({ id: 'n1', until: 2 });
    await put(store, 'n4', 'bob');
    expect(store.ids('orders')).toEqual(['n0', 'n1', 'n2', 'n3', 'n4']);
  });

  test('a replacement is atomic: its change sees the previous content, and commits made meanwhile are lost', async () => {
    const { store } = await withOrders(1);
    const content = ordersOf(['bob', 'bob'], async () => {
      await put(store, 'o1', 'ann');
      expect(store.ids('orders')).toEqual(['o0', 'o1']);
    });
    const replaced = store.replace({
      content,
      change: (tx, before) => tx.put('counters', 'orders', { value: before.count('orders') }),
    });
    await replaced;
    expect([store.ids('orders'), store.all('counters')]).toEqual([['n0', 'n1'], [{ value: 2 }]]);
  });

  test('transactions that start during the last step run after it, on the new content', async () => {
    const { store } = await withOrders(2);
    const later: Promise<number>[] = [];
    const change = (): void => {
      later.push(store.transact((tx) => tx.count('orders')));
    };
    const replaced = store.replace({ content: ordersOf(['bob']), change });
    await replaced;
    expect(await Promise.all(later)).toEqual([1]);
  });

  test('the last step waits for permission; transactions continue until then', async () => {
    const { store } = await withOrders(1);
    const { promise: allowed, resolve: allow } = Promise.withResolvers<void>();
    const { promise: requested, resolve: request } = Promise.withResolvers<void>();
    const when = async (step: () => Promise<void>): Promise<void> => {
      request();
      await allowed;
      await step();
    };
    const replaced = store.replace({ content: ordersOf(['bob']), change: keep, when });
    await requested;
    await put(store, 'o1', 'ann');
    expect(store.ids('orders')).toEqual(['o0', 'o1']);
    allow();
    await replaced;
    expect(store.ids('orders')).toEqual(['n0']);
  });

  test('listeners are notified of a replacement once, when the new content can already be read', async () => {
    const { store } = await withOrders(2);
    const notifications: [Committed, number][] = [];
    store.onCommit((committed) => notifications.push([committed, store.count('orders')]));
    await store.replace({ content: nothing, change: (tx) => tx.put('orders', 'n0', order('bob')) });
    expect(notifications).toEqual([['everything', 1]]);
  });

  const failures: Record<string, Partial<Replacement<Collections, void>>> = {
    'the content cannot be read': { content: ordersOf(['bob', 'bob'], () => Promise.reject(new Error('no'))) },
    'the change throws': {
      change: (tx) => {
        tx.remove('orders', 'n0');
        throw new Error('no');
      },
    },
    'permission is never given': { when: () => Promise.reject(new Error('no')) },
  };
  test.each(Object.entries(failures))('if %s, nothing changes, and the store continues', async (_why, failing) => {
    const { store } = await withOrders(2);
    const before = contentOf(store);
    const replaced = store.replace({ content: ordersOf(['bob']), change: keep, ...failing });
    await expect(replaced).rejects.toThrow('no');
    expect(contentOf(store)).toEqual(before);
    await put(store, 'o2', 'ann');
    await store.replace({ content: ordersOf(['cem']), change: keep });
    expect(store.ids('orders')).toEqual(['n0']);
  });

  test('replacements happen one after another', async () => {
    const { store } = await withOrders(1);
    const counts: number[] = [];
    const change = (_tx: unknown, before: Pick<Store<Collections>, 'count'>): number =>
      counts.push(before.count('orders'));
    const replacements = ['a', 'b', 'c'].map((_, at) =>
      store.replace({ content: ordersOf(Array<string>(at + 2).fill('bob')), change }),
    );
    expect(await Promise.all(replacements)).toEqual([1, 2, 3]);
    expect([counts, store.count('orders')]).toEqual([[1, 2, 3], 4]);
  });

  test('closing ends a replacement in preparation with `closed`, and the previous content stays', async () => {
    const { store } = await withOrders(1);
    let closed: Promise<void> | undefined;
    const content = ordersOf(['bob', 'bob'], async () => {
      closed = store.close();
    });
    await expect(store.replace({ content, change: keep })).rejects.toMatchObject({ code: 'closed' });
    expect(store.ids('orders')).toEqual(['o0']);
    await closed;
    await expect(store.replace({ content: nothing, change: keep })).rejects.toMatchObject({ code: 'closed' });
  });

  test('a copy from one store into another yields to other work after each slice', async () => {
    const { store } = await withOrders(12 * rowsOfSlice);
    const { store: other } = await openAdapter();
    const puts = vi.spyOn(Collection.prototype, 'put');
    let over = false;
    let most = 0;
    const look = () => {
      most = Math.max(most, puts.mock.calls.length);
      puts.mockClear();
      if (!over) setImmediate(look);
    };
    setImmediate(look);
    await store.view((content) => other.replace({ content, change: keep }));
    over = true;
    puts.mockRestore();
    expect(contentOf(other)).toEqual(contentOf(store));
    expect(most).toBeGreaterThan(0);
    expect(most).toBeLessThanOrEqual(rowsOfSlice);
  });
});

async function* only(slice: Slice): AsyncGenerator<Slice, void, void> {
  yield slice;
}
