import { expect, it } from 'vitest';
import { fuzz } from './fuzz/run.ts';

/** Maximum heap growth after findings, coverage, compiled schemas and cached bodies have reached their limits, in bytes. */
const maxGrownBytes = 64 * 1024 * 1024;

it('OP-90: 11,000 generated exchanges crash neither the proxy nor the check, in bounded memory', async () => {
  const first = await fuzz('one', 5000);
  const second = await fuzz('two', 6000);
  expect([...first.uncaught, ...second.uncaught]).toEqual([]);
  expect(second.grownBytes).toBeLessThan(maxGrownBytes);
  for (const { replies } of [first, second]) expect([replies.theirs > 500, replies.own > 500]).toEqual([true, true]);
});
