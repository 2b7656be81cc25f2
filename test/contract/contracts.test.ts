import { readFileSync } from 'node:fs';
import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { isApart, type RegisteredApi, registry } from '../../sandbox/apis/registry.ts';
import { journeys } from '../../sandbox/workflows/respect.ts';
import { statementIds } from '../../tools/docs/citations.ts';
import { registerIds } from '../../tools/docs/register.ts';
import { type Contract, examples, loadContracts, type Operation, schemas } from '../harness/contracts.ts';
import { exampleRequest, loadPrism } from '../harness/prism.ts';
import { documentedCalls, goodReply, isObject } from './contracts-calls.ts';
import { interfaceOperations, sharedOperations } from './contracts-interface.ts';

const contracts = loadContracts();

describe.each(contracts.map((contract) => [contract.name, contract] as const))('%s.yaml', (_name, contract) => {
  const { document, operations } = contract;
  const validator = strictValidators(contract);
  const accepts = (schema: string, value: unknown): boolean => validator(schema)(value);

  test('each schema compiles strictly as draft 2020-12', () => {
    const problems = schemas(document).flatMap((schema) => {
      try {
        validator(schema);
        return [];
      } catch (error) {
        return [`${schema}: ${error}`];
      }
    });
    expect(problems).toEqual([]);
  });

  test('each example of a parameter, header and body is valid against its schema', () => {
    const all = examples(document);
    expect(all.length).toBeGreaterThan(0);
    expect(all.filter(({ schema, value }) => !accepts(schema, value)).map(({ where }) => where)).toEqual([]);
  });

  test('each x-basis, and each row that a text names, exists in docs/interface.md (stated) or the register', () => {
    const validBases = new Set([...statementIds.map((id) => `stated ${id}`), ...registerIds]);
    const named = [...JSON.stringify(document).matchAll(/"x-basis":"([^"]*)"|\b(OP-\d+)/g)];
    const bases = named.flatMap(([, basis, id]) => eachOf(String(basis ?? id)));
    expect(bases.length).toBeGreaterThan(0);
    expect(bases.filter((basis) => !validBases.has(basis))).toEqual([]);
  });

  test('an error envelope repeats the HTTP status that it is documented under', () => {
    const wrong = operations.flatMap((operation) =>
      errorExamples(operation).filter(({ status, value }) =>
        statuses(value).some((bodyStatus) => bodyStatus !== status),
      ),
    );
    expect(wrong).toEqual([]);
  });

  test('replies are closed, requests are open; those of the control API are closed too (OP-246)', () => {
    const withUnknownField = (value: unknown): unknown => (isObject(value) ? { ...value, surprise: true } : value);
    const problems = operations.flatMap(({ id, body, replies }) => {
      const closed = replies.flatMap(({ status, content }) =>
        content?.type === 'application/json' && accepts(content.schema, withUnknownField(content.examples[0]?.[1]))
          ? [`${id} ${status} lets an unknown field through`]
          : [],
      );
      const isClosed = contract.name === 'sandbox' && id !== 'sendMcpMessage';
      const accepted = body === undefined || accepts(body.schema, withUnknownField(body.examples[0]?.[1]));
      if (body === undefined || accepted !== isClosed) return closed;
      return [...closed, `${id} ${accepted ? 'accepts' : 'refuses'} an unknown field`];
    });
    expect(problems).toEqual([]);
  });

  test('examples have no valid PAN and no reachable mobile number', () => {
    const text = JSON.stringify(document);
    const pans = [...text.matchAll(/\b[A-Z]{3}([A-Z])[A-Z]\d{4}[A-Z]\b/g)];
    const mobiles = [...text.matchAll(/"mobile(?:No|_no)":"([^"]*)"/g)];
    expect(pans.filter(([, holder]) => 'ABCEFGHJKLPT'.includes(String(holder))).map(([pan]) => pan)).toEqual([]);
    expect(mobiles.filter(([, number]) => !/^5\d{9}$/.test(String(number))).map(([field]) => field)).toEqual([]);
  });

  describe('Prism', async () => {
    const prism = await loadPrism(document);

    test('finds every operation', () => {
      expect([...prism.operations].sort()).toEqual(operations.map(({ method, path }) => `${method} ${path}`).sort());
    });

    test('finds nothing wrong with documented requests and replies', async () => {
      const findings: unknown[] = [];
      for (const [what, request, reply] of operations.flatMap(documentedCalls)) {
        const problems = await prism.check(request, reply);
        if (problems.request.length + problems.reply.length > 0) findings.push([what, problems]);
      }
      expect(findings).toEqual([]);
    });

    test('reports a reply without X-Trace-Id', async () => {
      // The proxy's report has no trace id.
      for (const operation of operations.filter(({ id }) => id !== 'getReport')) {
        const { 'X-Trace-Id': _, ...headers } = { ...goodReply(operation).headers };
        const problems = await prism.check(exampleRequest(operation), { ...goodReply(operation), headers });
        expect(problems.reply, operation.id).toEqual([expect.stringContaining('x-trace-id')]);
      }
    });

    test('reports a request without its credential', async () => {
      for (const operation of operations.filter(({ open }) => !open)) {
        const { authorization: _, ...headers } = { ...exampleRequest(operation).headers };
        const problems = await prism.check({ ...exampleRequest(operation), headers }, goodReply(operation));
        expect(problems.request, operation.id).not.toEqual([]);
      }
    });
  });
});

