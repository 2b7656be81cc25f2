/**
 * A schema that does not compile is an error, never a clean result: nothing would be found by it (OP-90).
 */
import { cpSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { bundlesIn, ContractError, loadContractSet, projectRoot } from '../../sandbox/conformance/contracts.ts';
import type { Edition, Node } from '../../sandbox/contract/document.ts';
import { inProcess } from '../harness/command.ts';
import { temporaryFolder } from '../harness/folders.ts';

const read = bundlesIn(projectRoot);

/** The bundle of the general API with one schema spoilt. */
function spoilt(edition: Edition, name: string, schema: Node): Node {
  const bundle = structuredClone(read('general', edition)) as { components: { schemas: Record<string, Node> } };
  bundle.components.schemas[name] = schema;
  return bundle as unknown as Node;
}

const broken: readonly (readonly [title: string, schema: Node])[] = [
  ['a pattern that is none', { type: 'object', properties: { a: { type: 'string', pattern: '(' } } }],
  ['a type that is none', { type: 'objekt' }],
  ['a reference that leads nowhere', { $ref: '#/components/schemas/Nowhere' }],
];

// Replies are held against the form of the interface, requests against that of the sandbox.
describe.each([
  ['interface', 'AccessToken'],
  ['sandbox', 'Login'],
] as const)('in the form of the %s, %s', (edition, name) => {
  it.each(broken)('%s: the contracts do not load', (_title, schema) => {
    const bundle = spoilt(edition, name, schema);
    const load = () =>
      loadContractSet((api, form) => (api === 'general' && form === edition ? bundle : read(api, form)), projectRoot);
    expect(load).toThrow(ContractError);
  });
});

it('3: the command says which contract, and checks nothing', async () => {
  const folder = await temporaryFolder();
  cpSync(fileURLToPath(new URL('generated', projectRoot)), join(folder, 'generated'), { recursive: true });
  mkdirSync(join(folder, 'openapi'));
  writeFileSync(
    join(folder, 'generated/general/interface.json'),
    JSON.stringify(spoilt('interface', 'AccessToken', { type: 'objekt' })),
  );
  const capture = join(folder, 'empty.har');
  writeFileSync(capture, '{"log":{"entries":[]}}');
  const { code, stdout, stderr } = await inProcess(['check', capture, '--contracts', folder]).ended;
  expect({ code, stdout, lines: stderr.trimEnd().split('\n').length }).toEqual({ code: 3, stdout: '', lines: 1 });
  expect(stderr).toContain('Cannot use the contracts: general:');
  expect(readFileSync(capture, 'utf8')).toContain('entries');
});
