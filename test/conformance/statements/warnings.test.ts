/** Warnings of rules for several calls: behaviour that works with this sandbox but may fail elsewhere. */
import { expect, it } from 'vitest';
import { weighed } from '../../../sandbox/conformance/answers.ts';
import { lines, reportOf } from './check.ts';
import { golden } from './golden.ts';
import type { Call } from './recording.ts';

/** Returns a rule's warnings about a recording. */
const warnings = (calls: readonly Call[], rule: string) => lines(reportOf(calls)).filter((line) => line.includes(rule));

it('OP-24: an answer of the client that took over half of the time that the platform waits', () => {
  const slow = (ms: number) =>
    golden().map((call, at, all) => {
      const isFirst = all.findIndex(({ operation }) => operation === 'getProfileAndPoints') === at;
      return isFirst ? { ...call, end: call.start + ms } : call;
    });
  expect(warnings(slow(7500), 'answered-in-half-the-time')).toEqual([]);
  expect(warnings(slow(8000), 'answered-in-half-the-time')).toEqual([
    'warning getProfileAndPoints reply.trace.answered-in-half-the-time /time: at most 7500 ms, half of what is waited, found "8000 ms" (OP-24)',
  ]);
  // It is advice, and no evidence against the limit.
  const use = reportOf(slow(8000)).open_points.find(({ id }) => id === 'OP-24');
  expect(use).toMatchObject({ violated: 0, kept: expect.any(Number) });
});

it('OP-24, OP-251: an agreed limit makes a late answer an error, and half of it stays advice', () => {
  const answers = { answers: { 'OP-24': { answer: 'agreed', by: 'Platform', date: '2026-11-01' } } } as const;
  const finding = { pointer: '/time', basis: 'OP-24', severity: 'warning' } as const;
  const severities = ['reply.trace.answered-in-half-the-time', 'reply.trace.other'].map(
    (code) => weighed({ ...finding, code }, answers).severity,
  );
  expect(severities).toEqual(['warning', 'error']);
});
