/** Statement coverage in every report format. */
import { describe, expect, it } from 'vitest';
import { junitReport } from '../../../sandbox/conformance/report-junit.ts';
import { sarifReport } from '../../../sandbox/conformance/report-sarif.ts';
import { textReport } from '../../../sandbox/conformance/report-text.ts';
import { isRequirable, unobserved } from '../../../sandbox/conformance/statements/statements.ts';
import { reportOf } from './check.ts';
import { golden } from './golden.ts';
import type { Call } from './recording.ts';

/** Returns the report on the golden recording with a contradictory update and without the portal. */
function broken() {
  const calls = golden().filter(({ operation }) => operation !== 'openPortal');
  const update = calls.find(({ operation }) => operation === 'updateRedeemStatus') as Call;
  update.body = { ...update.body, orderStatus: 'Rejected' };
  return reportOf(calls, false);
}

describe('each statement is kept, violated, not observed, or not visible', () => {
  it('in the JSON report, with the exchanges that violate it', () => {
    const { statements } = broken();
    const of = (id: string) => statements.find((one) => one.id === id);
    expect(of('B11')).toEqual({
      id: 'B11',
      state: 'violated',
      kept: expect.any(Number),
      violated: 1,
      exchanges: [{ number: expect.any(Number), method: 'POST', url: '/client/updateRedeemStatus' }],
    });
    expect(of('B10')).toMatchObject({ state: 'kept', violated: 0, exchanges: [] });
    expect(of('C2')).toMatchObject({ state: 'not_observed', kept: 0 });
    expect(of('T7')).toMatchObject({ state: 'not_visible', kept: 0 });
  });

  it('in JUnit XML, as a case: violated ones fail, unobserved ones are skipped', () => {
    const xml = junitReport(broken());
    expect(xml).toMatch(/<testcase classname="statements" name="B11">\s*<failure [^>]*#\d+ POST/);
    expect(xml).toMatch(/<testcase classname="statements" name="C2">\s*<skipped\/>/);
    expect(xml).toMatch(/<testcase classname="statements" name="B10">\s*<system-out>[^/]*exercised without violation/);
    expect(xml).not.toContain('classname="statements" name="T7"');
  });

  it('in SARIF, as a property of the run, with rules that describe the violations', () => {
    const [run] = JSON.parse(sarifReport(broken())).runs;
    expect(run.properties.statements).toContainEqual(expect.objectContaining({ id: 'C2', state: 'not_observed' }));
    const rule = run.tool.driver.rules.find(({ id }: { id: string }) => id.endsWith('order-status-repeats-status'));
    expect(rule.fullDescription.text).toContain('"order status repeats status" is violated (B11)');
    const [result] = run.results;
    expect(result.locations[0].physicalLocation.artifactLocation.uri).toBe('docs/interface.md');
  });

  it('in text, as counts, with the ids of violated and unobserved ones', () => {
    expect(textReport(broken(), false)).toMatch(
      /Statements: \d+ of 10\d exercised without violation\. 1 violated \(B11\)\. Not observed: .*C1, C2/,
    );
  });
});

describe('--require observed=', () => {
  it('accepts statements and sections that traffic can show', () => {
    expect(['A5', 'S', 'R'].filter(isRequirable)).toEqual(['A5', 'S', 'R']);
    expect(['T7', 'A99', 'Z', 'a5', ''].filter(isRequirable)).toEqual([]);
  });

  it('names required statements that were not exercised; a violated one counts as exercised', () => {
    const { statements } = broken();
    expect(unobserved(statements, ['B11', 'C', 'B10'])).toEqual(['C1', 'C2']);
  });
});
