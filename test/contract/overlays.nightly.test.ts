/** Tests the overlays, which add guarantees of the sandbox alone to its own edition of the contracts (OP-103). */
import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { execPath } from 'node:process';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { parse, stringify } from 'yaml';
import { interfaceContracts } from '../../sandbox/apis/registry.ts';
import { operationsIn } from '../../sandbox/contract/basis.ts';
import { at, follow, type Node } from '../../sandbox/contract/document.ts';
import { loadContract } from '../../sandbox/contract/schemas.ts';
import { temporaryFolder } from '../harness/folders.ts';

const root = fileURLToPath(new URL('../../', import.meta.url));
const files = ['replies', 'closed', 'limits', 'generators'] as const;

interface Action {
  readonly target: string;
  readonly update?: object;
  readonly remove?: true;
}

function actionsOf(file: (typeof files)[number]): readonly Action[] {
  return parse(readFileSync(join(root, `openapi/overlays/${file}.yaml`), 'utf8')).actions;
}

it.each(files)('each target of %s.yaml exists in the contracts that the overlay applies to', async (file) => {
  const folder = await temporaryFolder();
  // generators.yaml may remove values that are not objects and cannot carry a mark. generators.test.ts covers these.
  const marked = actionsOf(file).filter(({ remove }) => !(remove && file === 'generators'));
  const marks = marked.map(({ target }, index) => ({ target, update: { [`x-mark-${index}`]: true } }));
  writeFileSync(
    join(folder, 'marks.yaml'),
    stringify({ overlay: '1.1.0', info: { title: 'm', version: '1' }, actions: marks }),
  );
  const contracts = interfaceContracts.map((name) => `generated/${name}/interface.json`);
  expect(contracts).toHaveLength(6);
  if (file === 'generators') contracts.push('generated/sandbox/bundle.json');
  const cli = join(root, 'node_modules/@redocly/cli/bin/cli.js');
  const foundMarks = new Set<string>();
  for (const contract of contracts) {
    const out = join(folder, 'out.json');
    const env = { ...process.env, REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' };
    const options = ['--overlay', join(folder, 'marks.yaml'), '-o', out];
    execFileSync(execPath, [cli, 'bundle', contract, ...options], { cwd: root, stdio: 'ignore', env });
    for (const [, mark] of readFileSync(out, 'utf8').matchAll(/"x-mark-(\d+)"/g)) foundMarks.add(String(mark));
  }
  expect(marks.filter((_, index) => !foundMarks.has(String(index))).map(({ target }) => target)).toEqual([]);
});

it.each(files)('each schema that a target of %s.yaml names exists', (file) => {
  const contracts = interfaceContracts.map((name) => loadContract(name, 'interface'));
  if (file === 'generators') contracts.push(loadContract('sandbox'));
  const schemaNames = new Set(
    contracts.flatMap(({ bundle }) => Object.keys((bundle.components as { schemas: Node }).schemas)),
  );
  const named = actionsOf(file).flatMap(({ target }) => {
    const names = /^\$\.components\.schemas(?:\.(\w+)|\[([^\]]*)\])/.exec(target);
    return names === null ? [] : (names[1] ?? names[2] ?? '').split(',').map((name) => name.replaceAll("'", ''));
  });
  expect(named.filter((name) => !schemaNames.has(name))).toEqual([]);
  expect(named.length > 0).toBe(file !== 'replies');
});

