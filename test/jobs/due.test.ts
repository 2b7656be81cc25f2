/** Tests `settle` and `advance` on a frozen clock. Jobs run in time order, each at its own due time. */
import fc from 'fast-check';
import { describe, expect, onTestFinished, test } from 'vitest';
import { DueRunner } from '../../sandbox/jobs/due.ts';
import { type DueCollections, dueSchema, finish, postpone, schedule, type Work } from '../../sandbox/jobs/work.ts';
import { Clock, type ClockState } from '../../sandbox/runtime/clock.ts';
import { openMemoryStore } from '../../sandbox/store/memory.ts';
import { nothing } from '../../sandbox/store/row.ts';
import type { Store, Tx } from '../../sandbox/store/store.ts';

type Do = (work: Work, store: Store<DueCollections>) => Promise<void>;

/** Marks a job as finished. */
const end: Do = (work, store) => store.transact((tx) => finish(tx, work));

/** Creates a job runner on a clock that is frozen at 1000. `runs` lists the jobs that ran, as `name@instant`. */
function frozen(workers: Record<string, Do> = {}) {
  const store = openMemoryStore<DueCollections>({ ...dueSchema, counters: {} });
  const clock = new Clock({ mode: 'frozen', value: 1000 }, () => 0);
  const saveState = async (state: ClockState) => clock.follow(state);
  const runs: string[] = [];
  const warnings: string[] = [];
  const recording = Object.entries({ note: end, ...workers }).map(([kind, work]) => [
    kind,
    async (piece: Work) => {
      runs.push(`${piece.payload.name}@${clock.now()}`);
      await work(piece, store);
    },
  ]);
  const runner = new DueRunner(store, clock, saveState, Object.fromEntries(recording), (message) =>
    warnings.push(message),
  );
  runner.start();
  onTestFinished(() => runner.stop());
  const add = (name: string, at: number, kind = 'note') =>
    store.transact((tx) => schedule(tx, { kind, at, trace: 't', payload: { name } }));
  return { store, clock, saveState, runner, runs, warnings, add };
}

describe('settle', () => {
  test('runs the work that is due now and leaves later work', async () => {
    const { runner, runs, add, clock } = frozen();
    await add('past', 1);
    await add('now', 1000);
    await add('later', 1001);
    expect(runs).toEqual([]);
    expect(await runner.settle()).toBe(2);
    expect(runs).toEqual(['past@1000', 'now@1000']);
    expect(clock.now()).toBe(1000);
    expect(await runner.settle()).toBe(0);
  });

  test('OP-218: the lag is how long the oldest due work has waited, and is 0 once it ran', async () => {
    const { runner, add } = frozen();
    expect(runner.lag).toBe(0);
    await add('longest', 400);
    await add('past', 900);
    await add('later', 1001);
    expect(runner.lag).toBe(600);
    await runner.settle();
    expect(runner.lag).toBe(0);
  });

  test('also runs the work that due work schedules for now, at any depth', async () => {
    const { runner, runs, add } = frozen({
      chain: (work, store) =>
        store.transact((tx) => {
          finish(tx, work);
          const left = Number.parseInt(work.payload.name ?? '', 10) - 1;
          if (left > 0) schedule(tx, { kind: 'chain', at: 1000, trace: 't', payload: { name: String(left) } });
        }),
    });
    await add('3', 1000, 'chain');
    expect(await runner.settle()).toBe(3);
    expect(runs).toEqual(['3@1000', '2@1000', '1@1000']);
  });

  test('runs the work that it finds in the store', async () => {
    const first = frozen();
    await first.runner.stop();
    await first.add('left over', 900);
    const runs: string[] = [];
    const run = async (work: Work) => {
      runs.push(work.id);
      await end(work, first.store);
    };
    const runner = new DueRunner(first.store, first.clock, first.saveState, { note: run }, expect.fail);
    expect(await runner.settle()).toBe(1);
    expect([runs, first.runs]).toEqual([['W000000000001'], []]);
  });
});

describe('advance', () => {
  test('runs work that is scheduled on the way, if it falls due before the target', async () => {
    const { runner, runs, add } = frozen({
      hourly: (work, store) => store.transact((tx) => postpone(tx, work, work.at + 100)),
    });
    await add('between', 1150);
    await add('tick', 1100, 'hourly');
    expect(await runner.advance(250)).toBe(3);
    expect(runs).toEqual(['tick@1100', 'between@1150', 'tick@1200']);
  });

  test('is exclusive: two concurrent ones run one after the other, and both move the clock', async () => {
    const { runner, runs, add, clock } = frozen();
    await add('a', 1050);
    await add('b', 1150);
    expect(await Promise.all([runner.advance(100), runner.settle(), runner.advance(100)])).toEqual([1, 0, 1]);
    expect(runs).toEqual(['a@1050', 'b@1150']);
    expect(clock.now()).toBe(1200);
  });

  test('waits for each piece before the next one starts', async () => {
    const trail: string[] = [];
    const slow: Do = async (work, store) => {
      trail.push(`start ${work.payload.name}`);
      await store.flush();
      await end(work, store);
      trail.push(`end ${work.payload.name}`);
    };
    const { runner, add } = frozen({ slow });
    await add('a', 1100, 'slow');
    await add('b', 1100, 'slow');
    await runner.advance(100);
    expect(trail).toEqual(['start a', 'end a', 'start b', 'end b']);
  });

  test('includes work that was scheduled just before it', async () => {
    const { runner, runs, add } = frozen();
    const [, ran] = await Promise.all([add('a', 1100), runner.advance(100)]);
    expect([ran, runs]).toEqual([1, ['a@1100']]);
  });

  test('work scheduled in any order runs in time order, then by id, and nothing runs twice', async () => {
    const instants = fc.array(fc.integer({ min: 900, max: 1400 }), { maxLength: 20 });
    const property = fc.asyncProperty(instants, fc.array(fc.nat(200), { maxLength: 5 }), async (instants, steps) => {
      const { runner, runs, add, clock } = frozen();
      for (const [index, at] of instants.entries()) await add(String(index), at);
      for (const step of steps) await runner.advance(step);
      const due = instants
        .map((at, index) => ({ at, index }))
        .filter(({ at }) => steps.length > 0 && at <= clock.now());
      const expected = due.sort((a, b) => a.at - b.at || a.index - b.index);
      expect(runs).toEqual(expected.map(({ at, index }) => `${index}@${Math.max(at, 1000)}`));
    });
    await fc.assert(property, { numRuns: 60 });
  });
});

