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

it('OP-101: a refusal with a status such as 402, where the guide recommends 422', () => {
  const refusedWith = (status: number) =>
    golden().map((call) =>
      call.operation === 'saveRedeemDetails' && call.status === 422 ? { ...call, status } : call,
    );
  for (const status of [400, 401, 403, 404, 408, 409, 413, 415, 418, 425, 429, 500])
    expect(warnings(refusedWith(status), 'recommended-refusal')).toEqual([]);
  for (const status of [402, 410, 412, 423, 424])
    expect(warnings(refusedWith(status), 'recommended-refusal')).toEqual([
      `warning saveRedeemDetails reply.rule.recommended-refusal /status: 422, the recommended status of a refusal, found ${status} (OP-101)`,
    ]);
  // It is advice, which no answer turns into an error, and no evidence against the open point.
  const answers = { answers: { 'OP-101': { answer: 'agreed', by: 'Platform', date: '2026-11-01' } } } as const;
  const finding = {
    code: 'reply.rule.recommended-refusal',
    pointer: '/status',
    basis: 'OP-101',
    severity: 'warning',
  } as const;
  expect(weighed(finding, answers).severity).toBe('warning');
  expect(reportOf(refusedWith(402)).open_points.find(({ id }) => id === 'OP-101')).toMatchObject({ violated: 0 });
});
