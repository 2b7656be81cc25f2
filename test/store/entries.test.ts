/** How rows of history are found: what is not there is known without looking for it (OP-187), whoever chose the ids. */
import { stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { BlockCache } from '../../sandbox/store/block-cache.ts';
import { Entries, entryOf, Filter } from '../../sandbox/store/entries.ts';
import { diskFiles } from '../../sandbox/store/files.ts';
import { type HashSeed, hashOf, SoughtKey } from '../../sandbox/store/row-hash.ts';
import { Sealer } from '../../sandbox/store/seal.ts';
import { Segment } from '../../sandbox/store/segment.ts';
import { mostRows } from '../../sandbox/store/segment-index.ts';
import { temporaryFolder } from '../harness/folders.ts';
import { order } from './adapters.ts';
import { contentOf, open } from './books.ts';
import { historySpec } from './books-spec.ts';

const seed: HashSeed = [0x12345678, 0x9abcdef0];

const entriesOf = (keys: readonly string[], by: HashSeed | undefined) =>
  new Entries(Float64Array.from(keys, (key, row) => entryOf(key, row, by)).sort(), by);

test('rows are found under each key, with none left out, by any seed and by none', () => {
  const seeds = fc.option(fc.tuple(fc.nat(2 ** 32 - 1), fc.nat(2 ** 32 - 1)), { nil: undefined });
  const keys = fc.array(fc.string({ maxLength: 4 }), { maxLength: 200 });
  fc.assert(
    fc.property(keys, fc.string({ maxLength: 4 }), seeds, (there, other, by) => {
      const entries = entriesOf(there, by);
      for (const key of [...there, other]) {
        const hash = hashOf(key, by);
        const rows = there.flatMap((one, row) => (hashOf(one, by) === hash ? [row] : []));
        expect(entries.rowsUnder(new SoughtKey(key))).toEqual(rows);
      }
    }),
    { seed: 187, numRuns: 200 },
  );
});

test('OP-187: of ids that are new, one in eight at most is looked for, at two bytes for each row at most', () => {
  for (const rows of [1, 100, 5000, mostRows]) {
    const { values } = entriesOf(
      Array.from({ length: rows }, (_, row) => `ORD-${row}`),
      seed,
    );
    const filter = new Filter(values);
    const sought = Array.from({ length: 4000 }, (_, n) => filter.mayHave(hashOf(`RDM-${n}`, seed)));
    expect(sought.filter((may) => may).length).toBeLessThan(4000 / 7);
    expect(filter.bytes).toBeLessThanOrEqual(Math.max(4, 2 * rows));
  }
});

test('a hash depends on each character, on the length and on the seed', () => {
  const keys = ['', 'a', '\0', 'a\0', 'aa', 'ab', 'ba', 'aaa', 'aab', 'baa', '\u0161', 'x'.repeat(99), 'x'.repeat(100)];
  const seeds: HashSeed[] = [seed, [0, 0], [1, 0], [0, 1]];
  expect(new Set(seeds.flatMap((by) => keys.map((key) => hashOf(key, by)))).size).toBe(keys.length * seeds.length);
  const sought = new SoughtKey('a');
  expect(seeds.map((by) => sought.hash(by))).toEqual(seeds.map((by) => hashOf('a', by)));
});

test('hashes fall evenly: ids that are counted up leave no range empty, and none with many', () => {
  const ranges = new Uint32Array(256);
  for (let n = 0; n < 25_600; n += 1) {
    const range = hashOf(`ORD-${String(n).padStart(12, '0')}`, seed) >>> 24;
    ranges[range] = (ranges[range] ?? 0) + 1;
  }
  expect([Math.min(...ranges) > 50, Math.max(...ranges) < 160]).toEqual([true, true]);
});

/** Two ids whose hashes are the same without a seed, as anybody finds some. */
function twins(): [string, string][] {
  const byHash = new Map<number, string>();
  const found: [string, string][] = [];
  for (let n = 0; n < 400_000; n += 1) {
    const id = (Math.imul(n, 0x9e3779b1) >>> 0).toString(36);
    const hash = hashOf(id, undefined);
    const other = byHash.get(hash);
    if (other !== undefined) found.push([other, id]);
    byHash.set(hash, id);
  }
  return found;
}

test('OP-188: ids that were chosen to share a hash share none, and each data folder has hashes of its own', async () => {
  const chosen = twins();
  expect(chosen.length).toBeGreaterThan(5);
  const shared = (by: HashSeed) => chosen.filter(([one, other]) => hashOf(one, by) === hashOf(other, by)).length;
  expect(shared(seed)).toBe(0);
  const seeds = new Set<string>();
  for (const key of [undefined, Buffer.alloc(32, 7)]) {
    const dir = await temporaryFolder();
    const files: Segment[] = [];
    for (const id of ['o1', 'o2']) {
      const { store } = await open({ dir, key, spec: historySpec });
      await store.transact((tx) => tx.put('orders', id, order('ann', 4)));
      await store.close();
    }
    const place = { dir, files: diskFiles, sealer: new Sealer(key), generation: 0 };
    for (const number of [1, 2]) {
      const { size } = await stat(join(dir, `segment-${number}.rows`));
      files.push(await Segment.open(place, { number, size, hidden: {} }, new BlockCache()));
    }
    const of = files.map((segment) => String(segment.seed));
    for (const segment of files) await segment.release();
    expect(of[0]).toBe(of[1]);
    seeds.add(of[0] ?? '');
  }
  expect([seeds.size, seeds.has('undefined'), seeds.has('0,0')]).toEqual([2, false, false]);
});

/** A folder of five orders whose segment is of the first form, without a seed. */
const first = {
  'db.json':
    'MDAwMDAwMzAgMzM0Yjk5ZTIgeyJraW5kIjoiZG9jdW1lbnQiLCJ2ZXJzaW9uIjoyLCJzZXEiOjF9CjAwMDAwMDM3IDM1ZDRiMzY3IFtbIiIsIjEiLHsibnVtYmVyIjoxLCJzaXplIjo1NTUsImhpZGRlbiI6e319XV0KMDAwMDAwMGEgMmIwZmEyMGYgMQo=',
  'journal-1.log': 'MDAwMDAwMmYgMTU3NzlmMTMgeyJraW5kIjoiam91cm5hbCIsInZlcnNpb24iOjIsInNlcSI6MX0K',
  'segment-1.rows':
    'MDAwMDAwMmYgZTQ3YmRjMzMgeyJraW5kIjoic2VnbWVudCIsInZlcnNpb24iOjEsInNlcSI6MX0Kt3O8c1tbIm8wIiwwLHsiY3VzdG9tZXIiOiJjMCIsInBvaW50cyI6NH1dLFsibzEiLDEseyJjdXN0b21lciI6ImMxIiwicG9pbnRzIjo4fV0sWyJvMiIsMix7ImN1c3RvbWVyIjoiYzAiLCJwb2ludHMiOjEyfV0sWyJvMyIsMyx7ImN1c3RvbWVyIjoiYzEiLCJwb2ludHMiOjE2fV0sWyJvNCIsNCx7ImN1c3RvbWVyIjoiYzAiLCJwb2ludHMiOjIwfV1d0aGfOX0AAAAAAAAAW3sibmFtZSI6Im9yZGVycyIsInJvd3MiOjUsImxhc3QiOjQsImJsb2NrcyI6MSwiaW5kZXhlcyI6W1siY3VzdG9tZXIiLDVdXSwib3JkZXIiOjUsImVkZ2VzIjpbIm8wIl0sImhhc0VuZHMiOnRydWUsImVuZGVkIjo1fV0AAAAAAAAAAIBMQEAAAHSmfdxCIACAw7RbB0MMAADIrk0TQwAAoBuZxyBDBABAZneQJkNAAAC4Fc3UQsAAALgVzdRCAABAcdR/HUMIAEBx1H8dQxAAQHHUfx1DxgAAAAAAAAAAAAAAAQAAAAIAAAADAAAABAAAAAAAAAABAAAAAgAAAAMAAAAEAAAAZGlyZWN0b3J5ICAgICAgICAgICAyNTUK',
};

test('a segment without a seed is read, and merged with those that have one', async () => {
  const dir = await temporaryFolder();
  for (const [name, bytes] of Object.entries(first)) await writeFile(join(dir, name), Buffer.from(bytes, 'base64'));
  const old = Array.from({ length: 5 }, (_, n) => order(`c${n % 2}`, 4 + 4 * n));
  for (let n = 0; n < 5; n += 1) {
    const { store } = await open({ dir, spec: historySpec, foldAfterBytes: 1 });
    expect(store.get('orders', 'o3')).toEqual(old[3]);
    expect(store.find('orders', 'customer', 'c0')).toEqual([old[0], old[2], old[4]]);
    expect(store.get('orders', `new${n}`)).toBeUndefined();
    await store.transact((tx) => tx.put('orders', `new${n}`, order('ann', 4)));
    await store.close();
  }
  const { store } = await open({ dir, spec: historySpec });
  expect(contentOf(store).orders).toEqual([...old, ...Array(5).fill(order('ann', 4))]);
});
