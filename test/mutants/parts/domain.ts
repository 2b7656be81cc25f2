import type { Mutant } from '../mutant.ts';

/** Mutants: mistakes in the rules: points, ledger, one-time passwords, redemptions. */
export const domain: readonly Mutant[] = [
  {
    id: 'ledger-negative',
    title: 'A customer can spend one point more than the balance',
    file: 'sandbox/domain/ledger.ts',
    find: 'if (entry.points > balance(account)) return undefined;',
    replace: 'if (entry.points > balance(account) + 1) return undefined;',
    tests: ['test/domain/ledger.test.ts'],
    killedBy: 'is refused: it is beyond the balance',
  },
  {
    id: 'points-rounded-down',
    title: 'A product whose price is no whole number of points is sold too cheap',
    file: 'sandbox/domain/points.ts',
    find: 'return (dividend + divisor - 1n) / divisor;',
    replace: 'return dividend / divisor;',
    tests: ['test/domain/line-points.test.ts'],
    killedBy: 'TDS points are of a single item, rounded up, and taken for each unit',
  },
  {
    id: 'otp-expires-late',
    title: 'A one-time password is accepted at the moment at which it expires',
    file: 'sandbox/domain/otp.ts',
    find: 'if (now >= otp.expiresAt)',
    replace: 'if (now > otp.expiresAt)',
    tests: ['test/domain/otp.test.ts'],
    killedBy: 'a code holds for 300 seconds, to the millisecond',
  },
];
