/** Power cuts and kills with several lines written that are not synced, of both durabilities. */
import { expect, test } from 'vitest';
import type { Files, OpenFile } from '../../sandbox/store/files.ts';
import type { Store } from '../../sandbox/store/store.ts';
import { turn } from '../../sandbox/store/turn.ts';
import { type Call, systemError, withFaults } from '../harness/faulty-files.ts';
import { temporaryFolder } from '../harness/folders.ts';
import { LEFTOVERS, PowerCutFiles } from './power-cut-files.ts';
import { openTwo, type TwoBooks } from './two-books.ts';

/** Small, so that the journal is folded on the way. */
const foldAfterBytes = 700;
const changes = 40;

/** Syncs that take their time: what is written meanwhile is not covered. */
function slow(disk: PowerCutFiles): Files {
  const slowed = (file: OpenFile): OpenFile => ({
    ...file,
    sync: async () => {
      const done = file.sync();
      for (let turns = 0; turns < 4; turns += 1) await turn();
      await done;
    },
  });
  return {
    ...{ makeDir: () => disk.makeDir(), list: () => disk.list(), read: (path) => disk.read(path) },
    openToRead: (path) => disk.openToRead(path),
    create: async (path) => slowed(await disk.create(path)),
    open: async (path) => slowed(await disk.open(path)),
    rename: (from, to) => disk.rename(from, to),
    remove: (path) => disk.remove(path),
    syncDir: () => disk.syncDir(),
  };
}

/** The numbers that were acknowledged, by kind. */
interface Known {
  readonly orders: number[];
  readonly visits: number[];
}

/** Stores the numbers from 1 on in this order, a few in each turn; every third is an order. Ends with the first refusal. */
async function store(books: Store<TwoBooks>): Promise<Known> {
  const known: Known = { orders: [], visits: [] };
  const asked: Promise<unknown>[] = [];
  for (let n = 1; n <= changes && books.gaveUp === undefined; n += 1) {
    const kind = n % 3 === 0 ? 'orders' : 'visits';
    const done = books.transact((tx) => tx.put(kind, String(n), n)).then(() => known[kind].push(n));
    asked.push(done.catch((error) => expect(error).toMatchObject({ name: 'StoreError' })));
    if (n % 2 === 0) await turn();
  }
  await Promise.all(asked);
  return known;
}

async function run(disk: PowerCutFiles, before: (call: Call) => void) {
  const calls: Call[] = [];
  const fs = withFaults(slow(disk), (call) => {
    calls.push(call);
    before(call);
  });
  try {
    const { store: books } = await openTwo({ dir: await temporaryFolder(), fs, foldAfterBytes });
    const known = await store(books);
    await books.close();
    return { calls, known };
  } catch (error) {
    expect(error).toMatchObject({ name: 'StoreError' });
    return { calls, known: { orders: [], visits: [] } };
  }
}

/** How many of the numbers an opening finds: the first ones, none left out. */
async function found(disk: PowerCutFiles): Promise<number> {
  const { store: books } = await openTwo({ dir: await temporaryFolder(), fs: disk });
  const numbers = [...books.all('orders'), ...books.all('visits')].sort((one, other) => one - other);
  expect(numbers).toEqual(numbers.map((_, at) => at + 1));
  await books.close();
  return numbers.length;
}

/** Cuts the power or kills before each step, or only before every n-th: that is the short form. */
export function severalLines(every: number): void {
  test('OP-74: a power cut loses no order that was acknowledged, and leaves all up to some change; a kill no visit either', async () => {
    const { calls, known } = await run(new PowerCutFiles(), () => undefined);
    const names = calls.map(({ name }) => name).join(' ');
    expect([known.orders.length + known.visits.length, names]).toEqual([changes, expect.stringMatching(/(write ){3}/)]);
    for (let step = 1; step <= calls.length; step += every) {
      const disk = new PowerCutFiles();
      let killed: PowerCutFiles | undefined;
      const crashed = await run(disk, ({ number }) => {
        if (number < step) return;
        killed ??= disk.killed();
        throw systemError('EIO');
      });
      const orders = Math.max(0, ...crashed.known.orders);
      for (const leftover of LEFTOVERS) {
        const last = await found(disk.afterPowerCut(leftover));
        expect({ step, leftover, lost: last < orders }).toEqual({ step, leftover, lost: false });
      }
      const visits = Math.max(0, ...crashed.known.visits);
      const last = await found(killed ?? disk);
      expect({ step, lost: last < Math.max(orders, visits) }).toEqual({ step, lost: false });
    }
  });
}
