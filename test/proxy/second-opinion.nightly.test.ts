/** Tests Prism alongside the validator: their disagreements, and how the proxy reports them (OP-148). */
import { readFile } from 'node:fs/promises';
import { beforeAll, describe, expect, it } from 'vitest';
import type { Finding } from '../../sandbox/conformance/finding.ts';
import { FindingCollector, type Opinion } from '../../sandbox/conformance/finding-collector.ts';
import { textReport } from '../../sandbox/conformance/report-text.ts';
import { loadContract } from '../../sandbox/contract/schemas.ts';
import { loadSecondOpinion, type SecondOpinion } from '../../sandbox/proxy/second-opinion.ts';
import { run } from '../harness/command.ts';
import { Draw } from '../harness/drawing.ts';
import { type Draft, example, exchange, operations } from '../harness/exchanges.ts';
import { httpServer } from '../harness/http-server.ts';
import { proxyTo, sharedChecker } from '../harness/proxy.ts';
import { violations } from '../harness/violations.ts';
import { disagreements } from './disagreements.ts';
import { disturb } from './spoilt.ts';

const examples = operations.flatMap(({ id, replies }) => replies.map(({ status }) => [id, status] as const));

let prism: SecondOpinion;
beforeAll(async () => {
  prism = await loadSecondOpinion(sharedChecker());
});

function opinionOn(draft: Draft): Opinion {
  const checked = exchange(draft);
  return prism.of(checked, sharedChecker().check(checked));
}

/**
 * Returns whether a finding comes from a rule over both request and response. Prism validates each one separately, so
 * it cannot apply such rules.
 */
const isExchangeRule = ({ code }: Finding) => /^(request|reply)\.rule\./.test(code);

/** Returns the differences in an exchange that no decision covers. */
function undecidedFindings(draft: Draft): readonly Finding[] {
  const { prismOnly, validatorOnly } = opinionOn(draft);
  const isDecided = (finding: Finding, by: 'prism' | 'validator') =>
    disagreements.some(({ covers }) => covers(finding, by, draft));
  return [
    ...prismOnly.filter((finding) => !isDecided(finding, 'prism')),
    ...validatorOnly.filter((finding) => !isExchangeRule(finding) && !isDecided(finding, 'validator')),
  ];
}

describe('OP-148: every disagreement of Prism and the validator has a decision', () => {
  it.each(disagreements)('$title', ({ make, prismOnly, validatorOnly, covers }) => {
    const draft = make();
    const opinion = opinionOn(draft);
    const summaries = (findings: readonly Finding[]) => findings.map(({ code, pointer }) => `${code} ${pointer}`);
    expect([summaries(opinion.prismOnly), summaries(opinion.validatorOnly)]).toEqual([prismOnly, validatorOnly]);
    expect(opinion.prismOnly.every((finding) => covers(finding, 'prism', draft))).toBe(true);
    expect(opinion.validatorOnly.every((finding) => covers(finding, 'validator', draft))).toBe(true);
  });

  it('they agree on every example of every contract', () => {
    const differing = examples.map(([id, status]) => opinionOn(example(id, status)));
    expect(differing).toEqual(differing.map(() => ({ prismOnly: [], validatorOnly: [] })));
  });

  it.each([401, 403, 413, 415, 429])(
    'neither has a finding in the body of a request that was refused with %i',
    (status) => {
      const draft = example('createRedemptionOrder', status);
      draft.request.body = { line_items: [{}] };
      expect([sharedChecker().check(exchange(draft)).findings, opinionOn(draft)]).toEqual([
        [],
        { prismOnly: [], validatorOnly: [] },
      ]);
    },
  );

  it.each(violations)('%s %d: %s', (id, status, _title, spoil) => {
    const draft = example(id, status);
    spoil(draft);
    expect(undecidedFindings(draft)).toEqual([]);
  });

  it('thousands of randomly spoiled exchanges', () => {
    const draw = new Draw('plain');
    let clean = 0;
    for (let times = 0; times < 4000; times += 1) {
      const [id, status] = draw.pick(examples);
      const draft = example(id, status);
      disturb(draw, draft);
      expect(undecidedFindings(draft), JSON.stringify(draft)).toEqual([]);
      if (sharedChecker().check(exchange(draft)).findings.length === 0) clean += 1;
    }
    // Require enough clean and enough corrupted exchanges.
    expect([clean > 500, clean < 3500]).toEqual([true, true]);
  });
});

