/** Tests warnings about key files that other users of the machine can read (OP-33, OP-197). */
import { chmod, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { warnOfExposedKey } from '../../sandbox/cli/key.ts';
import { inProcess, readyInProcess } from '../harness/command.ts';
import { temporaryFolder } from '../harness/folders.ts';

async function keyOfMode(mode: number) {
  const folder = await temporaryFolder();
  const file = join(folder, 'key');
  await writeFile(file, `${'ab'.repeat(32)}\n`);
  await chmod(file, mode);
  return { folder, file };
}

const warning = (file: string) =>
  `Other users of this machine can read ${file}. Run: chmod 600 '${file}'. If anyone may have copied it, replace the key.`;

it.each([0o640, 0o604])('OP-33: a key of mode %o causes a warning with what to do', async (mode) => {
  const { file } = await keyOfMode(mode);
  const warnings: string[] = [];
  await warnOfExposedKey(file, (message) => warnings.push(message));
  expect(warnings).toEqual([warning(file)]);
});

it('OP-33: a start warns of the key in its data folder on stderr, once, and does not change it', async () => {
  const { folder, file } = await keyOfMode(0o644);
  const { stop, ended } = await readyInProcess(['--no-proxy', '--data', folder]);
  stop();
  const { stderr } = await ended;
  expect(stderr.split('\n').filter((line) => line.includes('Other users'))).toEqual([warning(file)]);
  expect(await readFile(file, 'utf8')).toBe(`${'ab'.repeat(32)}\n`);
});

it('OP-33: an export warns of the key that it uses, and not of one that REWARDS_SANDBOX_KEY overrides', async () => {
  const { folder, file } = await keyOfMode(0o644);
  const args = ['export', join(folder, 'a.backup'), '--data', folder];
  expect((await inProcess(args).ended).stderr).toContain(warning(file));
  expect((await inProcess(args, { REWARDS_SANDBOX_KEY: 'cd'.repeat(32) }).ended).stderr).not.toContain('Other users');
});
