/** A page costs the same wherever it is (OP-12); at full size in deep-pages.nightly.test.ts. */
import { expect, it } from 'vitest';
import { pagesOf } from './deep-pages.ts';

it.each([undefined, 'physical' as const])(
  'OP-12: the deepest page of 50,000 items costs no more than twice the first: %s',
  async (type) => {
    const [first, middle, last] = await pagesOf(50_000, type);
    expect([first?.ids, first?.more]).toEqual([[1, type === undefined ? 50 : 99], true]);
    expect([last?.ids, last?.more]).toEqual([
      [type === undefined ? 49_951 : 49_901, type === undefined ? 50_000 : 49_999],
      false,
    ]);
    for (const page of [middle, last]) expect(page?.shortest).toBeLessThan(2 * (first?.shortest ?? 0));
  },
);
