/** Credits, deductions and status reports: right servers hold all requirements, and each mistake fails those about it. */
import { expect, it } from 'vitest';
import type { Report } from '../../sandbox/conformance/certification/verdict.ts';
import { testSandbox } from '../harness/sandbox.ts';
import { caughtIn } from './caught/caught.ts';
import { failed, judged, partner } from './judged.ts';
import { certified, words } from './run.ts';

const only = ['credit', 'deduction', 'status'];

/** The verdicts that are no pass, by requirement. */
function notPassed(report: Report): Record<string, string> {
  const chosen = Object.entries(words(report)).filter(([id]) => /^(CRD|DED|STA)-/.test(id));
  return Object.fromEntries(chosen.filter(([, word]) => word !== 'pass'));
}

it('a right server holds every requirement about credits, deductions and status reports, and its books are even', async () => {
  const report = await judged(await partner(), { only });
  expect(report.failures).toEqual([]);
  expect(notPassed(report)).toEqual({ 'STA-23': 'not_applicable' });
  expect(report.books).toBe('even');
});

it('the reference client holds them too, in another order', async () => {
  const { origin, credentials } = await testSandbox();
  const { service_token } = credentials;
  const customers = ['CUST0001', 'CUST0002'];
  const report = await certified({ client_url: `${origin}/client`, service_token, customers, only, seed: '2' });
  expect(report.failures).toEqual([]);
  expect(notPassed(report)).toEqual({ 'DED-12': 'not_selected', 'STA-23': 'not_applicable' });
  expect(report.books).toBe('even');
});

it.each(caughtIn('CRD', 'DED', 'STA'))('the mistake %s fails the requirements about it', async (mistake, listed) => {
  const server = await partner({ mistake, raceMs: 60 });
  expect(failed(await judged(server, { only: [...listed] }))).toEqual(listed);
});

it('an answer that is too late blocks, and fails nothing about the ledger', async () => {
  const report = await judged(await partner({ mistake: 'slow' }), { only: ['deduction', 'status'], timeout_ms: 300 });
  expect(failed(report)).toEqual([]);
  expect(notPassed(report)).toMatchObject({ 'DED-01': 'blocked', 'DED-08': 'blocked', 'STA-01': 'blocked' });
});

it.each([
  ['OP-09: points in another way than plain digits are refused', 'CRD-12', 'credit-float'],
  ['OP-16: other values under a transactionId that was used are refused', 'CRD-04', 'credit-other-values'],
  ['OP-21: a repeated final status is a success', 'STA-03', 'report-repeat-refused'],
  ['OP-122: points that do not add up are refused', 'DED-16', 'deduct-unlike-sum'],
  ['OP-181: other values under a redeemCode that was used are refused', 'DED-06', 'deduct-other-values'],
] as const)('%s, as the suite sees', async (_, id, mistake) => {
  const [right, wrong] = [await partner(), await partner({ mistake })];
  expect(words(await judged(right, { only: [id] }))[id]).toBe('pass');
  const { failures } = await judged(wrong, { only: [id] });
  expect(failures.map(({ requirement, again }) => [requirement, again])).toEqual([[id, `--only ${id}`]]);
});