describe('all contracts', () => {
  test('E3 to E8: each contract has one host and one server for all of its operations', () => {
    const places = contracts.map(({ name, document }) => [name, (document.servers as readonly unknown[]).length]);
    expect(places).toEqual(contracts.map(({ name }) => [name, 1]));
    const own = contracts.filter(({ document }) =>
      /"servers":/.test(JSON.stringify({ ...document, servers: undefined })),
    );
    expect(own.map(({ name }) => name)).toEqual([]);
    const hosts = contracts.map(({ name, operations }) => [
      name,
      new Set(operations.map(({ hostedBy }) => hostedBy)).size,
    ]);
    expect(hosts).toEqual(contracts.map(({ name }) => [name, 1]));
    const servedAddresses = Object.values<RegisteredApi>(registry).flatMap(({ contracts: names, host, prefix }) =>
      names.map((name) => [name, host, prefix]),
    );
    const documented = contracts.map(({ name, operations: [first] }) => [name, first?.hostedBy, first?.address]);
    expect(documented.filter(([name]) => !isApart(name)).sort()).toEqual(servedAddresses.sort());
  });

  test('G1, G6, B1, E1, E2, M9: each operation of the interface is in exactly one contract, the two sign-in operations in auth and v2-client', () => {
    const homes = interfaceOperations.map(([method, url, host]) => [
      `${method} ${url}`,
      contracts
        .filter(({ operations }) => operations.some((operation) => place(operation) === `${method} ${url} ${host}`))
        .map(({ name }) => name),
    ]);
    const expected = interfaceOperations.map(([method, url]) => [
      `${method} ${url}`,
      url.startsWith('/client/api/v1/auth/') ? ['auth', 'v2-client'] : [expect.any(String)],
    ]);
    expect(homes).toEqual(expected);
  });

  test('P1, P2: paths begin with /v1, in the version 2.0 list and for sign-in with /api/v1; the wallet and version 1.0 of the client have none', () => {
    const beginnings = contracts.flatMap(({ name, operations }) =>
      ['rewards', 'general', 'client', 'auth', 'v2-platform', 'v2-client'].includes(name)
        ? operations.map(({ path }) => `${name} ${/^(\/api)?\/v1(?=\/)/.exec(path)?.[0] ?? path}`)
        : [],
    );
    expect([...new Set(beginnings)].sort()).toEqual([
      'auth /api/v1',
      'client /creditPoints',
      'client /getProfileAndPoints',
      'client /saveRedeemDetails',
      'client /updateRedeemStatus',
      'general /v1',
      'rewards /getwalletdetail',
      'rewards /v1',
      'v2-client /api/v1',
      'v2-platform /api/v1',
    ]);
    const titles = contracts.map(({ name, document }) => [name, (document.info as { title: string }).title]);
    for (const name of ['v2-platform', 'v2-client'])
      expect(Object.fromEntries(titles)[name]).toMatch(/^REST API v2\.0\b/);
  });

  test('each operationId is unique, except the two that v2-client shares with auth', () => {
    const ids = contracts.flatMap(({ name, operations }) =>
      operations.map(({ id }) => id).filter((id) => name !== 'v2-client' || !sharedOperations.includes(id)),
    );
    expect(ids.filter((id, index) => ids.indexOf(id) !== index)).toEqual([]);
  });

  test('every contract and workflow is linted, and redocly.yaml makes exceptions only for existing ones', () => {
    const { lint } = read<{ scripts: { lint: string } }>('package.json').scripts;
    expect(lint).toContain('redocly lint "openapi/*.yaml" "openapi/workflows/*.yaml"');
    const { apis } = read<{ apis: Record<string, { root: string }> }>('redocly.yaml');
    const roots = Object.fromEntries([
      ...contracts.map(({ name }) => [name, `openapi/${name}.yaml`] as const),
      ...journeys.map((name) => [`workflow-${name}`, `openapi/workflows/${name}.arazzo.yaml`] as const),
    ]);
    const excepted = Object.entries(apis).map(([name, { root }]) => [name, root]);
    expect(roots).toMatchObject(Object.fromEntries(excepted));
    expect(excepted.length).toBeGreaterThan(journeys.length);
  });
});

