/** What only the sandbox promises lies in overlays: laid over its own contracts, and nobody else's (OP-103). */
import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { execPath } from 'node:process';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { parse, stringify } from 'yaml';
import { interfaceContracts } from '../../sandbox/apis/registry.ts';
import type { Node } from '../../sandbox/contract/document.ts';
import { loadContract } from '../../sandbox/contract/schemas.ts';
import { temporaryFolder } from '../harness/folders.ts';

const root = fileURLToPath(new URL('../../', import.meta.url));
const files = ['replies', 'closed', 'generators'] as const;

interface Action {
  readonly target: string;
  readonly update?: object;
  readonly remove?: true;
}

function actionsOf(file: (typeof files)[number]): readonly Action[] {
  return parse(readFileSync(join(root, `openapi/overlays/${file}.yaml`), 'utf8')).actions;
}

it.each(files)('each target of %s.yaml is somewhere in the contracts that it is laid over', async (file) => {
  const folder = await temporaryFolder();
  // What generators.yaml removes may be no object, which takes no mark; generators.test.ts finds it there.
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
  const seen = new Set<string>();
  for (const contract of contracts) {
    const out = join(folder, 'out.json');
    const env = { ...process.env, REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' };
    const options = ['--overlay', join(folder, 'marks.yaml'), '-o', out];
    execFileSync(execPath, [cli, 'bundle', contract, ...options], { cwd: root, stdio: 'ignore', env });
    for (const [, mark] of readFileSync(out, 'utf8').matchAll(/"x-mark-(\d+)"/g)) seen.add(String(mark));
  }
  expect(marks.filter((_, index) => !seen.has(String(index))).map(({ target }) => target)).toEqual([]);
});

describe.each(['client', 'auth', 'v2-client'])('%s', (name) => {
  const [ours, anybodys] = [loadContract(name), loadContract(name, 'interface')];
  const clients = anybodys.operations.filter(({ hostedBy }) => hostedBy === 'client');

  it("OP-103: the replies that anybody owes are open, and the sandbox's own are closed", () => {
    const open = clients.flatMap(({ operationId, replies }) =>
      [...replies].flatMap(([status, { schema, examples }]) => {
        if (schema === undefined) return [];
        const mine = ours.operations.find((operation) => operation.operationId === operationId)?.replies.get(status);
        expect(mine?.examples).toEqual(examples);
        return [
          `${operationId} ${status} ${closed(anybodys.bundle, schema)} ${closed(ours.bundle, mine?.schema ?? '')}`,
        ];
      }),
    );
    expect(open.length).toBeGreaterThan(0);
    expect(open.filter((line) => !line.endsWith(' open closed'))).toEqual([]);
  });

  it("OP-103: they carry no header of the sandbox's, and may have statuses of their own", () => {
    expect(clients.length).toBeGreaterThan(0);
    for (const { operationId, replies, classes } of clients) {
      expect([...replies.keys()], operationId).toEqual([200, 422]);
      expect(
        [...classes.keys()].filter((key) => key !== '2XX'),
        operationId,
      ).toEqual(['4XX', '5XX']);
      expect(ours.operations.find((operation) => operation.operationId === operationId)?.classes, operationId).toEqual(
        new Map(),
      );
    }
    const paths = Object.values(anybodys.bundle.paths as Node).flatMap((item) => Object.values(item as Node));
    const hosted = paths.filter((operation) => (operation as Node)['x-hosted-by'] === 'client');
    expect(JSON.stringify(hosted)).not.toContain('X-Trace-Id');
  });
});

function closed(bundle: Node, pointer: string): string {
  const node = pointer
    .split('/')
    .slice(1)
    .reduce<unknown>((at, key) => (at as Node)[key], bundle) as Node;
  return node.additionalProperties === false ? 'closed' : 'open';
}
