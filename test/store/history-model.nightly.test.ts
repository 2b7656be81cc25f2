/** A store whose history is on the disk and one that forgets, changed in the same way: every read gives the same. */
import { join } from 'node:path';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { openLowdbStore } from '../../sandbox/store/lowdb.ts';
import { openMemoryStore } from '../../sandbox/store/memory.ts';
import type { BooksSpec, Reader, Store, Tx } from '../../sandbox/store/store.ts';
import { turn } from '../../sandbox/store/turn.ts';
import { temporaryFolder } from '../harness/folders.ts';

interface Books {
  rows: { key: string; sort: number | null; end: number | null; past: boolean; note: string };
}

/** Kept by a key that several rows have and some have not, with ends that several have. */
const spec: BooksSpec<Books> = {
  rows: {
    ordered: ({ sort }) => (sort === null ? undefined : String(sort).padStart(2, '0')),
    until: ({ end }) => end ?? undefined,
    indexes: { key: ({ key }) => key || undefined },
    sorted: {
      key: ({ key, sort }) => (key === '' ? undefined : [key, String(sort ?? 0).padStart(2, '0')]),
      end: ({ end }, id) => (end === null ? undefined : [`${end % 3} %`, id]),
    },
    history: ({ past }) => past,
  },
};

const ids = Array.from({ length: 60 }, (_, n) => `id${n}`);
const keys = ['', 'a', 'b', 'c'];
/** Long, so that a block has a few rows. */
const note = 'x'.repeat(500);
const record = fc.record({
  key: fc.constantFrom(...keys),
  sort: fc.option(fc.nat(20)),
  end: fc.option(fc.nat(20)),
  past: fc.boolean(),
  note: fc.constantFrom('', note),
});
const change = fc.record({ id: fc.constantFrom(...ids), record: fc.option(record, { freq: 4, nil: undefined }) });
const step = fc.record({
  changes: fc.array(change, { maxLength: 25 }),
  next: fc.constantFrom('nothing', 'turn', 'reopen', 'view', 'replace'),
});

function readings(reader: Reader<Books>): unknown {
  const edges = [undefined, '', '00', '07', '13', '20', '99'];
  return {
    all: reader.all('rows'),
    ids: reader.ids('rows'),
    count: reader.count('rows'),
    ending: reader.ending('rows'),
    each: ids.map((id) => reader.get('rows', id)),
    found: keys.map((key) => reader.find('rows', 'key', key)),
    ranges: edges.flatMap((after) =>
      [true, false].map((reverse) => reader.range('rows', { ...(after !== undefined && { after }), reverse })),
    ),
    groups: edges.flatMap((after) =>
      [true, false].flatMap((reverse) => {
        const part = { ...(after !== undefined && { after }), reverse };
        return [
          ...keys.map((group) => reader.ids('rows', { by: 'key', group, ...part })),
          ...['0 %', '1 %', '2', '%'].map((group) => reader.range('rows', { by: 'end', group, ...part, limit: 4 })),
        ];
      }),
    ),
  };
}

async function rowsOf(store: Store<Books>, meanwhile: () => Promise<unknown> = async () => {}): Promise<unknown[]> {
  const rows: unknown[] = [];
  await store.view(async (content) => {
    await meanwhile();
    for await (const slice of content) rows.push(...slice.rows.map(({ id, record }) => [id, record]));
  });
  return rows;
}

test('any changes, folds, merges, views, replacements and restarts leave both with the same', async () => {
  const root = await temporaryFolder();
  let run = 0;
  const property = fc.asyncProperty(
    fc.array(step, { minLength: 1, maxLength: 14 }),
    fc.boolean(),
    async (steps, keyed) => {
      run += 1;
      const key = keyed ? Buffer.alloc(32, 7) : undefined;
      const options = {
        dir: join(root, String(run)),
        spec,
        key,
        foldAfterBytes: 1,
        warn: (text: string) => expect.fail(text),
      };
      const memory = openMemoryStore(spec);
      let store = await openLowdbStore(options);
      try {
        const both = async (run: (tx: Tx<Books>) => void) => {
          const seen: unknown[] = [];
          const looking = (tx: Tx<Books>) => {
            run(tx);
            seen.push(readings(tx));
          };
          await Promise.all([store.transact(looking), memory.transact(looking)]);
          expect(seen[0]).toEqual(seen[1]);
        };
        for (const { changes, next } of steps) {
          const apply = () =>
            both((tx) => {
              for (const { id, record } of changes) record ? tx.put('rows', id, { ...record }) : tx.remove('rows', id);
            });
          if (next === 'view') {
            const before = await rowsOf(memory);
            expect(await rowsOf(store, apply)).toEqual(before);
          } else await apply();
          if (next === 'turn') await turn();
          if (next === 'reopen') {
            await store.close();
            store = await openLowdbStore(options);
          }
          if (next === 'replace') {
            for (const each of [store, memory]) {
              await each.view((content) => each.replace({ content, change: () => undefined }));
            }
          }
          expect(readings(store)).toEqual(readings(memory));
        }
      } finally {
        await store.close();
      }
    },
  );
  await fc.assert(property, { numRuns: 60, endOnFailure: true });
}, 120_000);