function read<T>(path: string): T {
  return parse(readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8'));
}

/** Schema annotations outside JSON Schema, and the document fields around the schemas. */
const annotations = ['example', 'x-basis', 'x-basis-of'];
const documentFields = 'openapi jsonSchemaDialect info servers tags security paths webhooks components'.split(' ');

/**
 * Compiles each of a contract's schemas once, by JSON pointer, in Ajv's strict mode. Unknown keywords, keywords without their type, and
 * undefined required fields throw.
 */
function strictValidators({ name, document }: Contract): (schema: string) => (value: unknown) => boolean {
  const ajv = new Ajv2020({ strict: true, validateSchema: false });
  addFormats.default(ajv);
  ajv.addVocabulary([...annotations, ...documentFields]);
  ajv.addSchema(document, name);
  const compiled = new Map<string, (value: unknown) => boolean>();
  return (schema) => {
    const validate = compiled.get(schema) ?? ajv.compile({ $ref: `${name}#${encodeURI(schema)}` });
    compiled.set(schema, validate);
    return validate;
  };
}

/** Splits a basis with several statements into one basis per statement. */
function eachOf(basis: string): string[] {
  const [stated, ...ids] = basis.split(' ');
  return stated === 'stated' && ids.length > 0 ? ids.map((id) => `stated ${id}`) : [basis];
}

function place({ method, address, path, hostedBy }: Operation): string {
  return `${method} ${address}${path} ${hostedBy}`;
}

/** Returns the JSON examples of an operation's errors. */
function errorExamples({ id, replies }: Operation): { what: string; status: number; value: unknown }[] {
  return replies
    .filter(({ status, content }) => status >= 400 && content?.type === 'application/json')
    .flatMap(({ status, content }) =>
      (content?.examples ?? []).map(([name, value]) => ({ what: `${id} ${status} ${name}`, status, value })),
    );
}

/** Returns each status in an envelope: one in the flat envelope, two in the client's. */
function statuses(envelope: unknown): unknown[] {
  if (!isObject(envelope)) return [undefined];
  // A JSON-RPC error has its own code and no status.
  if (envelope.jsonrpc !== undefined) return [];
  return isObject(envelope.data) ? [envelope.status, envelope.data.status] : [envelope.status];
}
