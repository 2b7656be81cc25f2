import { readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { plainSeal, Sealer } from '../../sandbox/store/seal.ts';
import { syncedMark } from '../../sandbox/store/wal.ts';
import { temporaryFolder } from '../harness/folders.ts';
import { bytesOf, contentOf, open } from './stores.ts';

const KEY = Buffer.alloc(32, 1);
const CANARY = 'canary-5f2c';
/** A string as long as the longest line of a document. */
const A_LINE = '-'.repeat(70_000);

/** Creates a folder with a document, and with a log of transactions after the last checkpoint. */
async function writtenFolder(key: Uint8Array | undefined): Promise<string> {
  const [dir, copy] = [await temporaryFolder(), await temporaryFolder()];
  const { store: first } = await open({ dir, key });
  for (const id of [CANARY, 'o1']) {
    await first.transact((tx) => tx.put('orders', id, { customer: CANARY, points: 1, note: A_LINE }));
  }
  await first.close();
  const { store } = await open({ dir, key });
  for (const id of ['o2', 'o3', 'o4']) {
    await store.transact((tx) => tx.put('orders', id, { customer: CANARY, points: 2 }));
  }
  // Copy an open store without its lock, which is the state that a killed process leaves.
  for (const name of (await readdir(dir)).filter((name) => !name.startsWith('lock')))
    await writeFile(join(copy, name), await readFile(join(dir, name)), { mode: 0o600 });
  return copy;
}

/** Tries to open the folder and returns the error. Asserts that no byte changes. */
async function refusal(dir: string, key: Uint8Array | undefined): Promise<{ code: string; message: string }> {
  const before = await bytesOf(dir);
  const error = await open({ dir, key }).catch((error) => error);
  expect(await bytesOf(dir)).toEqual(before);
  return { code: error.code, message: error.message.replaceAll(dir, '…') };
}

test('with the key, all content is readable, from document and log', async () => {
  const { store, warnings } = await open({ dir: await writtenFolder(KEY), key: KEY });
  expect([contentOf(store), warnings]).toEqual([
    {
      orders: [
        ...[1, 1].map((points) => ({ customer: CANARY, points, note: A_LINE })),
        ...[2, 2, 2].map((points) => ({ customer: CANARY, points })),
      ],
      counters: [],
    },
    [],
  ]);
});

test('T7: OP-33: no file shows a canary that went through the store; files are for the owner only', async () => {
  const dir = await writtenFolder(KEY);
  const names = (await readdir(dir)).sort();
  expect(names).toEqual(['db.json', 'wal.log']);
  for (const name of names) {
    const bytes = await readFile(join(dir, name));
    const texts = [bytes.toString('latin1'), Buffer.from(bytes.toString('latin1'), 'base64').toString('latin1')];
    expect(texts.filter((text) => text.includes('canary'))).toEqual([]);
    expect((await stat(join(dir, name))).mode & 0o777).toBe(0o600);
  }
});

test('control: without a key the canary is in both files', async () => {
  const dir = await writtenFolder(undefined);
  for (const name of ['db.json', 'wal.log']) expect(await readFile(join(dir, name), 'utf8')).toContain(CANARY);
});

test('OP-33: a wrong key is `wrong_key`, distinct from damage', async () => {
  expect(await refusal(await writtenFolder(KEY), Buffer.alloc(32, 2))).toEqual({
    code: 'wrong_key',
    message: expect.stringMatching(
      /^…\/db\.json was encrypted with key [0-9a-f]{8}, but the given key is [0-9a-f]{8}$/,
    ),
  });
});

test('OP-33: encrypted data without a key, plain data with a key, and a key of the wrong length are `wrong_key`', async () => {
  expect([
    await refusal(await writtenFolder(KEY), undefined),
    await refusal(await writtenFolder(undefined), KEY),
    await refusal(await writtenFolder(KEY), KEY.subarray(1)),
  ]).toEqual([
    { code: 'wrong_key', message: '…/db.json is encrypted: open it with its key' },
    { code: 'wrong_key', message: '…/db.json is not encrypted: open it without a key' },
    { code: 'wrong_key', message: 'The key must be 32 bytes long, not 31' },
  ]);
});

/** Returns the lines of a file. A log's mark stays attached to its header. */
async function linesOf(path: string): Promise<string[]> {
  const [header = '', ...lines] = (await readFile(path, 'utf8')).split(/(?<=\n)/);
  return path.endsWith('.log') ? [`${header}${lines[0]}`, ...lines.slice(1)] : [header, ...lines];
}

test.each(['db.json', 'wal.log'])('two swapped lines of %s are `damaged`', async (name) => {
  const dir = await writtenFolder(KEY);
  const lines = await linesOf(join(dir, name));
  const [header = '', one = '', two = '', ...rest] = lines;
  expect(rest.length).toBe(1);
  await writeFile(join(dir, name), [header, two, one, ...rest].join(''));
  expect((await refusal(dir, KEY)).code).toBe('damaged');
});

test('a line from another folder under the same key is `damaged`', async () => {
  const [dir, other] = [await writtenFolder(KEY), await writtenFolder(KEY)];
  const [mine = [], theirs = []] = await Promise.all([dir, other].map((folder) => linesOf(join(folder, 'wal.log'))));
  await writeFile(join(dir, 'wal.log'), [mine[0], theirs[1], ...mine.slice(2)].join(''));
  expect((await refusal(dir, KEY)).code).toBe('damaged');
});

test('OP-33: without the key, nobody can cut acknowledged entries off the log and rewrite its mark', async () => {
  const dir = await writtenFolder(KEY);
  const path = join(dir, 'wal.log');
  const [header = '', mark = '', ...entries] = (await readFile(path, 'utf8')).split(/(?<=\n)/);
  const cut = entries.slice(0, -1);
  const written = Number(plainSequenceOf(header)) + entries.length;
  for (const [forged, why] of [
    [mark, `entries ${written} to ${written} are missing at its end`],
    [syncedMark(plainSeal, written - 1).toString(), 'line 2'],
    ['0'.repeat(mark.length - 1).concat('\n'), 'line 2'],
  ] as const) {
    await writeFile(path, [header, forged, ...cut].join(''));
    const { message } = await refusal(dir, KEY);
    expect(message).toMatch(new RegExp(`^…/wal\\.log is damaged \\(${why}\\)`));
  }
});

/** Returns the number of the last entry before a log, read from its header. */
function plainSequenceOf(header: string): string {
  return /"seq":(\d+)/.exec(header)?.[1] ?? '';
}

test('any flipped character of a sealed text is detected, and so is a shortened tag', () => {
  const { seal } = new Sealer(KEY).fresh();
  const body = seal.close('{"points":5}', 'log 1');
  expect(seal.open(body, 'log 1')).toBe('{"points":5}');
  expect(() => seal.open(body, 'log 2')).toThrow();
  for (let at = 0; at < body.length; at++) {
    const flipped = `${body.slice(0, at)}${body[at] === 'A' ? 'B' : 'A'}${body.slice(at + 1)}`;
    expect(() => seal.open(flipped, 'log 1')).toThrow();
  }
  const short = Buffer.from(body, 'base64').subarray(0, -12).toString('base64');
  expect(() => seal.open(short, 'log 1')).toThrow();
});

test('the same text is sealed differently each time, and under another key in each file', () => {
  let drawn = 0;
  const counting = (bytes: number): Uint8Array => {
    const numbers = Buffer.alloc(bytes);
    for (let at = 0; at + 4 <= bytes; at += 4) numbers.writeUInt32BE(drawn++, at);
    return numbers;
  };
  const sealer = new Sealer(KEY, counting);
  const [one, other] = [sealer.fresh(), sealer.fresh()];
  const lines = Array.from({ length: 200 }, () => one);
  const texts = [...lines, other].map(({ seal }) => seal.close('same', 'log 1'));
  expect(new Set(texts).size).toBe(201);
  const nonces = texts.map((text) => Buffer.from(text, 'base64').toString('hex', 0, 12));
  expect(new Set(nonces).size).toBe(201);
  expect([one.label.salt, other.label.salt]).toEqual([
    '00000000000000010000000200000003',
    '00000004000000050000000600000007',
  ]);
});
