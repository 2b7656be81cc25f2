/** At startup, the sandbox removes folders without a record, and workspaces marked as deleted (OP-63). */
import { readdirSync } from 'node:fs';
import { cp, mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { diskFiles } from '../../sandbox/store/files.ts';
import { yieldToEventLoop } from '../../sandbox/store/row.ts';
import { diskStorage, memoryStorage, type Storage } from '../../sandbox/workspaces/storage.ts';
import { serveWorkspaces } from '../harness/beside.ts';
import { temporaryFolder } from '../harness/folders.ts';
import { clientsOf, ok, type TestSandbox, testSandbox } from '../harness/sandbox.ts';
import { workspaceOf } from '../harness/workspaces.ts';

/** Starts a sandbox on a folder. Returns the ids of its workspaces, and its warnings. */
async function startOn(dataDir: string) {
  const warnings: string[] = [];
  const sandbox = await testSandbox({ dataDir, warn: (message) => warnings.push(message) });
  const ids = ok(await sandbox.control.GET('/workspaces')).items.map(({ id }) => id);
  await sandbox.close();
  return { ids, warnings };
}

/** Creates a data folder with one workspace that has a snapshot. */
async function withWorkspace(then: (sandbox: TestSandbox) => Promise<void> = async () => {}) {
  const dataDir = await temporaryFolder();
  const sandbox = await testSandbox({ dataDir });
  const { details, control } = await workspaceOf(sandbox);
  ok(await control.POST('/snapshots', { body: {} }));
  await then(sandbox);
  await sandbox.close();
  return { dataDir, id: details.id, folder: join(dataDir, 'workspaces', details.id), token: details.admin_token };
}

const removeStoreFiles = async (folder: string) => {
  for (const name of await readdir(folder)) {
    if (name === 'db.json' || name === 'wal.log') await rm(join(folder, name));
  }
};

describe('OP-63: a start leaves unchanged, and warns about,', () => {
  it('a folder that is no workspace', async () => {
    const { dataDir, id } = await withWorkspace();
    const notes = join(dataDir, 'workspaces', 'notes');
    await mkdir(notes);
    await writeFile(join(notes, 'todo.txt'), 'keep me');
    const warning = 'workspaces/notes contains no workspace and was left unchanged; remove it if it is not needed';
    expect(await startOn(dataDir)).toEqual({ ids: ['demo', id], warnings: [warning] });
    expect([await readdir(notes), await readFile(join(notes, 'todo.txt'), 'utf8')]).toEqual([['todo.txt'], 'keep me']);
  });

  it('a folder with snapshots whose store files are missing', async () => {
    const { dataDir, id, folder } = await withWorkspace();
    await removeStoreFiles(folder);
    const warning = `workspaces/${id} contains no workspace and was left unchanged; remove it if it is not needed`;
    expect(await startOn(dataDir)).toEqual({ ids: ['demo'], warnings: [warning] });
    expect(await readdir(join(folder, 'snapshots'))).toEqual(['SNP-000001']);
  });

  it('a copy of a folder, which does not restore a deleted workspace', async () => {
    const { dataDir, id, folder, token } = await withWorkspace();
    await cp(folder, `${folder}-old`, { recursive: true });
    await rm(folder, { recursive: true });
    const copy = `workspaces/${id}-old`;
    const remedy = 'put each file back where it was, or restore the folder from a backup';
    const warning = `Cannot use workspace ${id}-old: ${join(dataDir, copy)}/db.json belongs to workspaces/${id}, not to ${copy}. Nothing was changed: ${remedy}`;
    expect(await startOn(dataDir)).toEqual({ ids: ['demo'], warnings: [warning] });
    expect(await readdir(`${folder}-old`)).toContain('snapshots');
    const sandbox = await testSandbox({ dataDir, warn: () => {} });
    const { response } = await clientsOf(sandbox.workspace, token).control.GET('/workspace');
    expect(response.status).toBe(401);
  });
});

it('OP-63: a start removes what a crash left of a workspace that was being created or deleted', async () => {
  const { dataDir, id } = await withWorkspace();
  const storage = diskStorage(dataDir, { key: undefined, files: diskFiles, warn: expect.fail });
  const place = ['workspaces', id];
  const store = await storage.open(place);
  await store.transact((tx) => {
    const meta = tx.get('meta', 'workspace');
    if (meta !== undefined) tx.put('meta', 'workspace', { ...meta, deleted: true });
  });
  await store.close();
  expect(await startOn(dataDir)).toEqual({ ids: ['demo'], warnings: [] });
  expect(await readdir(join(dataDir, 'workspaces'))).toEqual([]);
});

/** Returns the log of a store that was opened but never written to, as a kill leaves it. */
async function emptyLog(): Promise<Buffer> {
  const dir = await temporaryFolder();
  const place = ['workspaces', 'ws_0123456789abcdef'];
  const store = await diskStorage(dir, { key: undefined, files: diskFiles, warn: expect.fail }).open(place);
  const log = await readFile(join(dir, ...place, 'wal.log'));
  await store.close();
  return log;
}

it.each([
  ['is empty', {}],
  ['holds only a lock', { lock: '', 'lock.json': '{}' }],
  ['holds a log without an entry', { lock: '', 'wal.log': emptyLog }],
  ['holds a log whose creation was interrupted', { 'wal.log.tmp': '0000' }],
  ['holds a snapshots folder without a snapshot', { 'snapshots/SNP-000001/db.json.tmp': '0000' }],
])('OP-63: a start silently removes a folder that %s, as a crash leaves it', async (_, files) => {
  const { dataDir, id } = await withWorkspace();
  const folder = join(dataDir, 'workspaces', 'ws_0123456789abcdef');
  await mkdir(folder);
  for (const [name, content] of Object.entries<string | (() => Promise<Buffer>)>(files)) {
    await mkdir(dirname(join(folder, name)), { recursive: true });
    await writeFile(join(folder, name), typeof content === 'string' ? content : await content());
  }
  expect(await startOn(dataDir)).toEqual({ ids: ['demo', id], warnings: [] });
  expect(await readdir(join(dataDir, 'workspaces'))).toEqual([id]);
});

it('OP-63: a workspace is removed in one step, so that a crash leaves no part of it', async () => {
  const dataDir = await temporaryFolder();
  const storage = diskStorage(dataDir, { key: undefined, files: diskFiles, warn: expect.fail });
  const folder = join(dataDir, 'workspaces', 'ws_0123456789abcdef');
  await mkdir(folder, { recursive: true });
  const names = Array.from({ length: 300 }, (_, at) => `file-${at}`).toSorted();
  for (const name of names) await writeFile(join(folder, name), '');
  let isOver = false;
  const removal = storage.remove(['workspaces', 'ws_0123456789abcdef']).then(() => {
    isOver = true;
  });
  const fileCounts = new Set<number>();
  while (!isOver) {
    fileCounts.add(filesIn(folder));
    await yieldToEventLoop();
  }
  await removal;
  expect([...fileCounts].filter((length) => length !== 0 && length !== names.length)).toEqual([]);
  expect(await readdir(dataDir)).toEqual(['workspaces']);
});

/**
 * Returns the number of files in a folder, or 0 if the folder does not exist. An asynchronous read would run only after the whole removal.
 */
function filesIn(folder: string): number {
  try {
    return readdirSync(folder).length;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
    return 0;
  }
}

it('OP-63: a start completes a removal that a crash interrupted', async () => {
  const { dataDir, id, folder } = await withWorkspace();
  const removed = join(dataDir, `.removed-workspaces-${id}`);
  await rename(folder, removed);
  await rm(join(removed, 'db.json'));
  expect(await startOn(dataDir)).toEqual({ ids: ['demo'], warnings: [] });
  expect(await readdir(dataDir)).not.toContain(`.removed-workspaces-${id}`);
});

it('OP-63: a workspace is marked for removal until its creation is complete', async () => {
  const memory = memoryStorage(expect.fail);
  const marks: unknown[] = [];
  const storage: Storage = {
    ...memory,
    async open(place) {
      const store = await memory.open(place);
      const mark = () => marks.push([store.get('meta', 'workspace')?.deleted ?? false, store.count('items') > 0]);
      if (place.length > 0) store.onCommit(mark);
      return store;
    },
  };
  const { create } = await serveWorkspaces(storage);
  expect(await create()).toMatchObject({ status: 201 });
  // A single transaction writes the data and clears the mark.
  expect(marks).toEqual([
    [true, false],
    [false, true],
  ]);
});

describe('a data folder without its main store', () => {
  it('is refused if it has workspaces or snapshots, and nothing is written to it', async () => {
    const { dataDir } = await withWorkspace(async ({ control }) => {
      ok(await control.POST('/snapshots', { body: {} }));
    });
    await removeStoreFiles(dataDir);
    const before = await readdir(dataDir);
    await expect(testSandbox({ dataDir })).rejects.toMatchObject({
      name: 'StoreError',
      code: 'damaged',
      message:
        'the main store (db.json and wal.log) is missing next to snapshots and workspaces: restore it from a backup, or start with an empty folder',
    });
    expect(await readdir(dataDir)).toEqual(before);
  });

  it('is refused too if its main store was begun and nothing written to it, as a kill during an import leaves it', async () => {
    const { dataDir } = await withWorkspace();
    await removeStoreFiles(dataDir);
    const unused = await temporaryFolder();
    const store = await diskStorage(unused, { files: diskFiles, warn: expect.fail, key: undefined }).open([]);
    await cp(join(unused, 'wal.log'), join(dataDir, 'wal.log'));
    await store.close();
    await expect(testSandbox({ dataDir })).rejects.toMatchObject({ name: 'StoreError', code: 'damaged' });
  });

  it('is new if it has nothing but a key', async () => {
    const dataDir = await temporaryFolder();
    await writeFile(join(dataDir, 'key'), 'made by a start that went no further');
    expect(await startOn(dataDir)).toEqual({ ids: ['demo'], warnings: [] });
  });
});
