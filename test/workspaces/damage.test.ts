/** Tests the sandbox's reports after a failed disk write and for a damaged snapshot. */
import { readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { flat, refusal, wrapped } from '../harness/envelopes.ts';
import { temporaryFolder } from '../harness/folders.ts';
import { order, voucher } from '../harness/orders.ts';
import { ok, testSandbox } from '../harness/sandbox.ts';
import { onDisk } from './failing-disk.ts';

const gaveUpMessage =
  'A disk write failed, so no more changes are accepted. See the terminal, then restart the sandbox';

it('OP-94: after a failed sync, every call that stores something reports it in its own envelope, and so does the health check', async () => {
  const [sandbox, disk] = await onDisk();
  const { auth, control, general, credentials } = sandbox;
  const body = { username: 'CUST0001', password: credentials.general.password };
  const { access_token: token } = ok(await general().POST('/v1/auth/login', { body }));
  disk.refuses = ({ name }) => (name === 'sync' ? 'EIO' : undefined);
  // The sandbox refuses the call whose sync failed, and every later call, although the disk works again.
  const first = refusal(await control.POST('/clock/advance', { body: { seconds: 1 } }));
  disk.refuses = () => undefined;
  expect(first).toEqual(flat(503, 69, gaveUpMessage));
  const answers = await Promise.all([
    control.GET('/health'),
    control.POST('/customers', { body: { uid: 'CUST7001' } }),
    order(sandbox),
    general(token).POST('/v1/orders', { body: { line_items: [voucher] } }),
    auth.POST('/api/v1/auth/generate-otp', { body: { customer_id: 'CUST0001' } }),
  ]);
  const gaveUpReply = flat(503, 69, gaveUpMessage);
  expect(answers.map(refusal)).toEqual([
    gaveUpReply,
    gaveUpReply,
    gaveUpReply,
    gaveUpReply,
    wrapped(503, gaveUpMessage),
  ]);
  // There is no Retry-After header, because only a restart helps.
  expect(answers.map(({ response }) => response.headers.get('retry-after'))).toEqual(answers.map(() => null));
  // Calls that store nothing still succeed.
  expect(ok(await control.GET('/clock')).now).toBe('2026-01-12T04:30:00.000Z');
});

it('OP-94: a full disk needs no restart: the health check still succeeds', async () => {
  const [sandbox, disk] = await onDisk();
  disk.refuses = ({ name }) => (name === 'write' ? 'ENOSPC' : undefined);
  expect((await sandbox.control.POST('/clock/advance', { body: { seconds: 1 } })).response.status).toBe(503);
  expect(ok(await sandbox.control.GET('/health')).status).toBe('ok');
  disk.refuses = () => undefined;
});

it('OP-94: the health check reports a failed checkpoint until one succeeds, and no call is refused', async () => {
  const [sandbox, disk] = await onDisk({ checkpointAfterBytes: 1 });
  const advance = async () => ok(await sandbox.control.POST('/clock/advance', { body: { seconds: 1 } }));
  const failure = async () => ok(await sandbox.control.GET('/health')).checkpoint_failure;
  disk.refuses = ({ path }) => (path.endsWith('db.json.tmp') ? 'ENOSPC' : undefined);
  await advance();
  await expect.poll(failure).toBe('Error: ENOSPC: injected');
  disk.refuses = () => undefined;
  await advance();
  await expect.poll(failure).toBeUndefined();
  sandbox.warnings.splice(0);
});

/** Changes one byte of a snapshot, counted from the start or, if negative, from the end. */
async function flip(folder: string, position: number): Promise<void> {
  const file = join(folder, 'db.json');
  const bytes = await readFile(file);
  const at = position < 0 ? bytes.length + position : position;
  bytes.writeUInt8(bytes.readUInt8(at) ^ 1, at);
  await writeFile(file, bytes);
}

it.each([
  ['is damaged', (folder: string) => flip(folder, 1000), 'is damaged (its checksum'],
  ['is damaged near its end', (folder: string) => flip(folder, -2), 'is damaged ('],
  ['is missing', (folder: string) => rm(folder, { recursive: true }), 'is damaged (it is missing)'],
])(
  'OP-64: the error for a snapshot that %s names it and the remedy; nothing is changed or left behind',
  async (_, harm, why) => {
    const dataDir = await temporaryFolder();
    const warnings: string[] = [];
    const sandbox = await testSandbox({ dataDir, warn: (message) => warnings.push(message) });
    const { control } = sandbox;
    const { id } = ok(await control.POST('/snapshots', { body: {} }));
    ok(await order(sandbox));
    ok(await control.POST('/clock/advance', { body: { seconds: 60 } }));
    const folder = join(dataDir, 'snapshots', id);
    await harm(folder);
    const namesIn = async () =>
      (await readdir(dataDir, { recursive: true })).filter((name) => name !== 'workspaces').toSorted();
    const state = async () => [ok(await control.GET('/clock')), ok(await control.GET('/orders')), await namesIn()];
    const before = await state();
    const params = { path: { id } };
    const damaged = flat(409, 70, `Snapshot ${id} is damaged: delete it, or restore its folder from a backup`).body;
    for (const path of ['/snapshots/{id}/restore', '/snapshots/{id}/fork'] as const) {
      const { response, error } = await control.POST(path, { params });
      expect([response.status, error]).toEqual([409, damaged]);
    }
    expect(warnings).toEqual(Array(2).fill(expect.stringContaining(`${join(folder, 'db.json')} ${why}`)));
    expect(await state()).toEqual(before);
    expect(ok(await control.GET('/workspaces')).items.map((workspace) => workspace.id)).toEqual(['demo']);
    expect((await control.DELETE('/snapshots/{id}', { params })).response.status).toBe(204);
  },
);
