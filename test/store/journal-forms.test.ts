/** Forms of journals: that of an earlier version opens, and what a power cut leaves of several lines that were not synced. */
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { diskFiles } from '../../sandbox/store/files.ts';
import { lineOf } from '../../sandbox/store/lines.ts';
import { plainSeal } from '../../sandbox/store/seal.ts';
import { turn } from '../../sandbox/store/turn.ts';
import { systemError, withFaults } from '../harness/faulty-files.ts';
import { temporaryFolder } from '../harness/folders.ts';
import { holdingFiles, openTwo, order, seen, visit } from './two-books.ts';

/** A journal as an earlier version wrote it. */
function earlierJournal(orders: readonly number[], version: 1 | 2 = 1): string {
  const header = lineOf(plainSeal.close(JSON.stringify({ kind: 'journal', version, seq: 0 }), 'header'));
  const lines = orders.map((n, at) => {
    const batch = [[['orders', `o${n}`, n]]];
    const sealed = plainSeal.close(JSON.stringify(version === 1 ? batch : [at, batch]), `journal ${at + 1}`);
    return lineOf(version === 1 ? sealed : `${at + 1} ${sealed}`);
  });
  return header + lines.join('');
}

async function folderWith(name: string, content: string | Uint8Array): Promise<string> {
  const dir = await temporaryFolder();
  await writeFile(join(dir, name), content);
  return dir;
}

/** Opens a folder with this journal: the orders in it and how many warnings there were, or why it does not open. */
async function opened(
  journal: string | Uint8Array,
): Promise<{ orders: number; visits: number; warnings: number } | string> {
  const dir = await folderWith('journal-0.log', journal);
  const result = await openTwo({ dir }).catch(({ code }: { code: string }) => code);
  if (typeof result === 'string') return result;
  const counts = { orders: result.store.count('orders'), visits: result.store.count('visits') };
  await result.store.close();
  return { ...counts, warnings: result.warnings.length };
}

/** A folder as a kill leaves it after three orders, its journal cut to so many lines, and some bytes of the next. */
async function cutFolder(lines: number, bytes = 0, key?: Uint8Array): Promise<string> {
  const dir = await temporaryFolder();
  const { store } = await openTwo({ dir, key });
  for (const n of [1, 2, 3]) await order(store, n);
  const whole = await readFile(join(dir, 'journal-0.log'), 'latin1');
  // Header and mark come before them.
  const [kept, rest] = [0, 1].map((at) => whole.split(/(?<=\n)/).slice(at * (lines + 2)));
  return folderWith(
    'journal-0.log',
    (kept?.slice(0, lines + 2).join('') ?? '') + (rest?.join('').slice(0, bytes) ?? ''),
  );
}

test.each([
  [3, 'no order', undefined],
  [2, 'one order', '1 of 3'],
  [0, 'all orders', '3 of 3'],
])(
  'OP-74: a journal cut at the end of line %i, so that %s is missing, opens and says how much it lost',
  async (lines, _, said) => {
    for (const key of [undefined, new Uint8Array(32).fill(7)]) {
      const dir = await cutFolder(lines, 0, key);
      const { store, warnings } = await openTwo({ dir, key });
      const path = join(dir, 'journal-0.log');
      const advice = 'stop, and restore the folder from a backup, if you need them';
      const expected = `${path} was cut: the newest ${said} writes, which were on the disk, are missing; ${advice}`;
      expect([seen(store).orders.length, warnings]).toEqual([lines, said === undefined ? [] : [expected]]);
    }
  },
);

test('OP-74: a journal cut within a line that was synced says how much it lost, and keeps the rest beside it', async () => {
  const { store, warnings } = await openTwo({ dir: await cutFolder(1, 20) });
  expect([seen(store).orders, warnings]).toEqual([
    [1],
    [
      expect.stringMatching(/ended in a torn write; it was cut off after byte \d+ and is kept in .*journal\.torn-1$/),
      expect.stringContaining('was cut: the newest 2 of 3 writes, which were on the disk, are missing'),
    ],
  ]);
});

