import { it } from 'vitest';
import { neverBoth } from './never-both.ts';

it('OP-121, OP-127: points and voucher are never both with the customer, and everything adds up in the end', {
  timeout: 120_000,
}, async () => {
  await neverBoth({ runs: 20, steps: 24 });
});
