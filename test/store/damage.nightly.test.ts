import { readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { diskFiles } from '../../sandbox/store/files.ts';
import { syncedMark, syncedMarkBytes } from '../../sandbox/store/synced-mark.ts';
import { systemError, withFaults } from '../harness/faulty-files.ts';
import { temporaryFolder } from '../harness/folders.ts';
import { bytesOf, open, pay } from './books.ts';

/**
 * The journal of a store that was abandoned as a power cut would leave it: opened, written, never folded, and nothing noted
 * of the last sync.
 */
async function abandonedJournal(ids: readonly (string | [id: string, note: string])[]): Promise<Buffer> {
  const dir = await temporaryFolder();
  const { store } = await open({ dir });
  for (const order of ids) {
    const [id, note] = typeof order === 'string' ? [order, 'a\nnote — with "text"'] : order;
    await pay(store, id, note);
  }
  const journal = await readFile(join(dir, 'journal-0.log'));
  syncedMark(ids.length - 1).copy(journal, journal.indexOf('\n') + 1);
  return journal;
}

/** The data files of a store that was closed. */
async function closedFolder(
  ids: readonly string[],
  note = '',
): Promise<{ readonly 'db.json': Buffer; readonly [name: string]: Buffer }> {
  const dir = await temporaryFolder();
  const { store } = await open({ dir });
  for (const id of ids) await pay(store, id, note);
  await store.close();
  const journal = `journal-${ids.length}.log`;
  return { 'db.json': await readFile(join(dir, 'db.json')), [journal]: await readFile(join(dir, journal)) };
}

/** The data files of a store whose fold failed after the new journal was begun: two journals with transactions. */
async function unfoldedFolder(): Promise<Readonly<Record<string, Buffer>>> {
  const dir = await temporaryFolder();
  const fs = withFaults(diskFiles, ({ path }) => {
    if (path.includes('db.json.tmp')) throw systemError('ENOSPC');
  });
  const { store } = await open({ dir, fs, foldAfterBytes: 300 });
  for (const id of ['o1', 'o2', 'o3']) await pay(store, id, 'x'.repeat(80));
  const names = ['journal-0.log', 'journal-2.log'];
  return Object.fromEntries(await Promise.all(names.map(async (name) => [name, await readFile(join(dir, name))])));
}

type Contents = Readonly<Record<string, Uint8Array>>;

async function folderWith(contents: Contents): Promise<string> {
  const dir = await temporaryFolder();
  for (const [name, bytes] of Object.entries(contents)) await writeFile(join(dir, name), bytes);
  return dir;
}

/** Opens a folder with these files; where that is refused, gives the code and looks that no byte has changed. */
async function reopened(contents: Contents): Promise<{ orders: number; warnings: number } | string> {
  const dir = await folderWith(contents);
  const before = await bytesOf(dir);
  try {
    const { store, warnings } = await open({ dir });
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

test('a journal cut at any byte of its last line opens with a warning and every earlier transaction whole', async () => {
  const journal = await abandonedJournal(['o1', 'o2', 'o3']);
  const lastLine = journal.lastIndexOf('\n', journal.length - 2) + 1;
  for (let cut = lastLine; cut <= journal.length; cut++) {
    const torn = cut > lastLine && cut < journal.length;
    const expected = { orders: cut === journal.length ? 3 : 2, warnings: torn ? 1 : 0 };
    expect([cut, await reopened({ 'journal-0.log': journal.subarray(0, cut) })]).toEqual([cut, expected]);
  }
});

test('a last line with a hole in it, as an append torn by a power cut leaves, is cut off with a warning', async () => {
  const journal = await abandonedJournal(['o1', 'o2']);
  journal.fill(0, journal.length - 40, journal.length - 20);
  expect(await reopened({ 'journal-0.log': journal })).toEqual({ orders: 1, warnings: 1 });
});

test('a flipped bit anywhere in the last line, its end included, is `damaged`: it was acknowledged', async () => {
  const journal = await abandonedJournal(['o1', 'o2', 'o3']);
  const lastLine = journal.lastIndexOf('\n', journal.length - 2) + 1;
  for (let at = lastLine; at < journal.length; at++) {
    const flipped = Buffer.from(journal);
    flipped.writeUInt8(flipped.readUInt8(at) ^ (1 << (at % 7)), at);
    expect([at, await reopened({ 'journal-0.log': flipped })]).toEqual([at, 'damaged']);
  }
});

test('an append of several sectors, of which a power cut kept any but not all, is cut off with a warning', async () => {
  const journal = await abandonedJournal(['o1', ['o2', 'x'.repeat(1500)]]);
  const lastLine = journal.lastIndexOf('\n', journal.length - 2) + 1;
  const sectors = [];
  for (let at = lastLine; at < journal.length; at = (Math.floor(at / 512) + 1) * 512) sectors.push(at);
  for (let lost = 1; lost < 2 ** sectors.length; lost++) {
    const left = Buffer.from(journal);
    for (const [index, at] of sectors.entries()) if (lost & (1 << index)) left.fill(0, at, sectors[index + 1]);
    expect([lost, await reopened({ 'journal-0.log': left })]).toEqual([lost, { orders: 1, warnings: 1 }]);
  }
});

test('what was cut off is kept beside the journal, in files that are few and small', async () => {
  const journal = await abandonedJournal(['o1', ['o2', 'x'.repeat(1_500_000)]]);
  const lastLine = journal.lastIndexOf('\n', journal.length - 2) + 1;
  const dir = await folderWith({});
  const torn = [5, 4, 3, 1_200_000, 2, 1, 0];
  for (const [index, bytes] of torn.entries()) {
    await writeFile(join(dir, 'journal-0.log'), journal.subarray(0, lastLine + 10 + bytes));
    const { store, warnings } = await open({ dir });
    expect(warnings).toEqual([expect.stringContaining(`kept in ${join(dir, `journal.torn-${index + 1}`)}`)]);
    await store.close();
    for (const name of ['db.json', 'journal-1.log']) await rm(join(dir, name));
  }
  const kept = await Promise.all([3, 4, 5, 6, 7].map((n) => readFile(join(dir, `journal.torn-${n}`))));
  expect(kept.map(({ length }) => length)).toEqual([13, 1024 * 1024, 12, 11, 10]);
  expect(kept[0]?.equals(journal.subarray(lastLine, lastLine + 13))).toBe(true);
  expect((await readdir(dir)).sort()).toEqual([3, 4, 5, 6, 7].map((n) => `journal.torn-${n}`));
});

test('after a torn write was cut off, the store goes on and reopens without a warning', async () => {
  const journal = await abandonedJournal(['o1', 'o2']);
  const dir = await folderWith({ 'journal-0.log': journal.subarray(0, -7) });
  const { store } = await open({ dir });
  const whole = journal.subarray(0, journal.lastIndexOf('\n', journal.length - 2) + 1);
  expect(await bytesOf(dir)).toEqual({
    'journal-0.log': whole.toString('hex'),
    'journal.torn-1': journal.subarray(whole.length, -7).toString('hex'),
  });
  await pay(store, 'o3');
  await store.close();
  const { store: again, warnings } = await open({ dir });
  expect([again.range('orders', {}).length, again.get('orders', 'o2'), warnings]).toEqual([2, undefined, []]);
});

test('any byte flipped before the last line, but for the mark, is `damaged`, and no byte is touched', async () => {
  const journal = await abandonedJournal(['o1', 'o2', 'o3']);
  const lastLine = journal.lastIndexOf('\n', journal.length - 2) + 1;
  const mark = journal.indexOf('\n') + 1;
  for (let at = 0; at < lastLine; at++) {
    if (at >= mark && at < mark + syncedMarkBytes) continue;
    const flipped = Buffer.from(journal);
    flipped.writeUInt8(flipped.readUInt8(at) ^ 0x01, at);
    expect([at, await reopened({ 'journal-0.log': flipped })]).toEqual([at, 'damaged']);
  }
});

test('a line that is missing, doubled or moved is `damaged`, and no byte is touched', async () => {
  const [header, one, two, three] = (await abandonedJournal(['o1', 'o2', 'o3'])).toString().split(/(?<=\n)/);
  for (const lines of [
    [header, two, three],
    [header, one, one, two],
    [header, two, one, three],
    [one, two],
  ]) {
    expect(await reopened({ 'journal-0.log': Buffer.from(lines.join('')) })).toBe('damaged');
  }
});

test('a document flipped at any byte, or cut short anywhere, is `damaged`, and no byte is touched', async () => {
  const closed = await closedFolder(['o1', 'o2']);
  const document = closed['db.json'];
  for (let at = 0; at < document.length; at++) {
    const flipped = Buffer.from(document);
    flipped.writeUInt8(flipped.readUInt8(at) ^ 0x01, at);
    expect([at, await reopened({ ...closed, 'db.json': flipped })]).toEqual([at, 'damaged']);
    expect([at, await reopened({ ...closed, 'db.json': document.subarray(0, at) })]).toEqual([at, 'damaged']);
  }
});

test('a document with a line missing, doubled or moved is `damaged`', async () => {
  const closed = await closedFolder(['o1', 'o2'], 'as long as a line of the document gets'.padEnd(70_000));
  expect(await reopened(closed)).toEqual({ orders: 2, warnings: 0 });
  const [header, one, two, three, end] = closed['db.json'].toString().split(/(?<=\n)/);
  for (const lines of [
    [header, one, two, end],
    [header, two, three, end],
    [header, one, two, three, three, end],
    [header, two, one, three, end],
    [header, end],
  ]) {
    expect(await reopened({ ...closed, 'db.json': Buffer.from(lines.join('')) })).toBe('damaged');
  }
});

test('a file that is missing is `damaged`: the document, its journal, or a journal between two others', async () => {
  const { 'db.json': document, ...journal } = await closedFolder(['o1', 'o2']);
  const first = { 'journal-0.log': await abandonedJournal(['o1']) };
  expect([
    await reopened({ 'db.json': document }),
    await reopened(journal),
    await reopened({ ...first, ...journal }),
  ]).toEqual(['damaged', 'damaged', 'damaged']);
});

test('a torn line is `damaged` where later transactions were written after it', async () => {
  const folder = await unfoldedFolder();
  const first = folder['journal-0.log'] ?? Buffer.alloc(0);
  expect([Object.keys(folder), await reopened(folder)]).toEqual([
    ['journal-0.log', 'journal-2.log'],
    { orders: 3, warnings: 0 },
  ]);
  expect(await reopened({ ...folder, 'journal-0.log': Buffer.concat([first, Buffer.from('000000')]) })).toBe('damaged');
});