test('OP-74: after a cut was told, the next write is the last that the journal vouches for', async () => {
  const dir = await cutFolder(1);
  const { store } = await openTwo({ dir });
  await order(store, 4);
  const killed = await folderWith('journal-0.log', await readFile(join(dir, 'journal-0.log')));
  const { store: again, warnings } = await openTwo({ dir: killed });
  expect([seen(again).orders, warnings]).toEqual([[1, 4], []]);
});

test('OP-74: half of a mark, and a disk that does not take one, lose nothing and are no reason to warn', async () => {
  const dir = await temporaryFolder();
  let writes = 0;
  const fs = withFaults(diskFiles, ({ name, path }) => {
    // After the first lines and that of the order.
    if (name === 'write' && path.includes('journal-0') && ++writes === 3) throw systemError('EIO');
  });
  const { store, warnings } = await openTwo({ dir, fs });
  await order(store, 1);
  expect([seen(store).orders, writes, warnings]).toEqual([[1], 3, []]);
  const journal = await readFile(join(dir, 'journal-0.log'));
  const mark = journal.indexOf('\n') + 1;
  for (let at = mark; at < journal.indexOf('\n', mark); at += 1) {
    const flipped = Buffer.from(journal);
    flipped[at] = 0;
    expect(await opened(flipped)).toEqual({ orders: 1, visits: 0, warnings: 0 });
  }
});

test.each([1, 2] as const)(
  'OP-74: a journal of form %i opens, gets no more lines, and is gone after the next fold',
  async (version) => {
    const earlier = earlierJournal([1, 2], version);
    const dir = await folderWith('journal-0.log', earlier);
    const { store } = await openTwo({ dir });
    await order(store, 3);
    expect([seen(store).orders, await readFile(join(dir, 'journal-0.log'), 'utf8')]).toEqual([[1, 2, 3], earlier]);
    const names = (await readdir(dir)).filter((name) => name.startsWith('journal'));
    // As a killed process leaves it, and as a stopped one does.
    const killed = await temporaryFolder();
    for (const name of names) await writeFile(join(killed, name), await readFile(join(dir, name)));
    const { store: next } = await openTwo({ dir: killed });
    expect([names, seen(next).orders]).toEqual([
      ['journal-0.log', 'journal-2.log'],
      [1, 2, 3],
    ]);
    await store.close();
    expect((await readdir(dir)).sort()).toEqual(['db.json', 'journal-3.log']);
  },
);

test('OP-74: an empty journal of the earlier form makes room for one of this form, under the same name', async () => {
  const dir = await folderWith('journal-0.log', earlierJournal([]));
  const { store } = await openTwo({ dir });
  await order(store, 1);
  await store.close();
  const { store: again } = await openTwo({ dir });
  expect(seen(again).orders).toEqual([1]);
});

test('OP-74: a torn last line of the earlier form is cut off, and one that others follow is `damaged`', async () => {
  const journal = earlierJournal([1, 2, 3]);
  expect(await opened(journal.slice(0, -5))).toEqual({ orders: 2, visits: 0, warnings: 1 });
  const [header, one, two, three] = journal.split(/(?<=\n)/) as [string, string, string, string];
  expect(await opened([header, one, '\0'.repeat(two.length - 1), '\n', three].join(''))).toBe('damaged');
});

/**
 * A journal with an order that is synced, a visit, an order and a visit that are not, and an order after all of them
 * where `synced` says that they are then. Each is a line.
 */
async function journal(synced: boolean): Promise<string[]> {
  const dir = await temporaryFolder();
  const disk = holdingFiles();
  const { store } = await openTwo({ dir, fs: disk.files });
  await order(store, 0);
  disk.hold();
  await visit(store, 1);
  const ordered = order(store, 1);
  await disk.isHeld();
  await visit(store, 2);
  if (synced) {
    disk.release();
    await ordered;
    disk.hold();
  }
  const last = order(store, 2);
  for (let turns = 0; turns < 5; turns += 1) await turn();
  const text = await readFile(join(dir, 'journal-0.log'), 'utf8');
  disk.release();
  await Promise.all([ordered, last]);
  const [header = '', mark = '', ...lines] = text.split(/(?<=\n)/);
  return [header + mark, ...lines];
}

