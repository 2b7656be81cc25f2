/** Every mutant of the golden recording must have a finding against the party at fault, based on the violated statement. */
import { beforeAll, describe, expect, it } from 'vitest';
import type { Finding } from '../../../sandbox/conformance/finding.ts';
import { reportOf } from './check.ts';
import { golden } from './golden.ts';
import type { Mutant } from './mutation.ts';
import { operators } from './operators.ts';

/** Mutants that no finding detects, with the reason. */
const undetectable: Readonly<Record<string, string>> = {};

interface Result {
  readonly mutant: Mutant;
  readonly isFound: boolean;
  readonly innocent: readonly string[];
}

/** Returns the party at fault. Each party is the caller of some operations and the host of others. */
function sideOf({ party, hosted_by: host }: Pick<Finding, 'party' | 'hosted_by'>): string {
  if (host === 'nobody') return party === 'caller' ? 'the caller' : 'the host';
  return party === 'host' ? host : host === 'client' ? 'platform' : 'client';
}

const results: Result[] = [];

beforeAll(() => {
  for (const mutant of operators.flatMap((operator) => operator(golden()))) {
    const { findings } = reportOf(mutant.calls);
    const errors = findings.filter(({ severity }) => severity === 'error');
    const names = ({ basis }: { basis: string }) => mutant.statements.some((id) => basis.split(' ').includes(id));
    const right = errors.find((one) => names(one) && one.party === mutant.party);
    const others = findings.filter(
      (one) => one.severity !== 'notice' && right !== undefined && sideOf(one) !== sideOf(right),
    );
    results.push({
      mutant,
      isFound: right !== undefined,
      innocent: others.map(({ code, basis }) => `${code} (${basis})`),
    });
  }
}, 120_000);

const titleOf = ({ mutant: { statements, party, title } }: Result) => `${statements.join(' ')} ${party}: ${title}`;

describe('mutants of the golden recording', () => {
  it('are at least 300, over every statement that an error can rest on', () => {
    expect(results.length).toBeGreaterThanOrEqual(300);
  });

  it('are detected, except those listed with a reason: at most 3 in 100', () => {
    const undetected = results.filter(({ isFound }) => !isFound).map(titleOf);
    expect(undetected.filter((title) => undetectable[title] === undefined)).toEqual([]);
    expect(undetected.length).toBeLessThanOrEqual(results.length * 0.03);
    expect(Object.keys(undetectable).filter((title) => !undetected.includes(title))).toEqual([]);
  });

  it('lead to no finding against the other party', () => {
    expect(results.filter(({ innocent }) => innocent.length > 0).map((one) => [titleOf(one), ...one.innocent])).toEqual(
      [],
    );
  });
});
