/** Tests that startup reports missing, empty or irregular files in a data folder, and changes nothing (OP-33, OP-63). */
import { execFileSync } from 'node:child_process';
import { readdir, rm, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { temporaryFolder } from '../harness/folders.ts';
import { ok, testSandbox } from '../harness/sandbox.ts';

/** Creates the data folder of a sandbox that ended normally. */
async function usedFolder(): Promise<string> {
  const dataDir = await temporaryFolder();
  const { control, close } = await testSandbox({ dataDir });
  ok(await control.POST('/customers', { body: { uid: 'CUST7001' } }));
  await close();
  return dataDir;
}

/** Returns the error of a start on a folder. Checks that the names in the folder do not change, except for the lock files. */
async function refusalOf(dataDir: string) {
  const names = async () => (await readdir(dataDir)).filter((name) => !name.startsWith('lock'));
  const before = await names();
  const error = await testSandbox({ dataDir }).catch((error) => error);
  expect(await names()).toEqual(before);
  return [error.code, error.message.replaceAll(dataDir, '…')];
}

const remedy = 'Nothing was changed: restore the folder from a backup, or start with an empty one';

it('an empty db.json is named as such', async () => {
  const dataDir = await usedFolder();
  await writeFile(join(dataDir, 'db.json'), '');
  expect(await refusalOf(dataDir)).toEqual(['damaged', `…/db.json is damaged (it is empty). ${remedy}`]);
});

it.each([
  ['db.json', /^…\/wal\.log is damaged \(entries 1 to \d+ are missing before it\)/],
  ['wal.log', /^…\/wal\.log is damaged \(it is missing\)/],
])('%s that is missing next to the other files is refused', async (name, message) => {
  const dataDir = await usedFolder();
  await rm(join(dataDir, name));
  expect(await refusalOf(dataDir)).toEqual(['damaged', expect.stringMatching(message)]);
});

it('db.json and wal.log that are missing next to the calls are refused', async () => {
  const dataDir = await usedFolder();
  for (const name of ['db.json', 'wal.log']) await rm(join(dataDir, name));
  const message = `… is damaged (db.json and wal.log are missing next to calls.jsonl). ${remedy}`;
  expect(await refusalOf(dataDir)).toEqual(['damaged', message]);
});

it.each(['db.json', 'wal.log', 'calls.jsonl'])('a pipe in place of %s is refused, and not waited for', async (name) => {
  const dataDir = await usedFolder();
  await rm(join(dataDir, name));
  execFileSync('mkfifo', [join(dataDir, name)]);
  const message = expect.stringMatching(new RegExp(`^…/${name} is not a regular file: remove it`));
  expect(await refusalOf(dataDir)).toEqual(['unreadable', message]);
});

it('a link from wal.log to a pipe is refused, and not waited for', async () => {
  const dataDir = await usedFolder();
  const pipe = join(await temporaryFolder(), 'pipe');
  execFileSync('mkfifo', [pipe]);
  await rm(join(dataDir, 'wal.log'));
  await symlink(pipe, join(dataDir, 'wal.log'));
  expect(await refusalOf(dataDir)).toEqual(['unreadable', expect.stringContaining('…/wal.log is not a regular file')]);
});