const hole = (line: string) => '\0'.repeat(line.length);

test('OP-74: of lines that were not synced a power cut may keep any: the journal ends before the first that is lost', async () => {
  const [header = '', first = '', ...unsynced] = await journal(false);
  expect(unsynced.length).toBe(4);
  for (let lost = 1; lost < 2 ** unsynced.length; lost += 1) {
    const isLost = (at: number) => (lost & (1 << at)) !== 0;
    const left = unsynced.map((line, at) => (isLost(at) ? hole(line) : line)).join('');
    const kept = unsynced.findIndex((_line, at) => isLost(at));
    const expected = { orders: kept >= 2 ? 2 : 1, visits: kept >= 3 ? 2 : kept >= 1 ? 1 : 0, warnings: 1 };
    expect([lost, await opened(header + first + left)]).toEqual([lost, expected]);
  }
});

/** The bytes with the sectors lost of which `isLost` says so, from a byte on, and the first byte that is lost then. */
function withHoles(bytes: Buffer, from: number, size: number, isLost: (sector: number) => boolean): [Buffer, number] {
  const left = Buffer.from(bytes);
  let first = left.length;
  for (let at = from; at < left.length; at = (Math.floor(at / size) + 1) * size) {
    const sector = Math.floor(at / size);
    if (!isLost(sector)) continue;
    left.fill(0, at, Math.min((sector + 1) * size, left.length));
    first = Math.min(first, at);
  }
  return [left, first];
}

test('OP-74: of lines that were not synced a power cut may keep any sectors, of whatever size', async () => {
  const [header = '', synced = '', ...unsynced] = await journal(false);
  const start = header.length + synced.length;
  const ends = unsynced.map((_line, at) => start + unsynced.slice(0, at + 1).join('').length);
  const whole = Buffer.from(header + synced + unsynced.join(''));
  for (const size of [16, 37, 64]) {
    for (let round = 0; round < 60; round += 1) {
      const cut = whole.subarray(0, whole.length - (round % 5) * 9);
      // Any pattern will do, as long as it is the same each time.
      const [left, lost] = withHoles(
        cut,
        start,
        size,
        (sector) => ((round + 3) * (sector + 7) * 2654435761) % 97 >= 60,
      );
      const lines = ends.filter((end) => end <= lost).length;
      const expected = { orders: [1, 1, 2, 2, 3][lines], visits: [0, 1, 1, 2, 2][lines] };
      expect([size, round, await opened(left)]).toMatchObject([size, round, expected]);
    }
  }
});

test('OP-74: a line that a later one says was synced is `damaged` where it is lost, torn or flipped', async () => {
  const lines = await journal(true);
  expect(await opened(lines.join(''))).toEqual({ orders: 3, visits: 2, warnings: 0 });
  for (const at of [1, 2, 3]) {
    const line = lines[at] as string;
    const others = (other: string) => lines.map((each, index) => (index === at ? other : each)).join('');
    // The end of a line can be among what is lost.
    const half = line.slice(0, line.length / 2) + '\0'.repeat(line.length / 2 + (line.length % 2));
    const holes = [hole(line), `${line.slice(0, 20)}\0\0\0${line.slice(23)}`, half].map(others);
    const gone = [others(''), others(line.replace('[[', '[{'))];
    const outcomes = await Promise.all([...holes, ...gone].map(opened));
    expect([at, outcomes]).toEqual([at, Array(5).fill('damaged')]);
  }
  // This one was written after the sync before the last line had begun.
  const unsynced = lines.map((line, at) => (at === 4 ? hole(line) : line)).join('');
  expect(await opened(unsynced)).toEqual({ orders: 2, visits: 1, warnings: 1 });
});
