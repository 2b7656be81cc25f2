/** Exports all data to one file and imports it, between folders and databases (OP-216). */
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { diskFiles } from '../../sandbox/store/files.ts';
import { Sealer } from '../../sandbox/store/seal.ts';
import { BackupFile } from '../../sandbox/workspaces/backup-file.ts';
import { inProcess, ready } from '../harness/command.ts';
import { withFaults } from '../harness/faulty-files.ts';
import { temporaryFolder } from '../harness/folders.ts';
import { advance, redeem } from '../harness/orders.ts';
import { postgres } from '../harness/postgres.ts';
import { clientsOf, ok, type TestSandbox, testSandbox } from '../harness/sandbox.ts';
import { eventsOf, ledgerOf, stateOf } from '../harness/state.ts';
import { orderIn } from '../harness/workspaces.ts';

const database = postgres();
const key = Buffer.alloc(32, 9);
const env = { REWARDS_SANDBOX_KEY: key.toString('hex') };
/** Data locations, each as command flags and as sandbox options. */
const folder = async () => {
  const dataDir = join(await temporaryFolder(), 'data');
  return { flags: ['--data', dataDir], options: { dataDir, key } };
};
const postgresStore = async () => {
  const store = await database();
  return { flags: ['--store', store], options: { store, key } };
};

/** Returns the whole state of a sandbox, except its address. */
async function comparableStateOf(sandbox: TestSandbox): Promise<unknown> {
  return JSON.parse(JSON.stringify(await stateOf(sandbox)).replaceAll(new URL(sandbox.origin).host, 'here'));
}

/** Runs a sandbox with some activity, stops it, and returns its state. */
async function runAndStop(options: Parameters<typeof testSandbox>[0]) {
  const sandbox = await testSandbox(options);
  await redeem(sandbox);
  const workspace = ok(await sandbox.control.POST('/workspaces', { body: { clock: 'frozen' } }));
  await orderIn(clientsOf(workspace, workspace.admin_token));
  ok(await sandbox.control.POST('/snapshots', { body: { name: 'kept' } }));
  const ledger = await ledgerOf(sandbox, 'CUST0001');
  const state = await comparableStateOf(sandbox);
  await sandbox.close();
  return { state, ledger, workspace };
}

it.each([
  ['a folder', 'another folder', folder, folder],
  ['a folder', 'PostgreSQL', folder, postgresStore],
  ['PostgreSQL', 'a folder', postgresStore, folder],
])('OP-216: data exported from %s and imported into %s continues unchanged', async (_from, _to, from, to) => {
  const [source, target] = [await from(), await to()];
  const { state, ledger, workspace } = await runAndStop(source.options);
  const file = join(await temporaryFolder(), 'all.backup');
  const exported = await inProcess(['export', file, ...source.flags], env).ended;
  expect(exported).toMatchObject({
    code: 0,
    stdout: '',
    stderr: expect.stringMatching(/: 2 workspaces, 1 snapshot, \d+ records, \d+ bytes\. Store the key separately/),
  });
  const imported = await inProcess(['import', file, ...target.flags], env).ended;
  expect(imported).toMatchObject({
    code: 0,
    stdout: '',
    stderr: expect.stringMatching(/^2 workspaces, 1 snapshot, \d+ records from .*all\.backup\. Start/),
  });
  const sandbox = await testSandbox(target.options);
  expect(await comparableStateOf(sandbox)).toEqual(state);
  // The other workspace is available with its own token. Its due work runs, as does that of the demo workspace.
  const { urls } = sandbox.workspace;
  const other = clientsOf({ ...workspace, urls }, workspace.admin_token);
  const { items } = ok(await other.control.POST('/clock/advance', { body: { seconds: 60 } }));
  expect(items.map(({ kind }) => kind)).toEqual(['fulfilLine', 'reportStatus', 'sendVouchers']);
  expect(await advance(sandbox, 3600)).toBeGreaterThan(0);
  expect(await eventsOf(sandbox)).toMatchObject({ 'redemption.delivered': 1 });
  const [snapshot] = ok(await sandbox.control.GET('/snapshots')).items;
  ok(await sandbox.control.POST('/snapshots/{id}/restore', { params: { path: { id: snapshot?.id ?? '' } } }));
  expect(await ledgerOf(sandbox, 'CUST0001')).toEqual(ledger);
});

