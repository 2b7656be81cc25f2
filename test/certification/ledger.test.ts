/** Credits, deductions and status reports: right servers hold all requirements, and each mistake fails those about it. */
import { expect, it } from 'vitest';
import type { Report } from '../../sandbox/conformance/certification/verdict.ts';
import { type MistakeName, mistakeNames, mistakes } from '../harness/partner/mistakes.ts';
import { testSandbox } from '../harness/sandbox.ts';
import { creditCaught } from './caught/credit.ts';
import { deductionCaught } from './caught/deduction.ts';
import { statusCaught } from './caught/status.ts';
import { failed, judged, partner } from './judged.ts';
import { certified, words } from './run.ts';

const only = ['credit', 'deduction', 'status'];
const caught: Partial<Record<MistakeName, readonly string[]>> = {
  ...creditCaught,
  ...deductionCaught,
  ...statusCaught,
};

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

it('every mistake with credits, deductions and status reports is caught', () => {
  const areas = [mistakes.credits, mistakes.deductions, mistakes.status];
  expect(Object.keys(caught).toSorted()).toEqual(areas.flatMap((area) => Object.keys(area)).toSorted());
});

it('every requirement about them fails for some mistake', async () => {
  const { verdicts } = await judged(await partner(), { only: ['STA-23'] });
  const ids = verdicts.map(({ id }) => id).filter((id) => /^(CRD|DED|STA)-/.test(id) && id !== 'STA-23');
  expect(ids.filter((id) => !Object.values(caught).some((listed) => listed.includes(id)))).toEqual([]);
});

const table = mistakeNames.flatMap((name) => (caught[name] === undefined ? [] : [[name, caught[name]] as const]));

it.each(table)('the mistake %s fails the requirements about it', async (mistake, listed) => {
  const server = await partner({ mistake, raceMs: 60 });
  expect(failed(await judged(server, { only: [...listed] }))).toEqual(listed);
});

it('an answer that is too late blocks, and fails nothing about the ledger', async () => {
  const report = await judged(await partner({ mistake: 'slow' }), { only: ['deduction', 'status'], timeout_ms: 300 });
  expect(failed(report)).toEqual([]);
  expect(notPassed(report)).toMatchObject({ 'DED-01': 'blocked', 'DED-08': 'blocked', 'STA-01': 'blocked' });
});

it('OP-181: other values under a redeemCode that was used are refused, and a server that takes them is told so', async () => {
  const only = ['DED-06'];
  expect(words(await judged(await partner(), { only }))).toMatchObject({ 'DED-06': 'pass' });
  const { failures } = await judged(await partner({ mistake: 'deduct-other-values' }), { only });
  expect(failures).toMatchObject([
    {
      requirement: 'DED-06',
      message: 'Another number of points under the same redeemCode was not refused: 200.',
      pointer: '/status',
      statement: 'OP-181',
      docs: 'open-points#op-181',
      again: '--only DED-06',
    },
  ]);
});
