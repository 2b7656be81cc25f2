/** A schema that does not compile must cause an error. It must never look like a clean result (OP-90). */
import { cpSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { bundlesIn, ContractError, loadContractSet, projectRoot } from '../../sandbox/conformance/contracts.ts';
import type { Edition, Node } from '../../sandbox/contract/document.ts';
import { inProcess } from '../harness/command.ts';
import { temporaryFolder } from '../harness/folders.ts';

const read = bundlesIn(projectRoot);

/** Returns the general API's bundle with one schema replaced. */
function bundleWith(edition: Edition, name: string, schema: Node): Node {
  const bundle = structuredClone(read('general', edition)) as { components: { schemas: Record<string, Node> } };
  bundle.components.schemas[name] = schema;
  return bundle as unknown as Node;
}

const brokenSchemas: readonly (readonly [title: string, schema: Node])[] = [
  ['an invalid pattern', { type: 'object', properties: { a: { type: 'string', pattern: '(' } } }],
  ['an unknown type', { type: 'objekt' }],
  ['a dangling reference', { $ref: '#/components/schemas/Nowhere' }],
];

// The interface edition validates replies. The sandbox edition validates requests.
describe.each([
  ['interface', 'AccessToken'],
  ['sandbox', 'Login'],
] as const)('in the %s edition, %s', (edition, name) => {
  it.each(brokenSchemas)('%s: the contracts do not load', (_title, schema) => {
    const bundle = bundleWith(edition, name, schema);
    const load = () =>
      loadContractSet((api, form) => (api === 'general' && form === edition ? bundle : read(api, form)), projectRoot);
    expect(load).toThrow(ContractError);
  });
});

it('3: the command names the contract, and checks nothing', async () => {
  const folder = await temporaryFolder();
  cpSync(fileURLToPath(new URL('generated', projectRoot)), join(folder, 'generated'), { recursive: true });
  mkdirSync(join(folder, 'openapi'));
  writeFileSync(
    join(folder, 'generated/general/interface.json'),
    JSON.stringify(bundleWith('interface', 'AccessToken', { type: 'objekt' })),
  );
  const capture = join(folder, 'empty.har');
  writeFileSync(capture, '{"log":{"entries":[]}}');
  const { code, stdout, stderr } = await inProcess(['check', capture, '--contracts', folder]).ended;
  expect({ code, stdout, lines: stderr.trimEnd().split('\n').length }).toEqual({ code: 3, stdout: '', lines: 1 });
  expect(stderr).toContain('Cannot use the contracts: general:');
  expect(readFileSync(capture, 'utf8')).toContain('entries');
});
