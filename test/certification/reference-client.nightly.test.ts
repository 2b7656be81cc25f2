/** Runs the suite against the reference client, which is correct. */
import { expect, it } from 'vitest';
import { startReference } from './reference.ts';
import { words } from './run.ts';

const groups = ['tokens', 'basic', 'shapes', 'credit', 'deduction', 'status', 'v2', 'robustness'];
/** Requirements without a probe, or that need HTTPS. */
const inapplicable = { 'STA-23': 'not_applicable', 'ROB-19': 'not_applicable', 'ROB-20': 'not_applicable' };

it('the reference client meets every requirement of these groups, in two orders, and its ledger is even', async () => {
  const certify = await startReference();
  for (const seed of ['1', '2']) {
    const report = await certify({ only: groups, seed });
    expect(report.failures).toEqual([]);
    const left = Object.entries(words(report)).filter(([, word]) => word !== 'pass');
    expect(Object.fromEntries(left.filter(([id]) => !/^(OTP|JRN|CAL)-/.test(id)))).toEqual(inapplicable);
    expect(report.balances).toBe('restored');
  }
});
