/** Tests `certify()` as a function called in the same process. */
import { expect, it } from 'vitest';
import { loadRequirements } from '../../sandbox/certification/requirement.ts';
import { leftOut } from '../../sandbox/certification/selection.ts';
import { OptionError } from '../../sandbox/options.ts';
import { certify } from '../../sandbox/sandbox.ts';
import { testSandbox } from '../harness/sandbox.ts';

it('OP-169: resolves with the report, and reports progress for each requirement', async () => {
  const { origin, credentials } = await testSandbox();
  const progress: string[] = [];
  const report = await certify({
    client_url: `${origin}/client`,
    service_token: credentials.service_token,
    customers: ['CUST0001'],
    only: ['CRD-01', 'CRD-02'],
    otp: { read: () => Promise.reject(new Error('this run has no sign-in')) },
    onProgress: ({ id, verdict }, { done, of }) => progress.push(`${done}/${of} ${id} ${verdict}`),
  });
  expect(progress.toSorted()).toEqual([
    expect.stringMatching(/^1\/2 CRD-0\d pass$/),
    expect.stringMatching(/^2\/2 CRD-0\d pass$/),
  ]);
  expect(report).toMatchObject({
    suite: '0.1.0',
    requirements: 'current',
    contracts_digest: expect.stringMatching(/^[0-9a-f]{64}$/),
    target: { client_url: `${origin}/client`, api: 'both' },
    outcome: 'partial',
    counts: { pass: 2, fail: 0, suite_error: 0 },
    failures: [],
    balances: 'restored',
  });
});

it('OP-169: a run that is stopped before it begins sends no call', async () => {
  const { origin, credentials } = await testSandbox();
  const report = await certify({
    client_url: `${origin}/client`,
    service_token: credentials.service_token,
    customers: ['CUST0001'],
    signal: AbortSignal.abort(),
  });
  expect(report).toMatchObject({ outcome: 'interrupted', calls: 0, counts: { pass: 0, fail: 0 } });
});

it('OP-169: invalid input is refused', async () => {
  const refused = (input: object) => certify({ client_url: 'http://localhost:1', customers: ['A'], ...input });
  const problem = (text: string) => new OptionError(`Invalid certification input: ${text}`);
  await expect(refused({ customers: [] })).rejects.toThrow(problem('/customers must have at least 1 item'));
  await expect(refused({ skip: ['credits'] })).rejects.toThrow(
    problem('/skip contains credits, which is neither a requirement nor a group'),
  );
  await expect(refused({ otp: { command: 'true' } })).rejects.toThrow(
    problem('/otp/command is an unknown field; known: `code`, `url`, `gateway`'),
  );
});

it('OP-171: without a sandbox or a webhook, the requirements that need them are not selected', () => {
  const input = { client_url: 'http://localhost:1', customers: ['A'], api: 'both' as const, service_token: 'a' };
  const { list } = loadRequirements();
  const needing = list.filter(({ needs, unseen }) => /sandbox|webhook/.test(needs.join()) && unseen === undefined);
  expect(needing.length).toBeGreaterThan(2);
  const words = new Set(needing.map((requirement) => leftOut(requirement, input)?.verdict));
  expect([...words]).toEqual(['not_selected']);
  const given = {
    ...input,
    sandbox: { url: 'http://localhost:1' },
    webhook: { url: 'http://localhost:1', secret: 'whsec_a' },
  };
  expect(needing.filter((requirement) => leftOut(requirement, given) !== undefined)).toEqual([]);
});