describe('work that goes wrong', () => {
  const failing: Do = async () => {
    throw new Error('the line is dead');
  };

  test.each<[why: string, work: Do | undefined, warning: string]>([
    ['throws', failing, 'the line is dead'],
    ['neither completes nor postpones its piece', async () => {}, 'the worker neither completed nor postponed it'],
    ['is of an unknown kind', undefined, 'no worker for this kind'],
  ])('that %s is reported and postponed by a minute; the rest runs', async (_, work, warning) => {
    const { runner, store, add, warnings, runs } = frozen(work && { bad: work });
    await add('a', 1000, 'bad');
    await add('b', 1000);
    await runner.settle();
    expect(warnings).toEqual([`Scheduled task bad (W000000000001) failed: ${warning}`]);
    const piece = { id: 'W000000000001', kind: 'bad', at: 61_000, trace: 't', tries: 1, payload: { name: 'a' } };
    expect(store.all('due')).toEqual([piece]);
    expect(runs.at(-1)).toBe('b@1000');
    await runner.advance(60_000);
    expect(store.all('due')).toEqual([{ ...piece, at: 121_000, tries: 2 }]);
  });

  test('that completes its piece and then throws is reported, and does not run again', async () => {
    const { runner, store, add, warnings } = frozen({
      bad: async (work, store) => {
        await end(work, store);
        throw new Error('too late');
      },
    });
    await add('a', 1000, 'bad');
    await runner.settle();
    expect([warnings, store.all('due')]).toEqual([['Scheduled task bad (W000000000001) failed: too late'], []]);
  });

  test('on a closed store is reported, and does not count', async () => {
    const { runner, add, warnings, store } = frozen({
      bad: async (_, store) => {
        await store.close();
        throw new Error('the disk is gone');
      },
    });
    await add('a', 1000, 'bad');
    expect(await runner.settle()).toBe(0);
    expect(warnings).toEqual([
      'Scheduled task bad (W000000000001) failed: the disk is gone',
      'Cannot postpone scheduled task W000000000001: The store is closed',
    ]);
    expect(store.all('due')).toHaveLength(1);
  });
});

describe('a piece on hold', () => {
  test('does not run before it is released; the others do', async () => {
    const { runner, runs, add, clock } = frozen();
    const release = runner.hold(await add('on hold', 1000));
    await add('free', 1000);
    expect(await runner.advance(500)).toBe(1);
    release();
    expect(await runner.settle()).toBe(1);
    expect(runs).toEqual(['free@1000', 'on hold@1500']);
    expect(clock.now()).toBe(1500);
  });
});

test('stop ends an advance after the current piece, and nothing runs twice', async () => {
  const gate = Promise.withResolvers<void>();
  const arrived = Promise.withResolvers<void>();
  const { runner, add, runs, store } = frozen({
    gated: async (work, store) => {
      arrived.resolve();
      await gate.promise;
      await end(work, store);
    },
  });
  for (const name of ['a', 'b', 'c']) await add(name, 1100, 'gated');
  const advanced = runner.advance(200);
  await arrived.promise;
  const stopped = runner.stop();
  gate.resolve();
  await stopped;
  expect(await advanced).toBe(1);
  expect(runs).toEqual(['a@1100']);
  expect(store.all('due').map(({ payload }) => payload.name)).toEqual(['b', 'c']);
});

describe('after the whole store is replaced', () => {
  const pieces = 500;
  /** Schedules many jobs. The last one scheduled is due first. */
  const change = (tx: Tx<DueCollections>): void => {
    for (let n = 1; n <= pieces; n += 1) {
      schedule(tx, { kind: 'note', at: 1000 - n, trace: 't', payload: { name: String(n) } });
    }
  };

  test('the old work is gone, and the new work runs in time order', async () => {
    const { store, runner, runs, add } = frozen();
    await add('gone', 900);
    await store.replace({ content: nothing, change });
    const late = add('late', 0);
    expect(await runner.settle()).toBe(pieces + 1);
    await late;
    expect(runs.map((name) => name.split('@')[0])).toEqual([
      'late',
      ...Array.from({ length: pieces }, (_, at) => String(pieces - at)),
    ]);
  });
});
