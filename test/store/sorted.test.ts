/** Tests sorted keys. They are stored in chunks, which no caller can observe. */
import { expect, test } from 'vitest';
import { SortedKeys } from '../../sandbox/store/sorted.ts';

/** Numbers in mixed order, which is identical in each run. */
const mixed = Array.from({ length: 5000 }, (_, n) => String((n * 7919) % 5000).padStart(4, '0'));
const sorted = mixed.toSorted();

test.each([
  ['in order', sorted],
  ['in reverse', sorted.toReversed()],
  ['in no order', mixed],
])('keys that were added %s are sorted in both directions, from any start', (_how, keys) => {
  const keySet = new SortedKeys();
  for (const key of keys) keySet.add(key);
  expect([...keySet.from(undefined, false)]).toEqual(sorted);
  expect([...keySet.from(undefined, true)]).toEqual(sorted.toReversed());
  for (const after of ['', '0000', '1023', '1024', '2047x', '4999', '9']) {
    const beyond = sorted.filter((key) => key > after);
    const below = sorted.filter((key) => key < after).toReversed();
    expect([after, [...keySet.from(after, false)], [...keySet.from(after, true)]]).toEqual([after, beyond, below]);
  }
});

test('keys can be removed in any order, including the first ones and all of them', () => {
  const keySet = new SortedKeys();
  for (const key of mixed) keySet.add(key);
  for (const key of mixed.slice(0, 4000)) keySet.remove(key);
  expect([...keySet.from(undefined, false)]).toEqual(mixed.slice(4000).toSorted());
  for (const key of mixed.slice(4000)) keySet.remove(key);
  expect([...keySet.from(undefined, false), ...keySet.from('', false), ...keySet.from('', true)]).toEqual([]);
  keySet.add('again');
  expect([...keySet.from(undefined, true)]).toEqual(['again']);
});
