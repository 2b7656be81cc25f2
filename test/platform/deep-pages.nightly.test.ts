/** A page costs the same wherever it is, in a catalogue of a million items (OP-12). */
import { expect, it } from 'vitest';
import { pagesOf } from './deep-pages.ts';

it('OP-12: the deepest page of 1,000,000 items costs no more than twice the first', async () => {
  const [first, middle, last] = await pagesOf(1_000_000);
  expect([first?.ids, last?.ids, last?.more]).toEqual([[1, 50], [999_951, 1_000_000], false]);
  for (const page of [middle, last]) expect(page?.shortest).toBeLessThan(2 * (first?.shortest ?? 0));
});
