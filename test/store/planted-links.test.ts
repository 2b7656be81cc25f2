/** Tests writing to folders in which another user can place a symbolic link (OP-216). */
import { lstat, mkdir, readdir, readFile, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { diskFiles, replaceFile } from '../../sandbox/store/files.ts';
import { Sealer } from '../../sandbox/store/seal.ts';
import { BackupFile } from '../../sandbox/workspaces/backup-file.ts';
import { temporaryFolder } from '../harness/folders.ts';

/** Creates a file owned by the user, and a folder that others can write to. */
async function planted() {
  const folder = await temporaryFolder();
  const own = join(folder, 'own');
  await writeFile(own, 'mine');
  await mkdir(join(folder, 'together'));
  return {
    own,
    place: (name: string) => join(folder, 'together', name),
    names: () => readdir(join(folder, 'together')),
  };
}

it('OP-216: an export does not write through a link that was planted where its draft was', async () => {
  const { own, place, names } = await planted();
  await symlink(own, place('all.backup.tmp'));
  const backup = new BackupFile(diskFiles, place('all.backup'), new Sealer(Buffer.alloc(32, 9)));
  expect(await backup.write(async () => {})).toBeGreaterThan(0);
  expect(await readFile(own, 'utf8')).toBe('mine');
  expect((await names()).sort()).toEqual(['all.backup', 'all.backup.tmp']);
  expect((await lstat(place('all.backup'))).isFile()).toBe(true);
});

it('OP-216: an export that fails leaves no draft', async () => {
  const { place, names } = await planted();
  const backup = new BackupFile(diskFiles, place('all.backup'), new Sealer(Buffer.alloc(32, 9)));
  await expect(backup.write(() => Promise.reject(new Error('no more')))).rejects.toThrow('no more');
  expect(await names()).toEqual([]);
});

it('a file of the store is not created through a link', async () => {
  const { own, place } = await planted();
  await symlink(own, place('journal.tmp'));
  await expect(diskFiles.create(place('journal.tmp'))).rejects.toThrow(/ELOOP/);
  expect(await readFile(own, 'utf8')).toBe('mine');
});

it('a report replaces a link or an earlier report, and keeps its mode', async () => {
  const { own, place, names } = await planted();
  await symlink(own, place('linked.json'));
  await replaceFile(place('linked.json'), 'report');
  expect([await readFile(own, 'utf8'), await readFile(place('linked.json'), 'utf8')]).toEqual(['mine', 'report']);
  await writeFile(place('earlier.json'), 'a longer report of yesterday', { mode: 0o600 });
  await replaceFile(place('earlier.json'), 'report');
  expect(await readFile(place('earlier.json'), 'utf8')).toBe('report');
  expect((await lstat(place('earlier.json'))).mode & 0o777).toBe(0o600);
  expect((await names()).sort()).toEqual(['earlier.json', 'linked.json']);
});

it('a report to standard output or another device is written to it, and does not replace the device', async () => {
  await replaceFile('/dev/null', 'report');
  expect((await lstat('/dev/null')).isCharacterDevice()).toBe(true);
  const { place } = await planted();
  await expect(replaceFile(place('nowhere/report.json'), 'report')).rejects.toThrow(/ENOENT/);
  await mkdir(place('folder'));
  await expect(replaceFile(place('folder'), 'report')).rejects.toThrow(/EISDIR/);
});
