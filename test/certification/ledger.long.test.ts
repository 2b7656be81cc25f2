/** Each mistake with credits, deductions and status reports, against all requirements about them. */
import { expect, it } from 'vitest';
import type { MistakeName } from '../harness/partner/mistakes.ts';
import { creditCaught } from './caught/credit.ts';
import { deductionCaught } from './caught/deduction.ts';
import { statusCaught } from './caught/status.ts';
import { failed, judged, partner } from './judged.ts';

const table = Object.entries({ ...creditCaught, ...deductionCaught, ...statusCaught });

it.each(table)('the mistake %s fails the requirements about it, and no others', async (mistake, listed) => {
  const server = await partner({ mistake: mistake as MistakeName, raceMs: 60 });
  const report = await judged(server, { only: ['credit', 'deduction', 'status'] });
  expect(failed(report)).toEqual(listed);
  expect(report.verdicts.filter(({ verdict }) => verdict === 'suite_error')).toEqual([]);
});
