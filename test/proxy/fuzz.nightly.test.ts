import { expect, it } from 'vitest';
import { fuzz } from './fuzz/run.ts';

/**
 * What the heap may grow by once findings, coverage, compiled schemas and remembered bodies have come to their bounds.
 */
const mostGrownBytes = 64 * 1024 * 1024;

it('OP-90: 11,000 generated exchanges end neither the proxy nor the check, in bounded memory', async () => {
  const first = await fuzz('one', 5000);
  const second = await fuzz('two', 6000);
  expect([...first.uncaught, ...second.uncaught]).toEqual([]);
  expect(second.grownBytes).toBeLessThan(mostGrownBytes);
  for (const { replies } of [first, second]) expect([replies.theirs > 500, replies.own > 500]).toEqual([true, true]);
});
