/** The sandbox accepts every published request example unchanged, except cursors and certificates (OP-138), and each failure has an example. */
import { expect, it } from 'vitest';
import { contractsOf } from '../../sandbox/apis/registry.ts';
import { clientTable, flatTable } from '../../sandbox/contract/failure-tables.ts';
import { loadContract } from '../../sandbox/contract/schemas.ts';
import { Callers } from '../harness/callers.ts';
import { loadContracts, type Operation } from '../harness/contracts.ts';
import { exampleRequest } from '../harness/prism.ts';
import { type TestSandbox, testSandbox } from '../harness/sandbox.ts';

const programs: readonly string[] = contractsOf(({ calledBy }) => calledBy === 'programs');
const operations = loadContracts()
  .filter(({ name }) => programs.includes(name))
  .flatMap(({ name, operations }) => {
    const schemes = new Map(loadContract(name).operations.map(({ operationId, security }) => [operationId, security]));
    // No example certificate can be valid: it would contain the digest of the requirements, which changes with each version.
    return operations
      .filter(({ id }) => id !== 'submitCertificate')
      .map((operation) => {
        const security = schemes.get(operation.id) ?? [];
        // Prefer the company's credential, because the examples name various customers.
        const scheme = security.find((name) => !name.startsWith('customer')) ?? security[0];
        return { api: name, id: operation.id, operation, scheme };
      });
  });

/** Sends an example request as an authorized caller, with every parameter's example. */
async function send(sandbox: TestSandbox, operation: Operation, scheme: string | undefined, body: unknown) {
  const { method, url, headers } = exampleRequest(operation, body);
  const { cursor: _, ...query } = url.query as Record<string, string>;
  const search = new URLSearchParams(query).toString();
  const place = `${sandbox.origin}${operation.address}${url.path}`;
  const authorization = scheme === undefined ? {} : { authorization: (await Callers.signedIn(sandbox)).for(scheme) };
  const response = await fetch(search === '' ? place : `${place}?${search}`, {
    method: method.toUpperCase(),
    headers: { ...(headers as Record<string, string>), ...authorization },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  const { status } = response;
  // Only this header identifies the mistake in a request; the client's envelope does not.
  const problem = response.headers.get('x-problem')?.startsWith('/');
  const text = status === 400 ? await response.text() : '';
  // A log stream never ends.
  if (status !== 400) await response.body?.cancel();
  return status === 400 || problem ? [{ status, text, problem: response.headers.get('x-problem') }] : [];
}

it.each(operations)('OP-138: $api $id accepts each of its published examples', async ({ operation, scheme }) => {
  for (const [name, body] of operation.body?.examples ?? [['no body', undefined] as const]) {
    const rejections = await send(await testSandbox(), operation, scheme, body);
    expect([name, rejections]).toEqual([name, []]);
  }
});

it.each([
  ['the client', clientTable, ['auth', 'client', 'v2-client']],
  ['the flat envelope', flatTable, ['general', 'rewards', 'sandbox', 'v2-platform']],
] as const)('each failure of %s is documented by an example of its name and status', (_, table, contracts) => {
  const documented = loadContracts()
    .filter(({ name }) => (contracts as readonly string[]).includes(name))
    .flatMap(({ operations }) => operations.flatMap(({ replies }) => replies))
    .flatMap(({ status, content }) => (content?.examples ?? []).map(([name]) => `${status} ${name}`));
  const failures = Object.entries(table).map(([kind, { status }]) => `${status} ${kind}`);
  // These can end a call before its operation is known.
  const general = [
    '400 malformed_http',
    '400 foreign_host',
    '400 foreign_site',
    '400 own_call',
    '404 not_found',
    '405 method_not_allowed',
    '431 headers_too_large',
  ];
  expect(failures.filter((failure) => ![...documented, ...general].includes(failure))).toEqual([]);
});