it('OP-216: a line longer than 16 MiB is refused, and the rest of it is not read', async () => {
  const path = join(await temporaryFolder(), 'long.backup');
  const sealer = new Sealer(key);
  await new BackupFile(diskFiles, path, sealer).write(async () => {});
  const [header = ''] = (await readFile(path, 'utf8')).split('\n');
  await writeFile(path, `${header}\n${'a'.repeat(24 * 1024 * 1024)}`);
  let reads = 0;
  const counting = withFaults(diskFiles, ({ name }) => {
    if (name === 'read') reads += 1;
  });
  const reading = new BackupFile(counting, path, sealer).read(async () => {});
  await expect(reading).rejects.toMatchObject({ code: 'damaged' });
  expect(reads * 64 * 1024).toBeLessThan(17 * 1024 * 1024);
});

it('OP-216: a file that was changed or cut anywhere is refused before anything is written', async () => {
  const source = await folder();
  await runAndStop(source.options);
  const dir = await temporaryFolder();
  const file = join(dir, 'all.backup');
  expect((await inProcess(['export', file, ...source.flags], env).ended).code).toBe(0);
  const bytes = await readFile(file);
  const broken = join(dir, 'broken.backup');
  const flipped = Buffer.from(bytes);
  flipped.writeUInt8((bytes[bytes.length >> 1] ?? 0) ^ 1, bytes.length >> 1);
  const lines = bytes.toString('latin1').split('\n');
  // Swap the last two records of the last part. The end marker and everything after it remain in place.
  const [last = '', before = ''] = [lines.at(-3), lines.at(-4)];
  const swapped = Buffer.from([...lines.slice(0, -4), last, before, ...lines.slice(-2)].join('\n'), 'latin1');
  for (const [what, content] of Object.entries({
    flipped,
    swapped,
    'without its end': bytes.subarray(0, bytes.lastIndexOf('\n', bytes.length - 2) + 1),
    'cut in the middle': bytes.subarray(0, bytes.length >> 1),
    empty: Buffer.alloc(0),
  })) {
    await writeFile(broken, content);
    const target = await folder();
    const { code, stderr } = await inProcess(['import', broken, ...target.flags], env).ended;
    expect([code, stderr], what).toEqual([6, expect.stringContaining('is damaged')]);
    expect(await readdir(target.options.dataDir).catch(() => [])).toEqual([]);
  }
});

it('OP-216: another key decrypts nothing, and the error names both keys by their ids', async () => {
  const source = await folder();
  await runAndStop(source.options);
  const file = join(await temporaryFolder(), 'all.backup');
  expect((await inProcess(['export', file, ...source.flags], env).ended).code).toBe(0);
  const other = { REWARDS_SANDBOX_KEY: '07'.repeat(32) };
  expect(await inProcess(['import', file, ...(await folder()).flags], other).ended).toMatchObject({
    code: 6,
    stderr: expect.stringMatching(/was encrypted with key [0-9a-f]{8}, but the given key is [0-9a-f]{8}/),
  });
});

it('OP-216: a running sandbox, a target with data and an existing file are refused', async () => {
  const source = await folder();
  const sandbox = await ready(source.flags, env);
  const file = join(await temporaryFolder(), 'all.backup');
  expect((await inProcess(['export', file, ...source.flags], env).ended).code).toBe(5);
  sandbox.child.kill('SIGTERM');
  await sandbox.ended;
  expect((await inProcess(['export', file, ...source.flags], env).ended).code).toBe(0);
  expect(await inProcess(['export', file, ...source.flags], env).ended).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('already exists'),
  });
  expect(await inProcess(['import', file, ...source.flags], env).ended).toMatchObject({
    code: 2,
    stderr: 'The target already contains sandbox data: choose an empty folder or database\n',
  });
  expect(await inProcess(['import', `${file}.missing`, ...(await folder()).flags], env).ended).toMatchObject({
    code: 3,
  });
  expect(await inProcess(['export', `${file}2`, ...(await folder()).flags], env).ended).toMatchObject({ code: 4 });
});
