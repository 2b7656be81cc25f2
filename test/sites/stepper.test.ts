/** Tests the steps of a redemption as the portal draws them. */
import { expect, it } from 'vitest';
import { stepsOf } from '../../sandbox/sites/portal/order-page.ts';

it.each([
  ['Pending', false, 'Placed done, With vendor now, Delivered ahead'],
  ['Redeemed', false, 'Placed done, With vendor done, Delivered done'],
  ['Reversing', false, 'Placed done, Rejected failed, Points refunded now'],
  ['Stuck', false, 'Placed done, Rejected failed, Points refunded ahead'],
  ['Reversed', true, 'Placed done, Cancelled failed, Points refunded done'],
] as const)('OP-185: %s, cancelled %s: %s', (state, cancelled, steps) => {
  expect(
    stepsOf({ state, cancelled })
      .map((step) => step.join(' '))
      .join(', '),
  ).toBe(steps);
});
