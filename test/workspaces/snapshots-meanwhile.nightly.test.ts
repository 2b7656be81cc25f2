/** Calls are served while a snapshot is written or read, and a failed copy leaves nothing behind (OP-64). */
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { diskFiles, type Files, type OpenFile } from '../../sandbox/store/files.ts';
import { unavailable } from '../harness/envelopes.ts';
import { systemError, withFaults } from '../harness/faulty-files.ts';
import { temporaryFolder } from '../harness/folders.ts';
import { type Clients, ok, testSandbox } from '../harness/sandbox.ts';
import { orderIn } from '../harness/workspaces.ts';

/** Starts a sandbox on a disk that delays or fails calls when the test requests it. */
async function onSlowDisk() {
  const dataDir = await temporaryFolder();
  const disk: { before: (name: string, path: string) => unknown } = { before: () => undefined };
  const open = new Set<string>();
  const files = counting(
    withFaults(diskFiles, ({ name, path }) => disk.before(name, path)),
    open,
  );
  const sandbox = await testSandbox({ dataDir, files, warn: () => {} });
  /** Blocks writes to a file until `go` is called. `reached` resolves at the first write. */
  const block = (file: string) => {
    const { promise: reached, resolve: reach } = Promise.withResolvers<void>();
    const { promise: allowed, resolve: go } = Promise.withResolvers<void>();
    disk.before = (name, path) => {
      if (name !== 'write' || !path.endsWith(file)) return undefined;
      reach();
      return allowed;
    };
    return { reached, go };
  };
  return { sandbox, dataDir, disk, open, block };
}

/** Wraps `files` to track the open ones. */
function counting(files: Files, open: Set<string>): Files {
  const track = (path: string, file: OpenFile): OpenFile => {
    open.add(path);
    return { ...file, close: () => file.close().finally(() => open.delete(path)) };
  };
  return {
    ...files,
    create: async (path) => track(path, await files.create(path)),
    openToRead: async (path) => {
      const file = await files.openToRead(path);
      return file && track(path, file);
    },
  };
}

/** Returns the orders and the time. */
async function stateOf({ control }: Clients) {
  const [{ items }, { now }] = await Promise.all([control.GET('/orders').then(ok), control.GET('/clock').then(ok)]);
  return { orders: items.map(({ order }) => order.order_id), now };
}

const take = ({ control }: Clients) => control.POST('/snapshots', { body: {} });
const params = { path: { id: 'SNP-000001' } };
const restore = ({ control }: Clients) => control.POST('/snapshots/{id}/restore', { params });

it('OP-64: orders, reads and due work run while a snapshot is written, and it has none of their changes', async () => {
  const { sandbox, block } = await onSlowDisk();
  await orderIn(sandbox);
  const before = await stateOf(sandbox);
  const { reached, go } = block('snapshots/SNP-000001/db.json.tmp');
  const pending = take(sandbox);
  await reached;
  await orderIn(sandbox);
  ok(await sandbox.control.POST('/clock/advance', { body: { seconds: 3600 } }));
  const during = await stateOf(sandbox);
  expect([before.orders.length, during.orders.length]).toEqual([1, 2]);
  go();
  const snapshot = ok(await pending);
  expect(snapshot.at).toBe(before.now);
  expect(await stateOf(sandbox)).toEqual(during);
  ok(await restore(sandbox));
  expect(await stateOf(sandbox)).toEqual(before);
});

it('OP-64: two concurrent snapshots are separate, each of its own instant', async () => {
  const { sandbox, block } = await onSlowDisk();
  const { reached, go } = block('snapshots/SNP-000001/db.json.tmp');
  const first = take(sandbox);
  await reached;
  const second = take(sandbox);
  ok(await sandbox.control.POST('/clock/advance', { body: { seconds: 60 } }));
  go();
  const snapshots = [ok(await first), ok(await second)].map(({ id, at }) => [id, at]);
  expect(snapshots).toEqual([
    ['SNP-000001', '2026-01-12T04:30:00.000Z'],
    ['SNP-000002', '2026-01-12T04:31:00.000Z'],
  ]);
});

it('OP-64: a restore takes effect at one instant: orders placed while it is prepared are answered, and gone afterwards', async () => {
  const { sandbox, dataDir, block } = await onSlowDisk();
  await orderIn(sandbox);
  ok(await take(sandbox));
  const before = await stateOf(sandbox);
  const { reached, go } = block(join(dataDir, 'db.json.tmp'));
  const restoring = restore(sandbox);
  await reached;
  const { order_id } = await orderIn(sandbox);
  expect((await stateOf(sandbox)).orders).toContain(order_id);
  go();
  ok(await restoring);
  expect(await stateOf(sandbox)).toEqual(before);
  const again = await orderIn(sandbox);
  expect(again.order_id).toBe(order_id);
  await sandbox.close();
  const next = await testSandbox({ dataDir });
  expect((await stateOf(next)).orders).toEqual([...before.orders, order_id]);
});

it('OP-64: a snapshot that the disk refuses leaves no folder, open file or entry; the next one is complete', async () => {
  const { sandbox, dataDir, disk, open } = await onSlowDisk();
  await orderIn(sandbox);
  const before = [...open].toSorted();
  for (const step of ['create', 'write', 'sync', 'rename', 'syncDir']) {
    disk.before = (name, path) => {
      if (name === step && path.includes('SNP-000001')) throw systemError('ENOSPC');
    };
    const { response, error } = await take(sandbox);
    expect([step, response.status, error]).toEqual([step, 503, unavailable.body]);
    expect([step, await readdir(join(dataDir, 'snapshots')), [...open].toSorted()]).toEqual([step, [], before]);
  }
  disk.before = () => undefined;
  expect(ok(await sandbox.control.GET('/snapshots')).items).toEqual([]);
  expect(ok(await take(sandbox)).id).toBe('SNP-000001');
  expect(await readdir(join(dataDir, 'snapshots', 'SNP-000001'))).toEqual(['db.json']);
  ok(await restore(sandbox));
  expect([...open].filter((path) => path.includes('SNP-'))).toEqual([]);
});

it('OP-64: when the disk refuses the record of a written snapshot, the copy is deleted too', async () => {
  const { sandbox, dataDir, disk } = await onSlowDisk();
  disk.before = (name, path) => {
    if (name === 'write' && /wal\.log/.test(path)) throw systemError('ENOSPC');
  };
  expect((await take(sandbox)).response.status).toBe(503);
  disk.before = () => undefined;
  expect(await readdir(join(dataDir, 'snapshots'))).toEqual([]);
});
