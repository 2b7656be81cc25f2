/**
 * A process that is killed at one step of its work on a data folder, for kills.nightly.test.ts. Usage: `node killed-deed.ts <deed> <folder>
 * <step> <backup> [key]`. The process prints a line for each acknowledged change.
 */
import { writeSync } from 'node:fs';
import { diskFiles } from '../../sandbox/store/files.ts';
import { Sealer } from '../../sandbox/store/seal.ts';
import { importAll } from '../../sandbox/workspaces/backup.ts';
import { BackupFile } from '../../sandbox/workspaces/backup-file.ts';
import { diskStorage } from '../../sandbox/workspaces/storage.ts';
import { withFaults } from '../harness/faulty-files.ts';

const [, , deed, dir = '', step, backup = '', hex] = process.argv;
const key = hex === undefined ? undefined : Buffer.from(hex, 'hex');

/** The calls that change the disk. */
const steps = ['makeDir', 'create', 'write', 'truncate', 'sync', 'rename', 'remove', 'syncDir'];
let stepCount = 0;
const files = withFaults(diskFiles, ({ name }) => {
  if (!steps.includes(name)) return;
  stepCount += 1;
  if (stepCount === Number(step)) process.kill(process.pid, 'SIGKILL');
});
const storage = diskStorage(dir, { key, files, checkpointAfterBytes: 300, warn: console.error });

async function count(upTo: number): Promise<void> {
  const store = await storage.open([]);
  for (let n = store.count('counters') + 1; n <= upTo; n += 1) {
    await store.transact((tx) => {
      tx.put('counters', `n${n}`, n);
      tx.put('tallies', `n${n}`, n);
    });
    writeSync(1, `${n}\n`);
  }
  await store.close();
}

async function takeSnapshot(): Promise<void> {
  const store = await storage.open([]);
  await store.view((content) => storage.write(['snapshots', 'SNP-000001'], content));
  writeSync(1, 'snapshot\n');
  await store.close();
}

async function restore(): Promise<void> {
  const store = await storage.open([]);
  await store.replace({
    content: storage.read(['snapshots', 'SNP-000001']),
    change: (tx) => tx.put('counters', 'restored', 1),
  });
  writeSync(1, 'restored\n');
  await store.close();
}

const deeds: Record<string, () => Promise<unknown>> = {
  count: () => count(12),
  snapshot: takeSnapshot,
  restore,
  import: async () => {
    await importAll(storage, new BackupFile(diskFiles, backup, new Sealer(key)));
    writeSync(1, 'imported\n');
  },
};
await deeds[deed ?? '']?.();
