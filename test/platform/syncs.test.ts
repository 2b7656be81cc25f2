/** Tests the disk syncs that an order waits for, and its state after a power cut (OP-143). */
import { cp, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { diskFiles } from '../../sandbox/store/files.ts';
import { plainSeal } from '../../sandbox/store/seal.ts';
import { syncedMark } from '../../sandbox/store/wal.ts';
import { withFaults } from '../harness/faulty-files.ts';
import { temporaryFolder } from '../harness/folders.ts';
import { ok, type TestSandbox, testSandbox } from '../harness/sandbox.ts';

const uid = 'CUST0001';
const line = { sku: 'EGV-SPICE-100', quantity: 1 };

/** Returns a function that places an order with a number of lines. */
async function placing({ rewards, companyToken }: TestSandbox) {
  const platform = rewards(await companyToken());
  return async (lines: number): Promise<void> => {
    const body = { uid, line_items: Array.from({ length: lines }, () => line) };
    ok(await platform.POST('/v1/partner/redeemptiononskus', { body }));
  };
}

it('OP-143: an order takes at most six syncs, and three more for each further line, for the records and logs of both sides', async () => {
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

it('OP-143: after a power cut at any point of an order, each deduction has its order or is refunded', async () => {
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
  // The order, its two deductions and the placed order each require a sync.
  expect(ends.length).toBeGreaterThanOrEqual(4);
  const outcomes = await Promise.all(ends.map((end) => recoverFrom(dataDir, log, end)));
  for (const { deducted, reversed, placed } of outcomes) expect(deducted - reversed).toBe(placed);
  expect(outcomes.map(({ deducted }) => deducted)).toEqual(expect.arrayContaining([1, 2, 3]));
});

/** Recovers a sandbox from the beginning of a log. Returns the numbers of deducted, refunded and ordered lines. */
async function recoverFrom(dataDir: string, log: string, length: number) {
  const copy = await temporaryFolder();
  await cp(dataDir, copy, { recursive: true, filter: (path) => !/\/lock/.test(path.slice(dataDir.length)) });
  const bytes = (await readFile(log)).subarray(0, length);
  // A sync mark reaches the disk only with the next sync.
  syncedMark(plainSeal, 0).copy(bytes, bytes.indexOf('\n') + 1);
  await writeFile(log.replace(dataDir, copy), bytes);
  const { control } = await testSandbox({ dataDir: copy });
  ok(await control.POST('/settle'));
  const { items } = ok(await control.GET('/ledger/{uid}', { params: { path: { uid } } }));
  const orders = ok(await control.GET('/orders', { params: { query: { uid } } })).items;
  const [deducted, reversed] = ['deduct', 'reverse'].map((kind) => items.filter((entry) => entry.kind === kind).length);
  const placed = orders.reduce((sum, { order }) => sum + order.lines.length, 0);
  return { deducted: deducted ?? 0, reversed: reversed ?? 0, placed };
}
