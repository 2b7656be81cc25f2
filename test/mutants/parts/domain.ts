import type { Mutants } from '../mutant.ts';

/** Mistakes in the business rules: points, ledger, one-time passwords and redemptions. */
export const domain: Mutants = {
  'ledger-negative': {
    title: 'A customer can spend one point more than the balance',
    file: 'sandbox/domain/ledger.ts',
    find: 'if (entry.points > balance(account)) return undefined;',
    replace: 'if (entry.points > balance(account) + 1) return undefined;',
    tests: ['test/domain/ledger.test.ts'],
    killedBy: 'is refused: it is beyond the balance',
  },
  'points-rounded-down': {
    title: 'A product whose price is not a whole number of points is sold too cheap',
    file: 'sandbox/domain/points.ts',
    find: 'return (dividend + added) / divisor;',
    replace: 'return dividend / divisor;',
    killedBy: 'the totals add up under any rules: a reversal refunds exactly what was deducted',
  },
  'otp-expires-late': {
    title: 'A one-time password is accepted at the moment when it expires',
    file: 'sandbox/domain/otp.ts',
    find: 'if (now >= otp.expiresAt)',
    replace: 'if (now > otp.expiresAt)',
    killedBy: 'a code is valid for 300 seconds, to the millisecond',
  },
};
