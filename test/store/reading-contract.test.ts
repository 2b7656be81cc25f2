import { describe, expect, test } from 'vitest';
import { adapters, order } from './adapters.ts';
import type { Collections } from './schema.ts';

describe.each(Object.entries(adapters))('reading the %s store', (_name, openAdapter) => {
  test('a collection, index or order that the schema does not have is refused by name', async () => {
    const { store } = await openAdapter();
    expect(() => store.get('constructor' as keyof Collections, 'x')).toThrow('The store has no collection constructor');
    expect(() => store.find('orders', 'colour', 'red')).toThrow('The collection orders has no index colour');
    expect(() => store.range('counters', {})).toThrow('The collection counters is not ordered: it has no range');
    expect(() => store.ending('counters')).toThrow('counters');
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
