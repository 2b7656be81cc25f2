/** Tests that the data folder and its first files are synced to disk before the sandbox relies on them (OP-33). */
import { mkdir, readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { dataKey } from '../../sandbox/cli/key.ts';
import { ownCertificate } from '../../sandbox/http/certificate.ts';
import { diskFiles, type Files } from '../../sandbox/store/files.ts';
import { withFaults } from '../harness/faulty-files.ts';
import { temporaryFolder } from '../harness/folders.ts';

/** Wraps the file system, and records its calls with paths relative to `dir`. */
function watchFiles(dir: string): { files: Files; calls: string[] } {
  const calls: string[] = [];
  const files = withFaults(diskFiles, ({ name, path }) => {
    const relative = path.replace(dir, '').replace(/\.[0-9a-f]{12}$/, '.<draft>');
    if (name !== 'write' && name !== 'read') calls.push(`${name} ${relative}`);
  });
  return { files, calls };
}

it('OP-33: a new data folder and its key survive a power cut: the folder, the key and its name are synced, in this order', async () => {
  // `makeDir` syncs the parent of each folder that it creates.
  const dir = join(await temporaryFolder(), 'a', 'b');
  const { files, calls } = watchFiles(dir);
  const key = await dataKey(dir, undefined, files);
  expect(calls).toEqual(['list ', 'makeDir ', 'create /key.<draft>', 'sync /key.<draft>', 'syncDir ']);
  const modes = await Promise.all([dir, join(dir, 'key')].map(async (path) => (await stat(path)).mode & 0o777));
  expect([key.length, modes]).toEqual([32, [0o700, 0o600]]);
});

it('OP-33: a key of an earlier start is synced before it is used, since that start may have ended before its sync', async () => {
  const dir = await temporaryFolder();
  await writeFile(join(dir, 'key'), 'ab'.repeat(32));
  const { files, calls } = watchFiles(dir);
  expect(await dataKey(dir, undefined, files)).toEqual(Buffer.alloc(32, 0xab));
  expect(calls).toEqual(['list ', 'makeDir ', 'syncDir ']);
});

it.each(['db.json', 'wal.log', 'calls.jsonl', 'workspaces'])(
  'OP-33: a key file that is missing next to %s is not replaced by a new one',
  async (name) => {
    const dir = await temporaryFolder();
    await writeFile(join(dir, name), 'data');
    await expect(dataKey(dir, undefined)).rejects.toMatchObject({
      code: 'wrong_key',
      message: `The key file ${join(dir, 'key')} is missing, but the folder contains ${name}. Nothing was changed: restore the file, or set REWARDS_SANDBOX_KEY to its key.`,
    });
    expect(await readdir(dir)).toEqual([name]);
    expect(await dataKey(dir, 'ab'.repeat(32))).toEqual(Buffer.alloc(32, 0xab));
  },
);

it('OP-32: key and certificate are complete on the disk before they get their names, and the names are synced', async () => {
  const dir = join(await temporaryFolder(), 'data');
  await mkdir(dir);
  const { files, calls } = watchFiles(dir);
  const { cert, key } = await ownCertificate(dir, Date.now(), files);
  expect(calls).toEqual(
    ['tls-key.pem', 'tls-cert.pem'].flatMap((name) => [
      `create /${name}.new`,
      `sync /${name}.new`,
      `rename /${name}.new`,
      'syncDir ',
    ]),
  );
  expect([await readFile(join(dir, 'tls-cert.pem'), 'utf8'), await readFile(join(dir, 'tls-key.pem'), 'utf8')]).toEqual(
    [cert, key],
  );
  expect((await stat(join(dir, 'tls-key.pem'))).mode & 0o777).toBe(0o600);
});
