import { expect, it } from 'vitest';
import { subscriberNumber } from '../../sandbox/domain/otp.ts';

it.each([
  ['5000000007', '5000000007'],
  ['+915000000007', '5000000007'],
  ['05000000007', '5000000007'],
  ['+91 50000-00007', '5000000007'],
  ['500000007', undefined],
  ['', undefined],
])('OP-165: of %s the last ten digits count: %s', (phone, number) => {
  expect(subscriberNumber(phone)).toBe(number);
});
