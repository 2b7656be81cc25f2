/** Tests credits, deductions and status reports with late answers, and with codes that are reused with other values. */
import { expect, it } from 'vitest';
import type { Report } from '../../sandbox/certification/verdict.ts';
import { certifyServer, failedIds, partner } from './judged.ts';
import { words } from './run.ts';

/** Returns all verdicts except `pass`, keyed by requirement. */
function notPassed(report: Report): Record<string, string> {
  const chosen = Object.entries(words(report)).filter(([id]) => /^(CRD|DED|STA)-/.test(id));
  return Object.fromEntries(chosen.filter(([, word]) => word !== 'pass'));
}

it('a late answer blocks requirements about the ledger, and fails none', async () => {
  const report = await certifyServer(await partner({ mistake: 'slow' }), {
    only: ['deduction', 'status'],
    timeout_ms: 300,
  });
  expect(failedIds(report)).toEqual([]);
  expect(notPassed(report)).toMatchObject({ 'DED-01': 'blocked', 'DED-08': 'blocked', 'STA-01': 'blocked' });
});

it('OP-181: a used redeemCode with other values is refused, and the report says so for a server that accepts it', async () => {
  const only = ['DED-06'];
  expect(words(await certifyServer(await partner(), { only }))).toMatchObject({ 'DED-06': 'pass' });
  const { failures } = await certifyServer(await partner({ mistake: 'deduct-other-values' }), { only });
  expect(failures).toMatchObject([
    {
      requirement: 'DED-06',
      message: 'Another number of points with the same redeemCode was not refused: 200.',
      pointer: '/status',
      statement: 'OP-181',
      docs: 'open-points#op-181',
      again: '--only DED-06',
    },
  ]);
});
