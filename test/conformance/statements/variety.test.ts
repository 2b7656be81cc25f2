/** Valid variations cause no errors. They cause warnings only if they violate an assumption, each with its open point. */
import { expect, it } from 'vitest';
import { lines, reportOf } from './check.ts';
import { golden } from './golden.ts';
import { varieties } from './variety.ts';

it('there are at least 40 recordings', () => {
  expect(varieties.length).toBeGreaterThanOrEqual(40);
});

it.each(varieties)(
  'no error, and warnings only for its open points: $title',
  ({ make, warns = [], partial = false }) => {
    const report = reportOf(make(golden()), !partial);
    expect(report.exchanges.checked).toBeGreaterThan(10);
    const [errors, others] = [
      lines(report).filter((line) => line.startsWith('error')),
      report.findings.filter(({ severity, basis }) => severity === 'warning' && !warns.includes(basis)),
    ];
    expect(errors).toEqual([]);
    expect(others.map(({ code, basis, actual }) => `${code} ${basis} ${actual}`)).toEqual([]);
    expect(report.findings.some(({ basis }) => warns.includes(basis))).toBe(warns.length > 0);
  },
);
