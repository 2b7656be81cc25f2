/** Every page costs the same, at any position in a catalogue of a million items (OP-12). */
import { expect, it } from 'vitest';
import { pagesOf } from './deep-pages.ts';

it.each([
  ['50,000', 50_000],
  ['1,000,000', 1_000_000],
])('OP-12: the deepest page of %s items costs no more than twice the first', async (_, count) => {
  const [first, middle, last] = await pagesOf(count);
  expect([first?.ids, last?.ids, last?.more]).toEqual([[1, 50], [count - 49, count], false]);
  for (const page of [middle, last]) expect(page?.shortest).toBeLessThan(2 * (first?.shortest ?? 0));
});
