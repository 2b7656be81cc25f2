/** Reading everything while it changes, and putting other content in place of everything. */
import { describe, expect, test, vi } from 'vitest';
import { Collection } from '../../sandbox/store/collection.ts';
import type { Committed, Replacement, Store, Tx } from '../../sandbox/store/store.ts';
import { nothing, rowsOfSlice, type Slice, type Slices } from '../../sandbox/store/view.ts';
import { adapters, order } from './adapters.ts';
import type { Collections } from './schema.ts';
import { contentOf } from './stores.ts';

/** Content of these orders, a slice each, with something that happens before the last. */
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
  /** A store with orders of ann, o0 and so on, and a counter. */
  async function withOrders(orders: number) {
    const opened = await openAdapter();
    await opened.store.transact((tx) => {
      for (let n = 0; n < orders; n += 1) tx.put('orders', `o${n}`, order('ann', n));
      tx.put('counters', 'orders', { value: orders });
    });
    return opened;
  }

  test('a view holds what is stored when it is asked for, whatever is committed while it is read', async () => {
    const { store } = await withOrders(2 * rowsOfSlice + 1);
    const expected = [
      ...store.ids('orders').map((id) => ['orders', id, store.get('orders', id)]),
      ['counters', 'orders', store.get('counters', 'orders')],
    ];
    const seen = await store.view(async (content) => {
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
    expect(seen).toEqual(expected);
  });

  test('what fails while it reads a view rejects with that, and the store goes on', async () => {
    const { store } = await withOrders(3);
    const failing = store.view(async (content) => {
      for await (const _slice of content) throw new Error('the disk is full');
    });
    await expect(failing).rejects.toThrow('the disk is full');
    await put(store, 'o1', 'bob');
    expect(store.get('orders', 'o1')).toEqual(order('bob'));
  });

  test('what takes the place of everything is the content with the change on top; look-ups know nothing else', async () => {
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

  test('it takes its place at one instant: the change sees what was there before, and what was committed meanwhile is gone', async () => {
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

  test('transactions that are asked for during the last step come after it, on top of the new content', async () => {
    const { store } = await withOrders(2);
    const later: Promise<number>[] = [];
    const change = (): void => {
      later.push(store.transact((tx) => tx.count('orders')));
    };
    const asked = store.replace({ content: ordersOf(['bob']), change });
    await asked;
    expect(await Promise.all(later)).toEqual([1]);
  });

  test('the last step waits until it may happen; transactions go on until then', async () => {
    const { store } = await withOrders(1);
    const { promise: allowed, resolve: allow } = Promise.withResolvers<void>();
    const { promise: asked, resolve: ask } = Promise.withResolvers<void>();
    const when = async (step: () => Promise<void>): Promise<void> => {
      ask();
      await allowed;
      await step();
    };
    const replaced = store.replace({ content: ordersOf(['bob']), change: keep, when });
    await asked;
    await put(store, 'o1', 'ann');
    expect(store.ids('orders')).toEqual(['o0', 'o1']);
    allow();
    await replaced;
    expect(store.ids('orders')).toEqual(['n0']);
  });

  test('listeners hear of a replacement once, when the store can already be read', async () => {
    const { store } = await withOrders(2);
    const heard: [Committed, number][] = [];
    store.onCommit((committed) => heard.push([committed, store.count('orders')]));
    await store.replace({ content: nothing, change: (tx) => tx.put('orders', 'n0', order('bob')) });
    expect(heard).toEqual([['everything', 1]]);
  });

  const failures: Record<string, Partial<Replacement<Collections, void>>> = {
    'the content cannot be read': { content: ordersOf(['bob', 'bob'], () => Promise.reject(new Error('no'))) },
    'the change throws': {
      change: (tx) => {
        tx.remove('orders', 'n0');
        throw new Error('no');
      },
    },
    'it never may happen': { when: () => Promise.reject(new Error('no')) },
  };
  test.each(Object.entries(failures))('where %s nothing changes, and the store goes on', async (_why, failing) => {
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
    const counted: number[] = [];
    const change = (_tx: unknown, before: Pick<Store<Collections>, 'count'>): number =>
      counted.push(before.count('orders'));
    const asked = ['a', 'b', 'c'].map((_, at) =>
      store.replace({ content: ordersOf(Array<string>(at + 2).fill('bob')), change }),
    );
    expect(await Promise.all(asked)).toEqual([1, 2, 3]);
    expect([counted, store.count('orders')]).toEqual([[1, 2, 3], 4]);
  });

  test('closing ends what is being prepared: `closed`, and what was there stays', async () => {
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

  test('from one store into another, a slice at a time: others have a turn between them', async () => {
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
