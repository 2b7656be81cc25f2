import { describe, expect, test } from 'vitest';
import type { Store, Tx } from '../../sandbox/store/store.ts';
import { adapters, order } from './adapters.ts';
import type { Collections } from './schema.ts';

describe.each(Object.entries(adapters))('reading the %s store', (_name, openAdapter) => {
  test('returns the record that expires first, also among staged changes, and none that never expires', async () => {
    const { store } = await openAdapter();
    expect(store.ending('orders')).toBeUndefined();
    await store.transact((tx) => {
      tx.put('orders', 'late', order('ann', 1000));
      tx.put('orders', 'for ever', order('ann', 0));
      tx.put('orders', 'early', order('ann', 99));
      expect(tx.ending('orders')).toEqual({ id: 'early', until: 99 });
    });
    await store.transact((tx) => {
      tx.remove('orders', 'early');
      expect(tx.ending('orders')).toEqual({ id: 'late', until: 1000 });
      tx.put('orders', 'as late', order('ann', 1000));
      expect(tx.ending('orders')).toEqual({ id: 'as late', until: 1000 });
      tx.put('orders', 'as late', order('ann', 0));
    });
    expect(store.ending('orders')).toEqual({ id: 'late', until: 1000 });
    expect(() => store.ending('counters')).toThrow('counters');
  });

  test('returns a stored record, and undefined for one that was never stored or was removed', async () => {
    const { store } = await openAdapter();
    await store.transact((tx) => {
      tx.put('orders', 'o1', order('ann'));
      tx.put('orders', 'o2', order('bob'));
    });
    await store.transact((tx) => tx.remove('orders', 'o1'));
    expect([store.get('orders', 'o1'), store.get('orders', 'o2'), store.get('orders', 'o3')]).toEqual([
      undefined,
      { customer: 'bob', points: 1 },
      undefined,
    ]);
    expect(store.count('orders')).toBe(1);
  });

  test('records come oldest insertion first: an update keeps the position, and an id that was removed and added again is new', async () => {
    const { store } = await openAdapter();
    const read = (reader: Pick<Store<Collections>, 'all' | 'find' | 'ids'>): unknown => [
      reader.ids('orders'),
      reader.all('orders').map(({ note }) => note),
      reader.find('orders', 'customer', 'ann').map(({ note }) => note),
    ];
    await store.transact((tx) => {
      for (const id of ['a', 'b', 'c']) tx.put('orders', id, { ...order('ann'), note: id });
    });
    const within = await store.transact((tx) => {
      tx.put('orders', 'd', { ...order('ann'), note: 'd' });
      tx.put('orders', 'b', { ...order('bob'), note: 'b2' });
      tx.put('orders', 'b', { ...order('ann'), note: 'b3' });
      tx.remove('orders', 'a');
      tx.put('orders', 'a', { ...order('ann'), note: 'a2' });
      return read(tx);
    });
    const expected = ['b3', 'c', 'd', 'a2'];
    expect(within).toEqual([['b', 'c', 'd', 'a'], expected, expected]);
    expect(read(store)).toEqual([['b', 'c', 'd', 'a'], expected, expected]);
  });

  test('an index finds records by their present key, in staged changes and after the commit', async () => {
    const { store } = await openAdapter();
    await store.transact((tx) => {
      tx.put('orders', 'o1', order('ann', 1));
      tx.put('orders', 'o2', order('ann', 2));
      tx.put('orders', 'o3', order('', 3));
    });
    const find = (reader: Pick<Store<Collections>, 'find'>): unknown =>
      ['ann', 'bob', '', 'eve'].map((key) => reader.find('orders', 'customer', key).map(({ points }) => points));
    const within = await store.transact((tx) => {
      tx.put('orders', 'o1', order('bob', 10));
      tx.remove('orders', 'o2');
      tx.put('orders', 'o4', order('ann', 4));
      return find(tx);
    });
    expect(within).toEqual([[4], [10], [], []]);
    expect(find(store)).toEqual([[4], [10], [], []]);
    expect(() => store.find('orders', 'colour', 'red')).toThrow('The collection orders has no index colour');
  });

  test('a range has the ids strictly after a mark or, reversed, strictly before it, up to a limit', async () => {
    const { store } = await openAdapter();
    const put = (tx: Tx<Collections>, ids: string): void => {
      for (const id of ids) tx.put('orders', id, { customer: id, points: 1 });
    };
    await store.transact((tx) => put(tx, 'gcae'));
    const slices = (reader: Pick<Store<Collections>, 'range'>): string[] =>
      [
        {},
        { reverse: true },
        { after: 'c' },
        { after: 'd', limit: 2 },
        { after: 'e', reverse: true },
        { after: 'd', reverse: true, limit: 1 },
        { limit: 0 },
        { after: 'g' },
        { after: 'a', reverse: true },
      ].map((range) =>
        reader
          .range('orders', range)
          .map(({ customer }) => customer)
          .join(''),
      );
    expect(slices(store)).toEqual(['aceg', 'geca', 'eg', 'eg', 'ca', 'c', '', '', '']);
    const within = await store.transact((tx) => {
      put(tx, 'fdb');
      tx.remove('orders', 'e');
      put(tx, 'c');
      return slices(tx);
    });
    const expected = ['abcdfg', 'gfdcba', 'dfg', 'fg', 'dcba', 'c', '', '', ''];
    expect(within).toEqual(expected);
    expect(slices(store)).toEqual(expected);
    expect(() => store.range('counters', {})).toThrow('The collection counters is not ordered: it has no range');
  });

  test('names of Object.prototype are ids and index keys like any other', async () => {
    const { store } = await openAdapter();
    const names = ['__proto__', 'constructor', 'toString', 'hasOwnProperty'];
    const look = (): unknown[] =>
      names.map((name) => [store.get('orders', name), store.find('orders', 'customer', name)]);
    expect(look()).toEqual(names.map(() => [undefined, []]));
    await store.transact((tx) => {
      for (const name of names) tx.put('orders', name, order(name));
    });
    expect(look()).toEqual(names.map((name) => [order(name), [order(name)]]));
    expect(() => store.get('constructor' as keyof Collections, 'x')).toThrow('The store has no collection constructor');
  });

  test('records are frozen all the way down', async () => {
    const { store } = await openAdapter();
    await store.transact((tx) => tx.put('orders', 'o1', { ...order('ann'), tags: ['gift'] }));
    const record = store.get('orders', 'o1');
    expect(() => record?.tags?.push('late')).toThrow(TypeError);
    expect(() => Object.assign(record ?? {}, { points: 2 })).toThrow(TypeError);
    expect(store.get('orders', 'o1')).toEqual({ customer: 'ann', points: 1, tags: ['gift'] });
  });

  test.each([
    ['undefined', { customer: undefined, points: 1 }, 'orders x.customer is undefined, which JSON cannot represent'],
    ['NaN', { customer: 'a', points: Number.NaN }, 'orders x.points is NaN, which JSON cannot represent'],
    [
      'a date',
      { customer: new Date(0), points: 1 },
      'orders x.customer is an instance of a class, which JSON cannot represent',
    ],
    [
      'deep nesting',
      JSON.parse(`${'['.repeat(6000)}${']'.repeat(6000)}`),
      /^orders x(\[0\])+ is nested more than 100 levels deep$/,
    ],
  ])(
    'a record with %s, which the disk cannot represent, is refused, and later writes succeed',
    async (_what, record, message) => {
      const { store } = await openAdapter();
      await expect(store.transact((tx) => tx.put('orders', 'x', record))).rejects.toThrow(message);
      await store.transact((tx) => tx.put('orders', 'y', order('ann')));
      expect(store.all('orders')).toEqual([order('ann')]);
    },
  );
});
