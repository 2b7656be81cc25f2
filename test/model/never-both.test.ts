import { it } from 'vitest';
import { scaled } from '../harness/scale.ts';
import { neverBoth } from './never-both.ts';

it('OP-121, OP-127: points and voucher are never both with the customer, and everything adds up in the end', {
  timeout: 1_800_000,
}, async () => {
  await neverBoth({ runs: scaled(5, 250), steps: scaled(24, 30) });
});
