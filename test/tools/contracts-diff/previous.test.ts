/** Tests which bundles of a version are compared. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { bundlesIn, previous } from '../../../tools/contracts-diff/previous.ts';
import { temporaryFolder } from '../../harness/folders.ts';

it('a contract that has a form without the promises of the sandbox is compared in that form', async () => {
  const folder = await temporaryFolder();
  const put = (file: string, from: string) => {
    mkdirSync(join(folder, 'generated', file, '..'), { recursive: true });
    writeFileSync(join(folder, 'generated', file), JSON.stringify({ from }));
  };
  put('client/bundle.json', 'the sandbox');
  put('client/interface.json', 'the interface');
  put('sandbox/bundle.json', 'the sandbox');
  const expected = new Map([
    ['client', { from: 'the interface' }],
    ['sandbox', { from: 'the sandbox' }],
  ]);
  expect(bundlesIn(folder)).toEqual(expected);
  expect(previous('/', folder)).toEqual({ name: folder, bundles: expected });
});
