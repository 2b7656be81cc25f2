import { expect, it } from 'vitest';
import {
  digits,
  lastNumber,
  type NumberingCollections,
  nextNumber,
  numberedId,
  numberingSchema,
  orderedKey,
} from '../../sandbox/runtime/ids.ts';
import { openMemoryStore } from '../../sandbox/store/memory.ts';

it('each counter starts at 1 and counts independently', async () => {
  const store = openMemoryStore<NumberingCollections>(numberingSchema);
  expect(lastNumber(store, 'orders')).toBe(0);
  const numbers = await store.transact((tx) =>
    ['orders', 'orders', 'lines', 'orders'].map((name) => nextNumber(tx, name)),
  );
  expect(numbers).toEqual([1, 2, 1, 3]);
  expect([lastNumber(store, 'orders'), lastNumber(store, 'lines')]).toEqual([3, 1]);
});

it('a failed transaction uses up no number', async () => {
  const store = openMemoryStore<NumberingCollections>(numberingSchema);
  const refused = store.transact((tx) => {
    nextNumber(tx, 'orders');
    throw new Error('refused');
  });
  await expect(refused).rejects.toThrow('refused');
  expect(await store.transact((tx) => nextNumber(tx, 'orders'))).toBe(1);
});

it.each([
  [1, 'ORD-000001'],
  [999_999, 'ORD-999999'],
  [1_000_000, 'ORD-1000000'],
])('number %i as an id reads %s', (number, id) => {
  expect(numberedId('ORD', number)).toBe(id);
});

it('keys sort as their numbers do', () => {
  const numbers = [1, 9, 10, 999, 1000, 123_456_789_012];
  expect(numbers.map(orderedKey).sort()).toEqual(numbers.map(orderedKey));
  expect([orderedKey(1), digits(7, 4), digits(12_345, 4)]).toEqual(['000000000001', '0007', '12345']);
});
