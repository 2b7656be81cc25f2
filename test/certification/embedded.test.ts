/** Tests `certify()` as a function called in the same process. */
import { expect, it } from 'vitest';
import { OptionError } from '../../sandbox/options.ts';
import { certify } from '../../sandbox/sandbox.ts';
import { testSandbox } from '../harness/sandbox.ts';

/** Returns the input to certify a reference client. */
async function reference() {
  const { urls, credentials } = await testSandbox();
  return { client_url: urls.client, service_token: credentials.service_token, customers: ['CUST0001'] };
}

it('OP-169: resolves with the report, and reports progress for each requirement', async () => {
  const input = await reference();
  const progress: string[] = [];
  const report = await certify({
    ...input,
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
    target: { client_url: input.client_url, api: 'both' },
    outcome: 'partial',
    counts: { pass: 2, fail: 0, suite_error: 0 },
    failures: [],
    balances: 'restored',
  });
});

it('OP-169: a run that is stopped before it begins sends no call', async () => {
  const report = await certify({ ...(await reference()), signal: AbortSignal.abort() });
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
