/** What a sandbox says once its disk gave up, and of a snapshot that is damaged. */
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { flat } from '../contract/envelopes.ts';
import { ok, testSandbox } from '../sandbox.ts';
import { makeFolder } from '../store/books.ts';
import { onDisk } from './failing-disk.ts';

it('OP-94: after a failed sync the health says that nothing more is stored, and what to do', async () => {
  const [sandbox, disk] = await onDisk();
  disk.refuses = ({ name }) => (name === 'sync' ? 'EIO' : undefined);
  expect((await sandbox.control.POST('/clock/advance', { body: { seconds: 1 } })).response.status).toBe(503);
  disk.refuses = () => undefined;
  const { response, error } = await sandbox.control.GET('/health');
  expect([response.status, error]).toEqual([
    503,
    {
      name: 'Service Unavailable',
      message: 'The disk failed and nothing more is stored: look at the disk, then restart the sandbox',
      code: 69,
      status: 503,
      type: 'ServiceUnavailableHttpException',
    },
  ]);
});

it('OP-94: a disk that is full is no reason to restart: the health stays as it was', async () => {
  const [sandbox, disk] = await onDisk();
  disk.refuses = ({ name }) => (name === 'write' ? 'ENOSPC' : undefined);
  expect((await sandbox.control.POST('/clock/advance', { body: { seconds: 1 } })).response.status).toBe(503);
  expect(ok(await sandbox.control.GET('/health')).status).toBe('ok');
  disk.refuses = () => undefined;
});

it('OP-64: a snapshot that is damaged is named, with what to do; the workspace stays as it is', async () => {
  const dataDir = await makeFolder();
  const warnings: string[] = [];
  const sandbox = await testSandbox({ dataDir, warn: (message) => warnings.push(message) });
  const { control } = sandbox;
  const { id } = ok(await control.POST('/snapshots', { body: {} }));
  ok(await control.POST('/clock/advance', { body: { seconds: 60 } }));
  const file = join(dataDir, 'snapshots', id, 'db.json');
  const bytes = await readFile(file);
  bytes.writeUInt8(bytes.readUInt8(1000) ^ 1, 1000);
  await writeFile(file, bytes);
  const params = { path: { id } };
  const damaged = flat(409, 70, `Snapshot ${id} is damaged: delete it, or put its folder back from a backup`).body;
  for (const path of ['/snapshots/{id}/restore', '/snapshots/{id}/fork'] as const) {
    const { response, error } = await control.POST(path, { params });
    expect([response.status, error]).toEqual([409, damaged]);
  }
  expect(warnings).toEqual(Array(2).fill(expect.stringContaining(`${file} is damaged (byte`)));
  expect(ok(await control.GET('/clock')).now).toBe('2026-01-12T04:31:00.000Z');
  expect((await control.DELETE('/snapshots/{id}', { params })).response.status).toBe(204);
});
