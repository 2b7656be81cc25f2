/** Tests jobs whose completion the store refuses to write (OP-94). The runner retries them once the store accepts writes. */
import { afterEach, beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import { DueRunner } from '../../sandbox/jobs/due.ts';
import { type DueCollections, dueSchema, finish, schedule, type Work } from '../../sandbox/jobs/work.ts';
import { Clock } from '../../sandbox/runtime/clock.ts';
import { ByteBudget } from '../../sandbox/store/byte-budget.ts';
import { yieldToEventLoop } from '../../sandbox/store/row.ts';
import { StoreError } from '../../sandbox/store/store.ts';
import { Transactor } from '../../sandbox/store/transactor.ts';
import { WorkingSet } from '../../sandbox/store/working-set.ts';

beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] }));
afterEach(() => void vi.useRealTimers());

/** Removable data that occupies space in the store. */
interface Ballast {
  readonly ballast: string;
}

/** Creates a job runner over a store that refuses writes while `refuses` is set. `tried` lists the attempted jobs. */
function onStore(mode: 'running' | 'frozen', maxBytes?: number) {
  const disk: { refuses: 'refused' | 'gave_up' | undefined; writes: number } = { refuses: undefined, writes: 0 };
  const commit = async () => {
    disk.writes += 1;
    if (disk.refuses !== undefined) throw new StoreError(disk.refuses, 'the disk is full');
    return 0;
  };
  const store = new Transactor(
    new WorkingSet<DueCollections & Ballast>({ ...dueSchema, counters: {}, ballast: {} }, new ByteBudget(maxBytes)),
    { commit, applied: () => {}, prepare: () => expect.fail('nothing is replaced'), close: async () => {} },
    expect.fail,
  );
  const clock = new Clock({ mode, value: 1000 }, () => 0);
  const tried: string[] = [];
  const work = async (piece: Work) => {
    tried.push(piece.id);
    await store.transact((tx) => {
      // The job's result is larger than the job itself.
      if (maxBytes !== undefined) tx.put('ballast', piece.id, '.'.repeat(200));
      finish(tx, piece);
    });
  };
  const warnings: string[] = [];
  const runner = new DueRunner(
    store,
    clock,
    async (state) => clock.follow(state),
    { work },
    (text) => warnings.push(text),
  );
  onTestFinished(() => runner.stop());
  const add = (pieces: number) =>
    store.transact((tx) => {
      for (let n = 0; n < pieces; n += 1) schedule(tx, { kind: 'work', at: 1000, trace: 't', payload: {} });
    });
  /** Runs all work that does not wait for a timer. */
  const quiet = async () => {
    for (let turns = 0; turns < 5; turns += 1) {
      await vi.advanceTimersByTimeAsync(0);
      await yieldToEventLoop();
    }
  };
  return { disk, store, runner, tried, warnings, add, quiet };
}

const [first, second] = ['W000000000001', 'W000000000002'];

describe('OP-94: on a running clock', () => {
  test('work that could not be written waits while the store refuses writes, and is done when it accepts them', async () => {
    const { disk, store, runner, tried, add, quiet } = onStore('running');
    await add(2);
    disk.refuses = 'refused';
    runner.start();
    await quiet();
    expect(tried).toEqual([first, second]);
    // Each pause ends with one write attempt, and no job runs in vain meanwhile.
    const before = disk.writes;
    await vi.advanceTimersByTimeAsync(60_000);
    expect([disk.writes - before, tried]).toEqual([12, [first, second]]);
    disk.refuses = undefined;
    await vi.advanceTimersByTimeAsync(5_000);
    await quiet();
    expect([store.all('due'), tried.slice(2).sort()]).toEqual([[], [first, second]]);
  });

  test('a store that has given up gets no further attempts', async () => {
    const { disk, runner, tried, add, quiet } = onStore('running');
    await add(1);
    disk.refuses = 'gave_up';
    runner.start();
    await quiet();
    await vi.advanceTimersByTimeAsync(3_600_000);
    expect([tried, disk.writes]).toEqual([[first], 2]);
  });

  test('a piece that was removed meanwhile is forgotten: another with its id runs immediately', async () => {
    const { disk, store, runner, tried, add, quiet } = onStore('running');
    await add(1);
    disk.refuses = 'refused';
    runner.start();
    await quiet();
    disk.refuses = undefined;
    await store.transact((tx) => {
      tx.remove('due', first);
      tx.remove('counters', 'due');
    });
    await add(1);
    await quiet();
    expect([tried, store.all('due')]).toEqual([[first, first], []]);
  });
});

test('OP-94: on a frozen clock such work runs at the next settle, and counts once it is completed', async () => {
  const { disk, store, runner, tried, warnings, add } = onStore('frozen');
  await add(2);
  disk.refuses = 'refused';
  const completed: string[] = [];
  expect([await runner.settle(({ id }) => completed.push(id)), completed, tried]).toEqual([0, [], [first, second]]);
  expect(warnings).toContain('Cannot postpone scheduled task W000000000001: the disk is full');
  disk.refuses = undefined;
  expect([await runner.settle(({ id }) => completed.push(id)), completed]).toEqual([2, [first, second]]);
  expect(store.all('due')).toEqual([]);
});

/** Creates a job runner with two due jobs over a full store. */
async function inFullStore(mode: 'running' | 'frozen') {
  const full = onStore(mode, 1000);
  const { store, add } = full;
  await add(2);
  for (let at = 0; !store.isFull; at += 1) {
    await store.transact((tx) => tx.put('ballast', `b${at}`, '.'.repeat(90))).catch(() => undefined);
  }
  const free = () =>
    store.transact((tx) => {
      for (const id of store.ids('ballast')) tx.remove('ballast', id);
    });
  return { ...full, free };
}

test('OP-229: on a running clock work without room waits until some is freed, and is done then', async () => {
  const { runner, tried, warnings, quiet, store, free } = await inFullStore('running');
  runner.start();
  await quiet();
  expect(tried).toEqual([first, second]);
  for (let minutes = 0; minutes < 10; minutes += 1) {
    await vi.advanceTimersByTimeAsync(60_000);
    await quiet();
  }
  expect([tried, warnings]).toEqual([[first, second], []]);
  await free();
  await vi.advanceTimersByTimeAsync(5_000);
  await quiet();
  expect([tried, store.count('due')]).toEqual([[first, second, first, second], 0]);
});

test('OP-229: on a frozen clock such work is tried once in each advance, however far the advance goes', async () => {
  const { runner, tried, warnings, store, free } = await inFullStore('frozen');
  expect(await runner.advance(86_400_000)).toBe(0);
  expect([tried, warnings]).toEqual([[first, second], []]);
  await free();
  expect(await runner.settle()).toBe(2);
  expect(store.count('due')).toBe(0);
});
