import { expect, it } from 'vitest';
import { fuzz } from './fuzz/run.ts';

it('OP-90: 120 generated exchanges crash neither the proxy nor the check, and get their own replies', async () => {
  const { replies, uncaught } = await fuzz('short', 120);
  expect(uncaught).toEqual([]);
  expect([replies.theirs > 25, replies.own > 25]).toEqual([true, true]);
});
