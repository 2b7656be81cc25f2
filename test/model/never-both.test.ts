import { it } from 'vitest';
import { scaled } from '../harness/scale.ts';
import { neverBoth } from './never-both.ts';

it('OP-121, OP-127: a customer never has both the points and the voucher, and everything adds up in the end', {
  timeout: 1_800_000,
}, async () => {
  await neverBoth({ runs: scaled(5, 250), steps: scaled(24, 30) });
});
