/** Builds certification reports for tests, in the format of a real run. */
import { coverageOf, outcomeOf } from '../../sandbox/certification/report.ts';
import { loadRequirements } from '../../sandbox/certification/requirement.ts';
import type { Failure, Report, RequirementVerdict } from '../../sandbox/certification/verdict.ts';

/** Builds a failure of a requirement, with one call. */
export function failed(requirement: string, changes: Partial<Failure> = {}): Failure {
  return {
    requirement,
    breaks: [],
    message: 'After 2 calls the balance grew by 14 instead of 7 points.',
    pointer: '/balance',
    expected: '10007',
    actual: '10014',
    statement: 'stated R20',
    docs: 'interface#r20',
    contract: { file: 'openapi/client.yaml', line: 74 },
    change: 'Keep each transactionId with its credit.',
    again: `--only ${requirement}`,
    exchanges: [
      {
        curl: "curl -i -X POST 'http://127.0.0.1:8080/creditPoints'",
        method: 'POST',
        url: 'http://127.0.0.1:8080/creditPoints',
        request_headers: [['authorization', 'Bearer $SERVICE_TOKEN']],
        request_body: '{"uid":"CUST0001"}',
        status: 200,
        reply_headers: [['content-type', 'application/json']],
        reply_body: '{"success":true,"status":200}',
        problem: null,
      },
    ],
    ...changes,
  };
}

/** Builds a report on all requirements. All pass, except those with another verdict in `words`. */
export function reported(
  words: Readonly<Record<string, RequirementVerdict['verdict']>> = {},
  changes: Partial<Report> = {},
): Report {
  const { list, digest } = loadRequirements();
  const verdicts = list.map(({ id, title, group, operation, aspect, basis, level }): RequirementVerdict => {
    const verdict = words[id] ?? 'pass';
    const reason = verdict === 'pass' || verdict === 'fail' ? null : 'Excluded by --only.';
    const blocked_by = verdict === 'blocked' ? 'CRD-01' : null;
    const option = verdict === 'not_selected' ? 'without --skip' : null;
    return { id, title, group, operation, aspect, basis, level, verdict, reason, option, blocked_by };
  });
  const counts = { pass: 0, fail: 0, blocked: 0, not_applicable: 0, not_selected: 0, suite_error: 0 };
  for (const { verdict } of verdicts) counts[verdict] += 1;
  return {
    suite: '0.1.0',
    requirements: 'current',
    requirements_digest: digest,
    contracts_digest: 'c'.repeat(64),
    target: { client_url: 'http://127.0.0.1:8080', api: 'v1' },
    seed: '1',
    started_at: '2026-01-12T04:30:00.000Z',
    finished_at: '2026-01-12T04:30:12.000Z',
    calls: 512,
    outcome: outcomeOf(verdicts),
    problem: null,
    coverage: coverageOf(verdicts),
    counts,
    verdicts,
    failures: verdicts.filter(({ verdict }) => verdict === 'fail').map(({ id }) => failed(id)),
    balances: 'restored',
    notes: [],
    ...changes,
  };
}