describe.each(['client', 'auth', 'v2-client'])('%s', (name) => {
  const [sandboxEdition, interfaceEdition] = [loadContract(name), loadContract(name, 'interface')];
  const clients = interfaceEdition.operations.filter(({ hostedBy }) => hostedBy === 'client');

  it('OP-103: replies are open in the interface edition, and closed in the sandbox edition', () => {
    const open = clients.flatMap(({ operationId, replies }) =>
      [...replies].flatMap(([status, { schema, examples }]) => {
        if (schema === undefined) return [];
        const sandboxReply = sandboxEdition.operations
          .find((operation) => operation.operationId === operationId)
          ?.replies.get(status);
        expect(sandboxReply?.examples).toEqual(examples);
        return [
          `${operationId} ${status} ${closed(interfaceEdition.bundle, schema)} ${closed(sandboxEdition.bundle, sandboxReply?.schema ?? '')}`,
        ];
      }),
    );
    expect(open.length).toBeGreaterThan(0);
    expect(open.filter((line) => !line.endsWith(' open closed'))).toEqual([]);
  });

  it('OP-103: the interface edition has no header of the sandbox, and allows other statuses', () => {
    expect(clients.length).toBeGreaterThan(0);
    for (const { operationId, replies, classes } of clients) {
      expect([...replies.keys()], operationId).toEqual([200, 422]);
      expect(
        [...classes.keys()].filter((key) => key !== '2XX'),
        operationId,
      ).toEqual(['4XX', '5XX']);
      expect(
        sandboxEdition.operations.find((operation) => operation.operationId === operationId)?.classes,
        operationId,
      ).toEqual(new Map());
    }
    const paths = Object.values(interfaceEdition.bundle.paths as Node).flatMap((item) => Object.values(item as Node));
    const hosted = paths.filter((operation) => (operation as Node)['x-hosted-by'] === 'client');
    expect(JSON.stringify(hosted)).not.toContain('X-Trace-Id');
  });
});

describe.each(['rewards', 'general', 'v2-platform'])('%s', (name) => {
  const [sandboxEdition, interfaceEdition] = [loadContract(name), loadContract(name, 'interface')];

  it('OP-103, OP-104: the interface edition has the successes, the stated error, and classes for all other errors', () => {
    expect(interfaceEdition.operations.length).toBeGreaterThan(2);
    for (const { operationId, replies, classes } of interfaceEdition.operations) {
      const errors = [...replies.keys()].filter((status) => status >= 400);
      expect(errors, operationId).toEqual(operationId === 'listRewards' ? [400] : []);
      expect(classes, operationId).toEqual(
        new Map([
          ['4XX', new Map()],
          ['5XX', new Map()],
        ]),
      );
    }
    const { webhooks: _, ...form } = interfaceEdition.bundle;
    expect(JSON.stringify(form)).not.toMatch(/"headers"|additionalProperties|unevaluatedProperties/);
  });

  it('OP-103: the sandbox edition lists each status, with the trace id in all, and the quota where it applies', () => {
    for (const { operationId, replies, classes } of sandboxEdition.operations) {
      expect(classes, operationId).toEqual(new Map());
      const statuses = [...replies.keys()];
      expect(statuses, operationId).toEqual(expect.arrayContaining([400, 401, 403, 429, 500, 503]));
      expect(headersOf(sandboxEdition, operationId), operationId).toEqual(
        statuses.map((status) => [
          status,
          expect.arrayContaining(['X-Trace-Id', ...(status < 400 || status === 429 ? ['RateLimit'] : [])]),
        ]),
      );
      for (const { schema } of replies.values()) {
        if (schema !== undefined) expect(closed(sandboxEdition.bundle, schema), operationId).toBe('closed');
      }
    }
  });
});

/** Returns the header names of each reply of an operation. */
function headersOf({ bundle }: { readonly bundle: Node }, operationId: string): readonly unknown[] {
  const operation = operationsIn(bundle).find((pointer) => (at(bundle, pointer) as Node).operationId === operationId);
  return Object.keys(at(bundle, `${operation}/responses`) as Node).map((status) => {
    const { headers } = at(bundle, follow(bundle, `${operation}/responses/${status}`)) as { headers: Node };
    return [Number(status), Object.keys(headers)];
  });
}

function closed(bundle: Node, pointer: string): string {
  const { additionalProperties, unevaluatedProperties, allOf = [] } = at(bundle, pointer) as Node;
  if (additionalProperties === false || unevaluatedProperties === false) return 'closed';
  // If one part is closed, the combination is closed.
  const parts = (allOf as Node[]).flatMap(({ $ref }) => (typeof $ref === 'string' ? [$ref.slice(1)] : []));
  return parts.some((part) => closed(bundle, part) === 'closed') ? 'closed' : 'open';
}
