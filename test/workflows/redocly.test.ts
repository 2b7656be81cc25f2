/** Tests how the workflow runner is found, which the package does not include, and the message if it is missing. */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { redoclyFrom, redoclyVersion } from '../../sandbox/workflows/respect.ts';
import { temporaryFolder } from '../harness/folders.ts';
import { root } from '../harness/sources.ts';

it('it is searched from the folder of the command up, then from the working directory up', async () => {
  const [empty, here] = [await temporaryFolder(), await temporaryFolder()];
  const installed = join(here, 'node_modules/@redocly/cli');
  mkdirSync(installed, { recursive: true });
  writeFileSync(join(installed, 'package.json'), '{}');
  expect(redoclyFrom(join(empty, 'command.js'), join(here, 'package.json'))).toBe(join(installed, 'bin/cli.js'));
});

it('if it is not installed, the message says how to install it', async () => {
  const empty = join(await temporaryFolder(), 'package.json');
  expect(() => redoclyFrom(empty)).toThrow(`npm install --save-dev @redocly/cli@${redoclyVersion}`);
});

it('the version in the message is the one that this project is tested with', () => {
  const { devDependencies, peerDependencies } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  const name = '@redocly/cli';
  expect([redoclyVersion, peerDependencies[name]]).toEqual([devDependencies[name], devDependencies[name]]);
});