describe('OP-148: the proxy', () => {
  const page = '{"items":[],"next_cursor":null,"has_more":false}';
  const headers = { authorization: 't' };

  async function startTestProxy(options: Parameters<typeof proxyTo>[1]) {
    let calls = 0;
    const behind = await httpServer((_, response) => {
      calls += 1;
      response.writeHead(200, { 'Content-Type': 'application/json', 'X-Trace-Id': 'ab'.repeat(16) }).end(page);
    });
    const proxy = await proxyTo(behind, options);
    const list = async (query: string) => {
      const answer = await fetch(`${proxy.url}/rewards/v1/partner/rewards?${query}`, { headers });
      await answer.text();
      return answer.status;
    };
    return { ...proxy, list, calls: () => calls };
  }

  it('a finding of Prism only is a separate warning, and the report counts the disagreements', async () => {
    const { list, book, close } = await startTestProxy({ secondOpinion: prism });
    for (const query of ['limit=5', 'LIMIT=0', 'limit=0', 'limit=007']) await list(query);
    await close();
    const { report } = book;
    const rows = report.findings.map(({ code, severity, source, times }) => [code, severity, source, times]);
    expect(rows).toEqual([
      ['request.query.minimum', 'warning', 'prism', 1],
      ['request.query.minimum', 'warning', undefined, 1],
      ['request.query.type', 'error', undefined, 1],
    ]);
    expect(report.second_opinion).toEqual({ exchanges: 4, prism_only: 1, validator_only: 1 });
    expect(textReport(report, false)).toContain(
      'Prism and the validator disagree. Of 4 exchanges: 1 with findings from Prism only (source: prism), 1 with findings from the validator only.',
    );
    expect(textReport(report, false)).toContain('found by Prism only');
    const validate = loadContract('proxy').schemas.check('/components/schemas/Report');
    expect(validate(report)).toBeUndefined();
  });

  it('a finding of Prism only refuses no call', async () => {
    const { list, calls } = await startTestProxy({ secondOpinion: prism, mode: 'enforce', failOn: 'warning' });
    expect([await list('LIMIT=0'), calls()]).toEqual([200, 1]);
    expect([await list('limit=0'), calls()]).toEqual([400, 1]);
  });

  it('without Prism there is no second opinion, and the report says so', async () => {
    const { list, book, close } = await startTestProxy({});
    await list('LIMIT=0');
    await close();
    expect([book.report.findings, book.report.second_opinion]).toEqual([[], null]);
  });

  it('second opinions of an earlier proxy count too', async () => {
    const { list, book, close } = await startTestProxy({ secondOpinion: prism });
    await list('LIMIT=0');
    await close();
    const next = new FindingCollector(sharedChecker(), 'proxy', '0.0.0');
    next.takeOver(book.report);
    next.takeOver(book.report);
    expect(next.report.second_opinion).toEqual({ exchanges: 2, prism_only: 2, validator_only: 0 });
  });
});

it('OP-148: an idle proxy without Prism uses at most 120 MB', async () => {
  const { child, saw } = run(['proxy', '--port', '0', '--json', '--no-prism']);
  await saw(/"ready":true/);
  const status = await readFile(`/proc/${child.pid}/status`, 'utf8');
  expect(Number(/VmRSS:\s+(\d+) kB/.exec(status)?.[1])).toBeLessThan(120 * 1024);
});
