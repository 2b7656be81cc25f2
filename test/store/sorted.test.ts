/** Keys in order: they are kept in pieces, which nobody notices. */
import { expect, test } from 'vitest';
import { SortedKeys } from '../../sandbox/store/sorted.ts';

/** Numbers that come in no order, the same ones in each run. */
const mixed = Array.from({ length: 5000 }, (_, n) => String((n * 7919) % 5000).padStart(4, '0'));
const sorted = mixed.toSorted();

test.each([
  ['in order', sorted],
  ['in reverse', sorted.toReversed()],
  ['in no order', mixed],
])('keys that were added %s are in order both ways, from any of them on', (_how, keys) => {
  const kept = new SortedKeys();
  for (const key of keys) kept.add(key);
  expect([...kept.from(undefined, false)]).toEqual(sorted);
  expect([...kept.from(undefined, true)]).toEqual(sorted.toReversed());
  for (const after of ['', '0000', '1023', '1024', '2047x', '4999', '9']) {
    const beyond = sorted.filter((key) => key > after);
    const below = sorted.filter((key) => key < after).toReversed();
    expect([after, [...kept.from(after, false)], [...kept.from(after, true)]]).toEqual([after, beyond, below]);
  }
});

test('keys can go in any order, the first ones or all of them included', () => {
  const kept = new SortedKeys();
  for (const key of mixed) kept.add(key);
  for (const key of mixed.slice(0, 4000)) kept.remove(key);
  expect([...kept.from(undefined, false)]).toEqual(mixed.slice(4000).toSorted());
  for (const key of mixed.slice(4000)) kept.remove(key);
  expect([...kept.from(undefined, false), ...kept.from('', false), ...kept.from('', true)]).toEqual([]);
  kept.add('again');
  expect([...kept.from(undefined, true)]).toEqual(['again']);
});
