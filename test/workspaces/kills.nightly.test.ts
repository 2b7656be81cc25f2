/** A process killed at any step of its work on a data folder loses no data and leaves nothing incomplete. */
import { spawnSync } from 'node:child_process';
import { cp } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Meta, WorkspaceCollections } from '../../sandbox/assembly/collections.ts';
import { realTimer } from '../../sandbox/runtime/clock.ts';
import { diskFiles } from '../../sandbox/store/files.ts';
import { Sealer } from '../../sandbox/store/seal.ts';
import type { Store } from '../../sandbox/store/store.ts';
import { exportAll } from '../../sandbox/workspaces/backup.ts';
import { BackupFile } from '../../sandbox/workspaces/backup-file.ts';
import { openDemo } from '../../sandbox/workspaces/open-demo.ts';
import { diskStorage } from '../../sandbox/workspaces/storage.ts';
import { temporaryFolder } from '../harness/folders.ts';

const snapshot = ['snapshots', 'SNP-000001'];
const workspace = ['workspaces', 'ws_0123456789abcdef'];

describe.each([
  ['without a key', undefined],
  ['with a key', Buffer.alloc(32, 3)],
])('%s', (_how, key) => {
  const storageIn = (dir: string) => diskStorage(dir, { key, files: diskFiles, warn: () => {} });

  /** Creates a folder with counters and, with `hasSnapshot`, a snapshot from before the last counter. */
  async function folderWith({ counters, hasSnapshot = false }: { counters: number; hasSnapshot?: boolean }) {
    const dir = await temporaryFolder();
    const storage = storageIn(dir);
    const store = await storage.open([]);
    const count = async (from: number, to: number) => {
      for (let n = from; n <= to; n += 1) {
        await store.transact((tx) => {
          tx.put('counters', `n${n}`, n);
          tx.put('tallies', `n${n}`, n);
        });
      }
    };
    await count(1, counters - 1);
    if (hasSnapshot) await store.view((content) => storage.write(snapshot, content));
    await count(counters, counters);
    await store.close();
    return dir;
  }

  /** Runs the work in copies of a folder, killing it at each step in turn, and checks the data after each kill. */
  async function killEach(
    deed: string,
    from: string,
    check: (dir: string, acks: string[]) => Promise<void>,
    file = '',
  ) {
    for (let step = 1; ; step += 1) {
      const dir = join(await temporaryFolder(), 'data');
      await cp(from, dir, { recursive: true });
      const script = join(import.meta.dirname, 'killed-deed.ts');
      const flags = [deed, dir, String(step), file, ...(key === undefined ? [] : [key.toString('hex')])];
      const { signal, stdout, stderr } = spawnSync(process.execPath, [script, ...flags], { encoding: 'utf8' });
      expect([step, stderr]).toEqual([step, '']);
      await check(dir, stdout.split('\n').slice(0, -1));
      if (signal === null) return step;
    }
  }

  async function readStore<R>(dir: string, read: (store: Store<WorkspaceCollections>) => R): Promise<R> {
    const store = await storageIn(dir).open([]);
    try {
      return read(store);
    } finally {
      await store.close();
    }
  }

  /** Returns the number of counters after checking that counters and tallies are complete. */
  const countIn = (store: Store<WorkspaceCollections>): number => {
    const counters = store.all('counters');
    expect([counters, store.all('tallies')]).toEqual([counters.map((_, at) => at + 1), counters]);
    return counters.length;
  };

  it('a snapshot is complete or `damaged`; the workspace does not change', async () => {
    const from = await folderWith({ counters: 5 });
    const steps = await killEach('snapshot', from, async (dir, acks) => {
      expect(await readStore(dir, countIn)).toBe(5);
      const rows: unknown[] = [];
      const read = async () => {
        for await (const slice of storageIn(dir).read(snapshot)) rows.push(...slice.rows);
        return 'whole';
      };
      const outcome = await read().catch(({ code }) => code);
      if (outcome === 'whole') expect(rows.length).toBe(10);
      expect(acks.length > 0 ? ['whole'] : ['whole', 'damaged']).toContain(outcome);
    });
    expect(steps).toBeGreaterThan(5);
  });

  it('a restore happens together with its own change, or not at all', async () => {
    const from = await folderWith({ counters: 5, hasSnapshot: true });
    const steps = await killEach('restore', from, async (dir, acks) => {
      const counters = await readStore(dir, (store) => store.ids('counters'));
      const restored = ['n1', 'n2', 'n3', 'n4', 'restored'];
      expect(acks.length > 0 ? [restored] : [restored, ['n1', 'n2', 'n3', 'n4', 'n5']]).toContainEqual(counters);
    });
    expect(steps).toBeGreaterThan(8);
  });

  it('an import is complete, or no sandbox starts on its remains except an empty one', async () => {
    const from = await folderWith({ counters: 3, hasSnapshot: true });
    const storage = storageIn(from);
    const other = await storage.open(workspace);
    await other.transact((tx) => tx.put('meta', 'workspace', { id: workspace[1] } as Meta));
    await other.close();
    const file = join(await temporaryFolder(), 'all.backup');
    await exportAll(storage, new BackupFile(diskFiles, file, new Sealer(key)));

    const check = async (dir: string, acks: string[]) => {
      const target = storageIn(dir);
      const demo = await openDemo(target, realTimer, expect.fail).catch(({ code }) => code);
      if (typeof demo === 'string') {
        expect([demo, acks]).toEqual(['damaged', []]);
        return;
      }
      const total = countIn(demo.store);
      await demo.store.close();
      if (total === 0) {
        expect([await target.list(['workspaces']), acks]).toEqual([[], []]);
        return;
      }
      const meta = await target.open(workspace);
      expect([total, meta.get('meta', 'workspace')]).toEqual([3, { id: workspace[1] }]);
      await meta.close();
    };
    const steps = await killEach('import', await temporaryFolder(), check, file);
    expect(steps).toBeGreaterThan(15);
  });
});
