/** Tests files that a crash, a person or a broken disk changed. Some must open again, and others must be refused without changes. */
import { readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { temporaryFolder } from '../harness/folders.ts';
import { bytesOf, open, pay } from './stores.ts';

type Contents = Readonly<Record<string, Uint8Array>>;
type Order = string | readonly [id: string, note: string];

/** Returns a store's log as a power cut leaves it, without a checkpoint and without the last mark. */
async function abandonedLog(ids: readonly Order[], key?: Uint8Array): Promise<Buffer> {
  const { 'wal.log': log, earlierMark } = await killedFolder(ids, key);
  earlierMark.copy(log, log.indexOf('\n') + 1);
  return log;
}

/** Returns the second line of a log. */
function markOf(log: Buffer): Buffer {
  const start = log.indexOf('\n') + 1;
  return log.subarray(start, log.indexOf('\n', start) + 1);
}

/** Returns the log of a killed process, whose mark counts every entry as synced. `earlierMark` excludes the last entry. */
async function killedFolder(
  ids: readonly Order[],
  key?: Uint8Array,
): Promise<{ readonly 'wal.log': Buffer; readonly earlierMark: Buffer }> {
  const dir = await temporaryFolder();
  const { store } = await open({ dir, key });
  let earlierMark: Buffer = Buffer.alloc(0);
  for (const order of ids) {
    earlierMark = markOf(await readFile(join(dir, 'wal.log')));
    const [id, note] = typeof order === 'string' ? [order, 'a\nnote — with "text"'] : order;
    await pay(store, id, note);
  }
  return { 'wal.log': await readFile(join(dir, 'wal.log')), earlierMark };
}

/** Returns the data files of a store that was closed after some orders and killed after others. */
async function checkpointedFolder(
  key?: Uint8Array,
): Promise<{ readonly 'db.json': Buffer; readonly 'wal.log': Buffer }> {
  const dir = await temporaryFolder();
  const { store } = await open({ dir, key });
  for (const id of ['o1', 'o2']) await pay(store, id);
  await store.close();
  const { store: again } = await open({ dir, key });
  for (const id of ['o3', 'o4']) await pay(again, id);
  return { 'db.json': await readFile(join(dir, 'db.json')), 'wal.log': await readFile(join(dir, 'wal.log')) };
}

async function folderWith(contents: Contents): Promise<string> {
  const dir = await temporaryFolder();
  for (const [name, bytes] of Object.entries(contents)) await writeFile(join(dir, name), bytes);
  return dir;
}

/** Opens a folder with these files. If the store refuses, returns the error code and checks that no byte changed. */
async function reopened(contents: Contents, key?: Uint8Array): Promise<{ orders: number; warnings: number } | string> {
  const dir = await folderWith(contents);
  const before = await bytesOf(dir);
  try {
    const { store, warnings } = await open({ dir, key });
    const orders = store.count('orders');
    expect(store.get('counters', 'paid')?.value ?? 0).toBe(orders);
    await store.close();
    return { orders, warnings: warnings.length };
  } catch (error) {
    expect(await bytesOf(dir)).toEqual(before);
    return (error as { code: string }).code;
  } finally {
    await rm(dir, { recursive: true });
  }
}

const flippedAt = (bytes: Buffer, at: number): Buffer => {
  const flipped = Buffer.from(bytes);
  flipped.writeUInt8(flipped.readUInt8(at) ^ (1 << (at % 7)), at);
  return flipped;
};
const lastEntryOf = (log: Buffer): number => log.lastIndexOf('\n', log.length - 2) + 1;

describe.each([
  ['without a key', undefined],
  ['with a key', Buffer.alloc(32, 1)],
])('%s', (_how, key) => {
  test('a log cut at any byte of an entry that was never marked as synced opens with all earlier entries', async () => {
    const log = await abandonedLog(['o1', 'o2', 'o3'], key);
    const lastEntry = lastEntryOf(log);
    for (let cut = lastEntry; cut <= log.length; cut++) {
      const isTorn = cut > lastEntry && cut < log.length;
      const expected = { orders: cut === log.length ? 3 : 2, warnings: isTorn ? 1 : 0 };
      expect([cut, await reopened({ 'wal.log': log.subarray(0, cut) }, key)]).toEqual([cut, expected]);
    }
  });

  test('a log cut before an entry that its mark counts as synced is `damaged`, and no byte changes', async () => {
    const { 'wal.log': log } = await killedFolder(['o1', 'o2', 'o3'], key);
    for (let cut = 1; cut < log.length; cut++) {
      expect([cut, await reopened({ 'wal.log': log.subarray(0, cut) }, key)]).toEqual([cut, 'damaged']);
    }
  });

  test('a last entry with a gap, as a power cut during an append leaves it, is truncated with a warning', async () => {
    const log = await abandonedLog(['o1', 'o2'], key);
    log.fill(0, log.length - 40, log.length - 20);
    expect(await reopened({ 'wal.log': log }, key)).toEqual({ orders: 1, warnings: 1 });
  });

  test('a flipped bit anywhere in the log is `damaged`, and no byte changes', async () => {
    const log = await abandonedLog(['o1', 'o2', 'o3'], key);
    for (let at = 0; at < log.length; at++) {
      expect([at, await reopened({ 'wal.log': flippedAt(log, at) }, key)]).toEqual([at, 'damaged']);
    }
  });

  test('a document with a flipped bit, or cut short anywhere, is refused, and no byte changes', async () => {
    const folder = await checkpointedFolder(key);
    expect(await reopened(folder, key)).toEqual({ orders: 4, warnings: 0 });
    const document = folder['db.json'];
    for (let at = 0; at < document.length; at++) {
      // A changed first byte can make plain data look encrypted, or encrypted data look plain.
      const codes = expect.stringMatching(at === 0 ? /^(damaged|wrong_key)$/ : /^damaged$/);
      expect([at, await reopened({ ...folder, 'db.json': flippedAt(document, at) }, key)]).toEqual([at, codes]);
      const cut = document.subarray(0, at);
      expect([at, await reopened({ ...folder, 'db.json': cut }, key)]).toEqual([at, codes]);
    }
  });

  test('a missing, repeated or moved entry is `damaged`, and no byte changes', async () => {
    const log = await abandonedLog(['o1', 'o2', 'o3'], key);
    const [header, mark, one, two, three] = log.toString().split(/(?<=\n)/);
    for (const lines of [
      [header, mark, two, three],
      [header, mark, one, one, two],
      [header, mark, two, one, three],
      [header, one, two],
      [mark, one, two],
    ]) {
      expect(await reopened({ 'wal.log': Buffer.from(lines.join('')) }, key)).toBe('damaged');
    }
  });

  test('a missing or outdated file is `damaged`', async () => {
    const folder = await checkpointedFolder(key);
    const { 'wal.log': first } = await killedFolder(['o1'], key);
    expect([
      await reopened({ 'db.json': folder['db.json'] }, key),
      await reopened({ 'wal.log': folder['wal.log'] }, key),
      await reopened({ ...(await emptyDocument(key)), 'wal.log': folder['wal.log'] }, key),
      await reopened({ ...folder, 'wal.log': first }, key),
    ]).toEqual(['damaged', 'damaged', 'damaged', 'damaged']);
  });
});

/** Returns the document of a store that was closed after one transaction. */
async function emptyDocument(key?: Uint8Array): Promise<{ readonly 'db.json': Buffer }> {
  const dir = await temporaryFolder();
  const { store } = await open({ dir, key });
  await pay(store, 'o1');
  await store.close();
  return { 'db.json': await readFile(join(dir, 'db.json')) };
}

test('an append of several sectors of which a power cut stored only some is truncated with a warning', async () => {
  const log = await abandonedLog(['o1', ['o2', 'x'.repeat(1500)]]);
  const sectors: number[] = [];
  for (let at = lastEntryOf(log); at < log.length; at = (Math.floor(at / 512) + 1) * 512) sectors.push(at);
  for (let lost = 1; lost < 2 ** sectors.length; lost++) {
    const left = Buffer.from(log);
    for (const [index, at] of sectors.entries()) if (lost & (1 << index)) left.fill(0, at, sectors[index + 1]);
    expect([lost, await reopened({ 'wal.log': left })]).toEqual([lost, { orders: 1, warnings: 1 }]);
  }
});

test('truncated bytes are saved next to the log, at most a megabyte, and the next start gives no warning', async () => {
  const log = await abandonedLog(['o1', ['o2', 'x'.repeat(1_500_000)]]);
  const from = lastEntryOf(log);
  for (const length of [1_200_000, 5]) {
    const dir = await folderWith({ 'wal.log': log.subarray(0, from + length) });
    const { store, warnings } = await open({ dir });
    const torn = join(dir, 'wal.torn');
    expect(warnings).toEqual([
      `${join(dir, 'wal.log')} ended in a torn write. It was truncated after byte ${from}; the rest is saved in ${torn}`,
    ]);
    const saved = await readFile(torn);
    expect(saved.equals(log.subarray(from, from + Math.min(length, 1024 * 1024)))).toBe(true);
    await pay(store, 'o2');
    await store.close();
    const { store: again, warnings: none } = await open({ dir });
    expect([again.ids('orders'), none]).toEqual([['o1', 'o2'], []]);
  }
});
