/** A backup may refer only to store locations that `export` writes (OP-216). */
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { headerLine, lineOf } from '../../sandbox/store/encoding.ts';
import { diskFiles } from '../../sandbox/store/files.ts';
import { Sealer } from '../../sandbox/store/seal.ts';
import { importAll } from '../../sandbox/workspaces/backup.ts';
import { BackupFile } from '../../sandbox/workspaces/backup-file.ts';
import { diskStorage } from '../../sandbox/workspaces/storage.ts';
import { temporaryFolder } from '../harness/folders.ts';

const sealer = new Sealer(Buffer.alloc(32, 9));
const id = 'ws_0123456789abcdef';

/** Creates a backup with these parts, sealed by a holder of its key. The parts contain no records. */
async function backupOf(parts: readonly object[]): Promise<BackupFile> {
  const path = join(await temporaryFolder(), 'all.backup');
  const { seal, label } = sealer.fresh();
  const lines = parts.map((part, at) => lineOf(seal.close(JSON.stringify(part), `backup ${at + 1}`)));
  const end = lineOf(seal.close(String(parts.length), 'backup end'));
  await writeFile(path, [headerLine({ kind: 'backup', seq: 0, label }), ...lines, end].join(''));
  return new BackupFile(diskFiles, path, sealer);
}

/** Creates the path of an empty data folder, next to another user's folder. */
async function targetFolder() {
  const root = await temporaryFolder();
  const [dataDir, documents] = [join(root, 'data'), join(root, 'documents')];
  await mkdir(documents);
  await writeFile(join(documents, 'letter.txt'), 'keep me');
  const storage = diskStorage(dataDir, { key: Buffer.alloc(32, 9), files: diskFiles, warn: expect.fail });
  return { root, dataDir, documents, storage };
}

it.each<[place: unknown]>([
  [['..', 'documents']],
  [['workspaces', '..', '..', 'documents']],
  [['workspaces', '../../documents']],
  [['workspaces', `${id}/../../../documents`]],
  [['workspaces', id, 'snapshots', '../../../../documents']],
  [['snapshots', '..']],
  [['snapshots']],
  [['workspaces']],
  [['workspaces', 'ws_1']],
  [['workspaces', id, 'last-known']],
  [[['workspaces', id]]],
  ['workspaces'],
  [undefined],
])('a part for %j is refused before anything is removed or written', async (place) => {
  const { root, dataDir, documents, storage } = await targetFolder();
  const backup = await backupOf([{ place: ['workspaces', id] }, { place }, { place: [] }]);
  await expect(importAll(storage, backup)).rejects.toMatchObject({
    code: 'damaged',
    message: expect.stringContaining(`is damaged (a part for ${JSON.stringify(place)})`),
  });
  expect(await readdir(root)).toEqual(['documents']);
  expect(await readdir(dataDir).catch(() => 'none')).toBe('none');
  expect(await readFile(join(documents, 'letter.txt'), 'utf8')).toBe('keep me');
});

it('workspaces and snapshots are counted by their places, also in a backup that names kinds of its own', async () => {
  const { storage } = await targetFolder();
  const backup = await backupOf([
    { kind: 'copy', place: ['workspaces', id, 'snapshots', 'SNP-000001'] },
    { kind: 'books', place: ['workspaces', id] },
    { kind: 'copy', place: ['snapshots', 'SNP-000002'] },
    { kind: 'books', place: [] },
  ]);
  expect(await importAll(storage, backup)).toEqual({ workspaces: 2, snapshots: 2, records: 0 });
});

it.each([['..'], ['.'], [''], ['a/b'], ['a\\b'], ['a\0b']])(
  '%j is no name of a place: nothing is removed there',
  async (name) => {
    const { root, storage } = await targetFolder();
    await expect(storage.remove([name, 'documents'])).rejects.toMatchObject({ code: 'unreadable' });
    expect(await readdir(root)).toEqual(['documents']);
  },
);
