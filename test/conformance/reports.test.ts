/** The forms of a report: JSON, JUnit XML, SARIF and text (OP-90). */
import { describe, expect, it } from 'vitest';
import { FindingBook, type Report } from '../../sandbox/conformance/finding-book.ts';
import { junitReport } from '../../sandbox/conformance/report-junit.ts';
import { sarifReport } from '../../sandbox/conformance/report-sarif.ts';
import { textReport } from '../../sandbox/conformance/report-text.ts';
import { readContract } from '../../sandbox/contract/document.ts';
import { Schemas } from '../../sandbox/contract/schemas.ts';
import { type Draft, example, exchange } from '../harness/exchanges.ts';
import { sharedChecker } from '../harness/proxy.ts';

/** A report of three exchanges: one right, one with a bad reply, one to an unknown path. */
async function threeExchanges(): Promise<Report> {
  const checker = await sharedChecker();
  const book = new FindingBook(checker, 'har', '1.2.3', ['rewards']);
  const bad = example('companyAuth', 200);
  (bad.reply.body as { expires_in: unknown }).expires_in = '<3600 & "more">';
  const lost: Draft = { ...example('companyAuth', 200), path: '/nowhere' };
  for (const draft of [example('companyAuth', 200), bad, lost])
    book.add(exchange(draft), checker.check(exchange(draft)));
  return book.report;
}

describe('OP-90: a report', () => {
  it('as JSON is what openapi/proxy.yaml says', async () => {
    const report = await threeExchanges();
    const { schemas } = { schemas: new Schemas(readContract('proxy')) };
    expect(schemas.check('/components/schemas/Report')(report)).toBeUndefined();
    expect(report).toMatchObject({
      schema_version: 1,
      tool: { version: '1.2.3' },
      totals: { errors: 2, notices: 0, not_kept: 0 },
    });
  });

  it('as JUnit XML has a case for each request and reply that was seen, failed where there are findings', async () => {
    const xml = junitReport(await threeExchanges());
    expect(xml).toMatch(
      /^<\?xml version="1.0" encoding="UTF-8"\?>\n<testsuites tests="3" failures="2" errors="0" skipped="0">/,
    );
    const cases = [...xml.matchAll(/<testcase classname="([^"]*)" name="([^"]*)"(\/?)>/g)];
    expect(cases.map(([, group, name, passed]) => [name, group, passed === '/'])).toEqual([
      ['companyAuth request', 'rewards.companyAuth', true],
      ['companyAuth reply 200', 'rewards.companyAuth', false],
      ['POST /rewards/nowhere request', 'rewards.undocumented', false],
    ]);
    expect(xml).toContain('type="reply.body.type"');
    // Well-formed: nothing of a value is taken for markup, and every element that opens closes.
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
    for (const { ruleId, ruleIndex, level, message, locations, occurrenceCount } of results) {
      expect(tool.driver.rules[ruleIndex].id).toBe(ruleId);
      expect([level, occurrenceCount]).toEqual(['error', 1]);
      expect(message.text).toMatch(/At fault: (caller|host)\.$/);
      const [{ physicalLocation }] = locations;
      expect(physicalLocation.artifactLocation.uri).toMatch(/^openapi\/\w+\.yaml$/);
      expect(physicalLocation.region.startLine).toBeGreaterThan(0);
    }
  });

  it('as text is for people, with colour on a terminal only', async () => {
    const report = await threeExchanges();
    const plain = textReport(report, false);
    expect(plain).not.toContain('\u001b[');
    expect(textReport(report, true)).toContain('\u001b[31m');
    expect(plain).toContain('error reply.body.type  at fault: host (platform)\n  POST /rewards/v1/company/auth -> 200');
    expect(plain).toContain('2 findings in 3 exchanges.');
    expect(plain).toMatch(/Coverage: \d+(\.\d)? % \(2 of \d+ documented requests and successes\)\.\n$/);
  });

  it('keeps 1000 distinct findings and counts the rest', async () => {
    const checker = await sharedChecker();
    const book = new FindingBook(checker, 'proxy', '1.2.3');
    for (let number = 0; number < 1005; number += 1) {
      const lost = exchange({ ...example('companyAuth', 200), path: `/nowhere-${number}` });
      book.add(lost, checker.check(lost));
    }
    expect(book.report.totals).toEqual({ errors: 1000, notices: 0, not_kept: 5 });
  });
});
