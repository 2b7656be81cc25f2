/** Tests the report formats: JSON, JUnit XML, SARIF and text (OP-90). */
import { describe, expect, it } from 'vitest';
import type { Finding } from '../../sandbox/conformance/finding.ts';
import { FindingCollector, type Report } from '../../sandbox/conformance/finding-collector.ts';
import { junitReport } from '../../sandbox/conformance/report-junit.ts';
import { sarifReport, sourceOf } from '../../sandbox/conformance/report-sarif.ts';
import { textReport, wordsOf } from '../../sandbox/conformance/report-text.ts';
import { readContract } from '../../sandbox/contract/document.ts';
import { Schemas } from '../../sandbox/contract/schemas.ts';
import { type Draft, example, exchange } from '../harness/exchanges.ts';
import { sharedChecker } from '../harness/proxy.ts';
import { violations } from '../harness/violations.ts';

const newCollector = () => new FindingCollector(sharedChecker(), 'har', '1.2.3', ['rewards']);
const authExchange = exchange(example('companyAuth', 200));

/** Builds a report on three exchanges: a correct one, one whose reply breaks an assumption, and one to a wrong path. */
async function threeExchanges(): Promise<Report> {
  const checker = sharedChecker();
  const collector = newCollector();
  const bad = example('companyAuth', 200);
  (bad.reply.body as { expires_in: unknown }).expires_in = '<3600 & "more">';
  const lost: Draft = { ...example('companyAuth', 200), path: '/company/auth' };
  for (const draft of [example('companyAuth', 200), bad, lost])
    collector.add(exchange(draft), checker.check(exchange(draft)));
  return collector.report;
}

const lost = { path: 'lost', line: 1 };

/** Removes a report's statements, each of which would be a case in JUnit XML. */
const withoutStatements = (report: Report): Report => ({ ...report, statements: [] });

