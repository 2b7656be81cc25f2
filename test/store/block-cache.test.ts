import { expect, test } from 'vitest';
import { BlockCache } from '../../sandbox/store/block-cache.ts';

const block = (id: string) => [{ id, ordinal: 0, record: {} }];

test('OP-141: what is kept of blocks that were read has a bound, and what was used longest ago goes first', () => {
  const cache = new BlockCache(100);
  for (const id of ['a', 'b', 'c']) cache.set(id, block(id), 30);
  expect(cache.get('a')).toEqual(block('a'));
  cache.set('d', block('d'), 30);
  expect(['a', 'b', 'c', 'd'].map((id) => cache.get(id) !== undefined)).toEqual([true, false, true, true]);
  for (let n = 0; n < 1000; n += 1) cache.set(`n${n}`, block('n'), 30);
  expect(cache.bytes).toBeLessThanOrEqual(100);
  cache.set('larger than all', block('n'), 101);
  expect([cache.get('larger than all'), cache.bytes]).toEqual([undefined, 0]);
});
