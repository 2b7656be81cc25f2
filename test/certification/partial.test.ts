/** Tests that every report format shows unchecked requirements, and that a run passes only if all mandatory ones were checked. */
import { generateKeyPair } from 'jose';
import { expect, it } from 'vitest';
import { issueCertificate } from '../../sandbox/certification/certificate.ts';
import { checkCertificate } from '../../sandbox/certification/certificate-check.ts';
import { conclude } from '../../sandbox/certification/report.ts';
import { junitReport } from '../../sandbox/certification/report-files.ts';
import { reportText } from '../../sandbox/certification/report-text.ts';
import { badge, htmlReport } from '../../sandbox/certification/reports/html.ts';
import { loadRequirements } from '../../sandbox/certification/requirement.ts';
import { leftOut } from '../../sandbox/certification/selection.ts';
import type { Input, Report } from '../../sandbox/certification/verdict.ts';
import { endingOf, verdictLines } from '../../sandbox/cli/certify-output.ts';
import { failed, reported } from '../harness/reported.ts';

const { list } = loadRequirements();
const bare: Input = { client_url: 'http://localhost:1', customers: ['A'], api: 'both' };

/** Returns a report without the requirements that need a sandbox. */
function partial(): Report {
  const left = reported({ 'CAL-01': 'not_selected', 'CAL-02': 'not_selected', 'CAL-03': 'not_selected' });
  const verdicts = left.verdicts.map((verdict) =>
    verdict.verdict === 'not_selected' ? { ...verdict, option: '--sandbox URL' } : verdict,
  );
  return { ...left, verdicts };
}

function end(report: Report, allowPartial = false) {
  return endingOf(report, conclude(report, 'must', []), allowPartial);
}

it('a requirement with a missing input is not selected, and names the option for it', () => {
  const applicable = list.filter(({ unseen, needs }) => unseen === undefined && !needs.includes('https'));
  const left = applicable.map((requirement) => ({ id: requirement.id, ...leftOut(requirement, bare) }));
  expect(left.filter(({ verdict, option }) => verdict !== 'not_selected' || option === null)).toEqual([]);
  expect(Object.fromEntries(left.map(({ id, option }) => [id, option]))).toMatchObject({
    'CRD-01': '--service-token TOKEN',
    'BAS-01': '--basic USER:PASSWORD',
    'CAL-01': '--sandbox URL',
  });
});

it('the coverage counts the checked of the applicable requirements, by level', () => {
  const { coverage, outcome } = partial();
  const all = (level: string) => list.filter((of) => of.level === level).length;
  expect(outcome).toBe('partial');
  expect(coverage).toEqual({
    mandatory: { judged: all('must') - 2, of: all('must') },
    recommended: { judged: all('should') - 1, of: all('should') },
  });
});

it('a partial run ends with 5 and names the option; with --allow-partial it ends with 0', () => {
  const left = '2 mandatory requirements were not checked. To check them: --sandbox URL (CAL-01, CAL-02).';
  const text = `Partial: all checked mandatory requirements passed, but ${left}`;
  expect(end(partial())).toEqual({ code: 5, text: `${text} Use --allow-partial to accept a partial run.` });
  expect(end(partial(), true)).toEqual({ code: 0, text });
});

it('a run that checked every mandatory requirement ends with 0, and still counts recommended failures', () => {
  expect(end(reported())).toEqual({ code: 0, text: 'All applicable mandatory requirements passed.' });
  expect(end(reported({ 'CRD-04': 'fail' }))).toEqual({
    code: 0,
    text: 'All applicable mandatory requirements passed. 1 failed, 1 cause (1 recommended): CRD-04.',
  });
});

it('a failed run counts failures, as the table does, and their causes', () => {
  const failures = [failed('CRD-02', { breaks: ['CRD-04'] }), failed('DED-02')];
  const report = reported({ 'CRD-02': 'fail', 'CRD-04': 'fail', 'DED-02': 'fail' }, { failures });
  expect(end(report)).toEqual({
    code: 1,
    text: '3 failed, 2 causes (2 mandatory, 1 recommended): CRD-02, DED-02, CRD-04.',
  });
  const text = reportText(report, { colour: false, width: 100, docs: 'http://localhost:4010/docs' });
  expect(text).toMatch(/^all +\d+ +3 /m);
  expect(htmlReport(report)).toContain('Failures: 3 failed, 2 causes');
});

it('with --only, the last line has the verdicts of the requirements that it names', () => {
  const report = reported({ 'CRD-02': 'fail', 'CRD-04': 'blocked' });
  const lines = (only?: readonly string[]) => verdictLines(report, { ...bare, ...(only && { only: [...only] }) });
  expect(lines(['CRD-02'])).toEqual(['fail: CRD-02']);
  expect(lines(['CRD-01', 'CRD-02', 'CRD-04'])).toEqual(['pass: CRD-01; fail: CRD-02; blocked: CRD-04']);
  expect(lines()).toEqual([]);
});

it('a requirement blocked only by a recommended failure leaves the run partial', () => {
  const failing = reported({ 'CRD-04': 'fail', 'CRD-05': 'blocked' });
  const verdicts = failing.verdicts.map((of) => (of.id === 'CRD-05' ? { ...of, blocked_by: 'CRD-04' } : of));
  expect(end({ ...failing, verdicts })).toEqual({
    code: 5,
    text: 'Partial: all checked mandatory requirements passed, but 1 mandatory requirement was not checked. Blocked by failed recommended requirements: CRD-05. 1 failed, 1 cause (1 recommended): CRD-04. Use --allow-partial to accept a partial run.',
  });
});

it('every form of the report states the coverage: text, HTML, JUnit, certificate and badge', async () => {
  const report = partial();
  expect(reportText(report, { colour: false, width: 100, docs: '' })).toContain(
    'not selected: Excluded by --only. To check it: --sandbox URL. CAL-01, CAL-02, CAL-03',
  );
  expect(htmlReport(report)).toContain('<code>--sandbox URL</code> for CAL-01, CAL-02');
  const coverageCase = (xml: string) => xml.slice(xml.indexOf('<testsuite name="coverage"'));
  expect(coverageCase(junitReport(report))).toMatch(
    /<failure message="Partial: \d+ of \d+ mandatory [^"]*--sandbox URL/,
  );
  expect(coverageCase(junitReport(report, 'must', { allowPartial: true }))).toContain('<skipped/>');
  expect(coverageCase(junitReport(reported()))).not.toMatch(/<failure|<skipped/);
  const { privateKey: key } = await generateKeyPair('EdDSA', { extractable: true });
  const now = Date.parse(report.finished_at);
  const checked = await checkCertificate(await issueCertificate(report, { key }), { now });
  expect(checked).toMatchObject({ passed: false, claims: { outcome: 'partial', coverage: report.coverage } });
  expect(Object.keys(checked.claims)[0]).toBe('coverage');
  const { judged, of } = report.coverage.mandatory;
  expect(badge(checked)).toContain(`not certified (partial, ${judged} of ${of})`);
});