describe('OP-90: a report', () => {
  it('as JSON matches the schema in openapi/proxy.yaml', async () => {
    const report = await threeExchanges();
    expect(new Schemas(readContract('proxy')).check('/components/schemas/Report')(report)).toBeUndefined();
    expect(report).toMatchObject({
      schema_version: 1,
      tool: { version: '1.2.3' },
      totals: { errors: 1, warnings: 1, notices: 0, not_kept: 0 },
    });
  });

  it('as JUnit XML has a case for each request and reply in the capture, failed where there are errors', async () => {
    const xml = junitReport(withoutStatements(await threeExchanges()));
    expect(xml).toMatch(
      /^<\?xml version="1.0" encoding="UTF-8"\?>\n<testsuites tests="3" failures="1" errors="0" skipped="0">/,
    );
    const cases = [...xml.matchAll(/<testcase classname="([^"]*)" name="([^"]*)"(\/?)>/g)];
    expect(cases.map(([, group, name, passed]) => [name, group, passed === '/'])).toEqual([
      ['companyAuth request', 'rewards.companyAuth', true],
      ['companyAuth response 200', 'rewards.companyAuth', false],
      ['POST /rewards/company/auth request', 'rewards.undocumented', false],
    ]);
    expect(xml).toContain('type="request.url.undocumented"');
    // A case with a warning passes and contains the warning in its output.
    const [, warned = ''] = /name="companyAuth response 200">(.*?)<\/testcase>/s.exec(xml) ?? [];
    expect(warned).toMatch(
      /^\s*<system-out>\s*<!\[CDATA\[warning: reply\.body\.type: \/body\/expires_in .*; based on OP-02; at fault: host; .*\]\]>\s*<\/system-out>\s*$/,
    );
    // The XML is well-formed: no value becomes markup, and every element is closed.
    const markup = xml.replaceAll(/<!\[CDATA\[.*?\]\]>/gs, '');
    expect(markup).not.toContain('<3600');
    expect(markup.match(/<[a-z]+[ >]/g)?.length).toBe(markup.match(/<\/[a-z]+>|\/>/g)?.length);
  });

  it('as SARIF 2.1.0 points at the lines of the contracts', async () => {
    const log = JSON.parse(sarifReport(await threeExchanges()));
    expect(log).toMatchObject({
      version: '2.1.0',
      runs: [{ tool: { driver: { name: 'rewards-sandbox', version: '1.2.3' } } }],
    });
    const [{ results, tool }] = log.runs;
    expect(results).toHaveLength(2);
    type Result = { ruleId: string; level: string; properties: { basis: string } };
    const rows = (results as Result[]).map(({ ruleId, level, properties }) => [ruleId, level, properties.basis]);
    expect(rows).toEqual([
      ['reply.body.type', 'warning', 'OP-02'],
      ['request.url.undocumented', 'error', 'stated A1'],
    ]);
    for (const { ruleId, ruleIndex, message, locations, occurrenceCount } of results) {
      expect(tool.driver.rules[ruleIndex].id).toBe(ruleId);
      expect(occurrenceCount).toBe(1);
      expect(message.text).toMatch(/At fault: (caller|host)\.$/);
      const [{ physicalLocation }] = locations;
      expect(physicalLocation.artifactLocation.uri).toMatch(/^openapi\/\w+\.yaml$/);
      expect(physicalLocation.region.startLine).toBeGreaterThan(0);
    }
  });

  it('as SARIF puts a finding at the source of its operation, with the line of the contract as a related location', async () => {
    const sources = new Map(
      ['companyAuth=src/sign in.ts:40', 'src/server.ts'].map((text) => sourceOf(text) ?? ['', lost]),
    );
    const [{ results }] = JSON.parse(sarifReport(await threeExchanges(), sources)).runs;
    const place = (uri: string, startLine: number) => ({
      physicalLocation: { artifactLocation: { uri, uriBaseId: '%SRCROOT%' }, region: { startLine } },
    });
    const [[related]] = results.map(({ relatedLocations }: { relatedLocations: unknown }) => relatedLocations);
    expect(results.map(({ locations }: { locations: unknown }) => locations)).toEqual([
      [place('src/sign%20in.ts', 40)],
      [place('src/server.ts', 1)],
    ]);
    expect(related).toEqual({
      ...place('openapi/rewards.yaml', related.physicalLocation.region.startLine),
      id: 1,
      message: { text: 'Contract' },
    });
    expect(related.physicalLocation.region.startLine).toBeGreaterThan(1);
  });

  it.each(['', '/etc/passwd', '../else.ts', 'src/../../else.ts', 'C:\\src\\a.ts', 'a=', 'a.ts:0:x', 'x'.repeat(1001)])(
    'SARIF: %j is not a location in a repository',
    (text) => expect(sourceOf(text)).toBeUndefined(),
  );

  it('OP-155: gives the capture gaps once, in every format', async () => {
    const collector = newCollector();
    collector.add(authExchange, sharedChecker().check(authExchange));
    const whole = collector.report;
    collector.addCaptureGaps({ messages: 2, bodies: 2, headers: 0, credentials: 0, replies: 0 });
    collector.addCaptureGaps({ messages: 2, bodies: 0, headers: 0, credentials: 1, replies: 1 });
    const { report } = collector;
    const gapsText =
      'The capture is incomplete: parts of 4 messages are missing (the body of 2, the credential of 1, the response to 1). Missing parts were not checked and are not findings.';
    expect(new Schemas(readContract('proxy')).check('/components/schemas/Report')(report)).toBeUndefined();
    expect(report.incomplete).toEqual({ messages: 4, bodies: 2, headers: 0, credentials: 1, replies: 1 });
    const text = textReport(report, false).split('\n');
    expect(text.slice(0, 2)).toEqual(['No findings in the captured parts of 1 exchange.', gapsText]);
    expect(textReport(whole, false)).toMatch(/^Clean: 1 exchange checked\.\nCoverage: /);
    const xml = junitReport(withoutStatements(report));
    expect(xml).toContain('<testsuites tests="3" failures="0" errors="0" skipped="1">');
    const [, gapsCase = ''] = /name="completeness of the capture">(.*?)<\/testcase>/s.exec(xml) ?? [];
    expect(gapsCase.split(gapsText)).toHaveLength(2);
    expect(gapsCase).toContain('<skipped/>');
    expect(junitReport(withoutStatements(whole))).toContain(
      '<testsuites tests="2" failures="0" errors="0" skipped="0">',
    );
    const [{ invocations, results, tool }] = JSON.parse(sarifReport(report)).runs;
    const notification = {
      descriptor: { id: 'capture.incomplete', index: 0 },
      level: 'warning',
      message: { text: gapsText },
    };
    expect(invocations).toEqual([{ executionSuccessful: true, toolExecutionNotifications: [notification] }]);
    expect([results, tool.driver.notifications[0].id]).toEqual([[], 'capture.incomplete']);
    expect(JSON.parse(sarifReport(whole)).runs[0].invocations[0].toolExecutionNotifications).toEqual([]);
    // A collector that continues from the report, as in a restarted proxy, has the same gaps.
    const next = newCollector();
    next.takeOver(report);
    expect(next.report.incomplete).toEqual(report.incomplete);
  });

  it('OP-90: in every format, names calls that match no contract, and states that nothing was checked', async () => {
    const collector = newCollector();
    for (const address of ['https://client.example/api/creditPoints', 'https://fonts.example/x.css'])
      collector.skipCall('POST', new URL(address));
    const nothing = collector.report;
    expect(new Schemas(readContract('proxy')).check('/components/schemas/Report')(nothing)).toBeUndefined();
    expect(nothing.unmatched).toEqual([
      { address: 'https://client.example/api', calls: 1, server: 'client' },
      { address: 'https://fonts.example', calls: 1, server: null },
    ]);
    const unmatched =
      'No contract matches 1 call to https://client.example/api (if that is your client server, add --server client=https://client.example/api), 1 call to https://fonts.example.';
    const why = 'Nothing was checked: the capture has 2 calls, and no contract matches.';
    expect(textReport(nothing, false)).toBe(`${why}\nChecked 0 of 2 calls. ${unmatched}\n`);
    const xml = junitReport(nothing);
    expect(xml).toContain('<testsuites tests="2" failures="0" errors="1" skipped="1">');
    expect(xml).toContain(`<error message="${why}"/>`);
    const run = (report: typeof nothing) => JSON.parse(sarifReport(report)).runs[0].invocations;
    const notification = (id: string, index: number, level: string, text: string) => ({
      descriptor: { id, index },
      level,
      message: { text },
    });
    expect(run(nothing)).toEqual([
      {
        executionSuccessful: false,
        toolExecutionNotifications: [
          notification('capture.unmatched', 1, 'warning', `Checked 0 of 2 calls. ${unmatched}`),
          notification('capture.nothing-checked', 2, 'error', why),
        ],
      },
    ]);
    collector.add(authExchange, sharedChecker().check(authExchange));
    const text = textReport(collector.report, false).trimEnd().split('\n');
    expect([text[0], text.at(-1)]).toEqual(['No findings in 1 exchange.', `Checked 1 of 3 calls. ${unmatched}`]);
    expect(junitReport(withoutStatements(collector.report))).toContain(
      '<testsuites tests="3" failures="0" errors="0" skipped="1">',
    );
    expect(run(collector.report)).toEqual([
      {
        executionSuccessful: true,
        toolExecutionNotifications: [
          notification('capture.unmatched', 1, 'warning', `Checked 1 of 3 calls. ${unmatched}`),
        ],
      },
    ]);
    const next = newCollector();
    next.takeOver(collector.report);
    expect(next.report.unmatched).toEqual(collector.report.unmatched);
  });

  it('OP-90: lists at most 20 addresses of calls that match no contract', async () => {
    const collector = new FindingCollector(sharedChecker(), 'har', '1.2.3');
    for (let at = 0; at < 25; at += 1) collector.skipCall('GET', new URL(`https://host-${at}.example/`));
    collector.skipCall('GET', new URL('ws://host-0.example/'));
    expect(collector.report.unmatched).toHaveLength(20);
    expect(collector.report.exchanges.outside).toBe(26);
    expect(textReport(collector.report, false)).toContain('1 call to https://host-4.example, 21 other calls.');
  });

  it('as SARIF describes each rule and its remedy in complete sentences (GH2012)', async () => {
    const [{ tool }] = JSON.parse(sarifReport(await threeExchanges())).runs;
    const help = [
      'The fault is with the party that sent the response.',
      'The result shows the line of the contract, the location in the message, and the expected and actual values.',
      'An error violates the interface as specified: fix the message.',
      'A warning violates an assumption of this sandbox (an OP id in docs/register.yaml). Production may accept the message, so ask before you change it.',
    ].join(' ');
    const what = 'In a response, a value in the body does not have the type in the contract.';
    expect(tool.driver.rules[0]).toEqual({
      id: 'reply.body.type',
      shortDescription: { text: 'reply body type' },
      fullDescription: { text: what },
      help: { text: `${what} ${help}`, markdown: `${what} ${help}` },
    });
  });

  it('as SARIF has a text for every code that a violation can cause', () => {
    for (const [, , , , code] of violations) expect(wordsOf(code).what).not.toMatch(/violates the rule|undefined/);
  });

  it('as text is readable, with colour on a terminal only', async () => {
    const report = await threeExchanges();
    const plain = textReport(report, false);
    expect(plain).not.toContain('\u001b[');
    for (const colour of ['\u001b[31m', '\u001b[33m']) expect(textReport(report, true)).toContain(colour);
    expect(plain).toContain(
      'warning reply.body.type  at fault: host (platform)\n  POST /rewards/v1/company/auth -> 200',
    );
    expect(plain).toMatch(/openapi\/rewards\.yaml:\d+, assumed by this sandbox \(OP-02\)\n/);
    expect(plain).toMatch(/openapi\/rewards\.yaml:\d+, stated by the interface \(A1\)\n/);
    expect(plain).toContain('1 error and 1 warning in 3 exchanges.');
    expect(plain).toMatch(
      /Coverage: \d+(\.\d)? % \(2 of \d+ documented requests and successes\)\.\nStatements: \d+ of \d+ exercised without violation\. /,
    );
  });

  it('keeps 1000 distinct findings and counts the rest', async () => {
    const checker = sharedChecker();
    const collector = new FindingCollector(checker, 'proxy', '1.2.3');
    for (let number = 0; number < 1005; number += 1) {
      const lost = exchange({ ...example('companyAuth', 200), method: `METHOD-${number}` });
      collector.add(lost, checker.check(lost));
    }
    expect(collector.report.totals).toEqual({ errors: 1000, warnings: 0, notices: 0, not_kept: 5 });
  });

  it('keeps errors before warnings, and warnings before notices, when it is full', async () => {
    const collector = new FindingCollector(sharedChecker(), 'proxy', '1.2.3');
    const [template] = (await threeExchanges()).findings;
    if (template === undefined) throw new Error('the report has no finding');
    const add = (severity: Finding['severity'], from: number, to: number) => {
      for (let number = from; number < to; number += 1) {
        const finding = { ...template, severity, pointer: `/body/${severity}${number}` };
        collector.add({ reply: undefined }, { operation: undefined, findings: [finding], unchecked: false });
      }
    };
    add('notice', 0, 1);
    add('warning', 0, 1001);
    expect(collector.report.totals).toEqual({ errors: 0, warnings: 1000, notices: 0, not_kept: 2 });
    add('error', 0, 1);
    expect(collector.report.totals).toEqual({ errors: 1, warnings: 999, notices: 0, not_kept: 3 });
    add('error', 1, 1001);
    expect(collector.report.totals).toEqual({ errors: 1000, warnings: 0, notices: 0, not_kept: 1003 });
  });
});
