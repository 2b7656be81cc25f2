import type { WorkspaceCollections } from '../assembly/collections.ts';
import { reservedTally } from '../platform/quota.ts';
import type { Slice, Slices } from '../store/row.ts';
import { type Store, StoreError, type Tx } from '../store/store.ts';
import type { BackupFile, BackupPart, WritePart } from './backup-file.ts';
import { logBeside, withLog } from './snapshots.ts';
import type { Storage, StoragePlace } from './storage.ts';

/** The numbers of items in a backup. */
export type Counted = Readonly<Counts>;

/**
 * Writes all stored workspaces and snapshots to a file. No other process may have the storage open in the meantime.
 * Rejects with `StoreError` if any content is unreadable, because a backup never contains damaged data.
 */
export async function exportAll(storage: Storage, file: BackupFile): Promise<Counted & { readonly bytes: number }> {
  if (!(await storage.has([]))) throw new StoreError('unreadable', 'No sandbox data found; nothing was written');
  const counts = { workspaces: 0, snapshots: 0, records: 0 };
  // The main store stays open until everything is written, so that no sandbox starts on this data.
  const bytes = await withStore(storage, [], (demo) =>
    file.write(async (write) => {
      const counting: WritePart = (part, content) => write(part, counted(content, counts));
      for (const name of await storage.list(['workspaces']))
        await exportOne(storage, ['workspaces', name], counting, counts);
      // Written last: a folder without the main store is not a sandbox, so an interrupted import is recognized.
      await writeBooks(storage, [], demo, counting, counts);
    }),
  );
  return { ...counts, bytes };
}

/** Opens a store, passes it to `use`, and closes it. */
async function withStore<R>(
  storage: Storage,
  place: StoragePlace,
  use: (store: Store<WorkspaceCollections>) => Promise<R>,
): Promise<R> {
  const store = await storage.open(place);
  try {
    return await use(store);
  } finally {
    await store.close();
  }
}

async function exportOne(storage: Storage, place: StoragePlace, write: WritePart, counts: Counts): Promise<void> {
  if (!(await storage.has(place))) return;
  await withStore(storage, place, async (store) => {
    const meta = store.get('meta', 'workspace');
    // Skip a workspace that is being created or removed, because the next start removes it too.
    if (meta !== undefined && meta.id === place.at(-1) && !meta.deleted)
      await writeBooks(storage, place, store, write, counts);
  });
}

async function writeBooks(
  storage: Storage,
  place: StoragePlace,
  store: Store<WorkspaceCollections>,
  write: WritePart,
  counts: Counts,
): Promise<void> {
  for (const { id } of store.all('snapshots')) {
    const copy = [...place, 'snapshots', id];
    await write({ place: copy }, storage.read(copy));
    counts.snapshots += 1;
  }
  const beside = await logBeside(storage, place, store);
  await store.view((content) => write({ place }, withLog(content, beside)));
  counts.workspaces += 1;
}

/**
 * Fills an empty store from a file, after reading the whole file. Rejects with `StoreError`: with `damaged` or
 * `wrong_key` for the file, and with `refused` if the storage is not empty. If the import fails, no workspace remains.
 * Returns undefined if there is no such file.
 */
export async function importAll(storage: Storage, file: BackupFile): Promise<Counted | undefined> {
  const counts = { workspaces: 0, snapshots: 0, records: 0 };
  const parts: BackupPart[] = [];
  const isThere = await file.read(async (part, content) => {
    parts.push(part);
    for await (const _slice of counted(content, counts));
  });
  if (!isThere) return undefined;
  if (await isInUse(storage)) {
    throw new StoreError('refused', 'The target already contains sandbox data: choose an empty folder or database');
  }
  try {
    await file.read((part, content) => importPart(storage, part, content));
  } catch (error) {
    // The main store is imported last, and its folder may contain unrelated files.
    for (const { place } of parts) if (place.length > 0) await storage.remove(place);
    throw error;
  }
  const snapshots = parts.filter(isSnapshot).length;
  return { ...counts, workspaces: parts.length - snapshots, snapshots };
}

function isSnapshot({ place }: BackupPart): boolean {
  return place.includes('snapshots');
}

async function importPart(storage: Storage, part: BackupPart, content: Slices): Promise<void> {
  const { place } = part;
  if (isSnapshot(part)) return storage.write(place, content);
  const change = (tx: Tx<WorkspaceCollections>) => tx.remove('tallies', reservedTally);
  await withStore(storage, place, (store) => store.replace({ content, change }));
}

async function isInUse(storage: Storage): Promise<boolean> {
  if (await storage.has([])) return true;
  const names = await storage.list([]);
  return names.some((name) => name === 'workspaces' || name === 'snapshots');
}

interface Counts {
  workspaces: number;
  snapshots: number;
  records: number;
}

async function* counted(content: Slices, counts: Counts): AsyncGenerator<Slice, void, void> {
  for await (const slice of content) {
    counts.records += slice.rows.length;
    yield slice;
  }
}
