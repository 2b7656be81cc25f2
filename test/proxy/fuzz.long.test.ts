import { expect, it } from 'vitest';
import { fuzz } from './fuzz/run.ts';

/** What the heap may grow by while findings, coverage and remembered bodies come to their bounds. */
const mostGrownBytes = 64 * 1024 * 1024;

it.each(['one', 'two'])(
  'OP-90: 6,000 generated exchanges of seed %s end neither the proxy nor the check, in bounded memory',
  async (seed) => {
    const { replies, uncaught, grownBytes } = await fuzz(seed, 6000);
    expect(uncaught).toEqual([]);
    expect(grownBytes).toBeLessThan(mostGrownBytes);
    expect([replies.theirs > 500, replies.own > 500]).toEqual([true, true]);
  },
);
