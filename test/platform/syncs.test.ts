/** What an order waits for on a disk, and what a power cut leaves of it (OP-143). */
import { cp, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { diskFiles } from '../../sandbox/store/files.ts';
import { syncedMark } from '../../sandbox/store/wal.ts';
import { withFaults } from '../harness/faulty-files.ts';
import { temporaryFolder } from '../harness/folders.ts';
import { ok, type TestSandbox, testSandbox } from '../harness/sandbox.ts';

const uid = 'CUST0001';
const line = { sku: 'EGV-SPICE-100', quantity: 1 };

/** Places orders of so many lines. */
async function placing({ rewards, companyToken }: TestSandbox) {
  const platform = rewards(await companyToken());
  return async (lines: number): Promise<void> => {
    const body = { uid, line_items: Array.from({ length: lines }, () => line) };
    ok(await platform.POST('/v1/partner/redeemptiononskus', { body }));
  };
}

it('OP-143: an order of one line takes six syncs at most, and three more for each further line: what both sides store and log of its deduction', async () => {
  let syncs = 0;
  const files = withFaults(diskFiles, ({ name }) => {
    if (name === 'sync') syncs += 1;
  });
  const sandbox = await testSandbox({ dataDir: await temporaryFolder(), files });
  const place = await placing(sandbox);
  await place(1);
  for (const lines of [1, 3]) {
    const before = syncs;
    await place(lines);
    expect(syncs - before).toBeLessThanOrEqual(3 + 3 * lines);
  }
});

it('OP-143: whatever beginning of the log a power cut leaves of an order, each deduction has its order or is given back', async () => {
  const dataDir = await temporaryFolder();
  const sandbox = await testSandbox({ dataDir });
  const place = await placing(sandbox);
  await place(1);
  const log = join(dataDir, 'wal.log');
  const { length: before } = await readFile(log);
  await place(2);
  const written = await readFile(log);
  const ends = [...written.keys()]
    .filter((index) => index >= before && written[index] === 10)
    .map((index) => index + 1);
  // The order, each of its two deductions and the order as it stands.
  expect(ends.length).toBeGreaterThanOrEqual(4);
  const left = await Promise.all(ends.map((end) => whatIsLeft(dataDir, log, end)));
  for (const { deducted, reversed, placed } of left) expect(deducted - reversed).toBe(placed);
  expect(left.map(({ deducted }) => deducted)).toEqual(expect.arrayContaining([1, 2, 3]));
});

/** The lines that are deducted, given back, and part of an order, once a sandbox has gone on with this much of a log. */
async function whatIsLeft(dataDir: string, log: string, length: number) {
  const copy = await temporaryFolder();
  await cp(dataDir, copy, { recursive: true, filter: (path) => !/\/lock/.test(path.slice(dataDir.length)) });
  const bytes = (await readFile(log)).subarray(0, length);
  // What the log says of its last sync is not on the disk before the next one.
  syncedMark(0).copy(bytes, bytes.indexOf('\n') + 1);
  await writeFile(log.replace(dataDir, copy), bytes);
  const { control } = await testSandbox({ dataDir: copy });
  ok(await control.POST('/settle'));
  const { items } = ok(await control.GET('/ledger/{uid}', { params: { path: { uid } } }));
  const orders = ok(await control.GET('/orders', { params: { query: { uid } } })).items;
  const [deducted, reversed] = ['deduct', 'reverse'].map((kind) => items.filter((entry) => entry.kind === kind).length);
  const placed = orders.reduce((sum, { order }) => sum + order.lines.length, 0);
  return { deducted: deducted ?? 0, reversed: reversed ?? 0, placed };
}
