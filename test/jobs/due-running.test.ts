/** Tests that jobs run automatically when they fall due on a running clock. */
import { expect, onTestFinished, test, vi } from 'vitest';
import { DueRunner } from '../../sandbox/jobs/due.ts';
import { type DueCollections, dueSchema, finish, schedule, type Work } from '../../sandbox/jobs/work.ts';
import { Clock, freshClock } from '../../sandbox/runtime/clock.ts';
import { openMemoryStore } from '../../sandbox/store/memory.ts';

/** Creates a job runner on a clock that follows `real`. Its worker waits at gates that the test opens. */
function running(real: () => number = Date.now) {
  const store = openMemoryStore<DueCollections>({ ...dueSchema, counters: {} });
  const clock = new Clock(freshClock('running'), real);
  const started: { name: string; at: number }[] = [];
  const gates = new Map<string, PromiseWithResolvers<void>>();
  const arrivals = new Map<string, PromiseWithResolvers<void>>();
  const of = (map: typeof gates, name: string) => {
    const gate = map.get(name) ?? Promise.withResolvers<void>();
    map.set(name, gate);
    return gate;
  };
  const worker = async (work: Work) => {
    const { name = '' } = work.payload;
    started.push({ name, at: clock.now() });
    of(arrivals, name).resolve();
    if (name.startsWith('slow')) await of(gates, name).promise;
    await store.transact((tx) => finish(tx, work));
  };
  const saveState = async (state: ReturnType<Clock['state']>) => clock.follow(state);
  const runner = new DueRunner(store, clock, saveState, { work: worker, other: worker }, expect.fail);
  onTestFinished(() => runner.stop());
  return {
    store,
    clock,
    runner,
    started,
    names: () => started.map(({ name }) => name),
    add: (name: string, at: number, kind = 'work') =>
      store.transact((tx) => schedule(tx, { kind, at, trace: 't', payload: { name } })),
    /** Resolves when the named job has started. */
    arrival: (name: string) => of(arrivals, name).promise,
    open: (name: string) => of(gates, name).resolve(),
  };
}

test('nothing runs before the start; then due work runs by itself', async () => {
  const { runner, names, add, arrival } = running(() => 1000);
  await add('a', 900);
  expect(names()).toEqual([]);
  runner.start();
  await arrival('a');
  await add('b', 1000);
  await arrival('b');
  expect(names()).toEqual(['a', 'b']);
});

test('later work runs when it falls due, and not before', async () => {
  const { runner, started, add, arrival, clock } = running();
  runner.start();
  const [soon, sooner] = [clock.now() + 60, clock.now() + 30];
  await add('soon', soon);
  await add('sooner', sooner);
  await Promise.all([arrival('soon'), arrival('sooner')]);
  expect(started.map(({ name }) => name)).toEqual(['sooner', 'soon']);
  expect((started[0]?.at ?? 0) >= sooner && (started[1]?.at ?? 0) >= soon).toBe(true);
});

test('a wait longer than any timer is cut to the longest one', async () => {
  const timers = vi.spyOn(globalThis, 'setTimeout');
  onTestFinished(() => timers.mockRestore());
  const { runner, names, add } = running();
  runner.start();
  await add('in a century', Date.now() + 100 * 365 * 86_400_000);
  expect(timers.mock.calls.map(([, wait]) => wait)).toEqual([2 ** 31 - 1]);
  expect(names()).toEqual([]);
});

test('OP-92: however many pieces of one kind are slow, another kind runs when it falls due', async () => {
  const { runner, names, add, arrival, open } = running(() => 1000);
  const slow = ['slow1', 'slow2', 'slow3', 'slow4', 'slow5'];
  for (const name of slow) await add(name, 900);
  runner.start();
  await Promise.all(slow.slice(0, 4).map(arrival));
  await add('quick', 1000, 'other');
  await arrival('quick');
  expect(names()).toEqual([...slow.slice(0, 4), 'quick']);
  for (const name of slow) open(name);
  await arrival('slow5');
});

test('advance waits for running work, and nothing runs by itself meanwhile', async () => {
  const { runner, names, add, arrival, open, clock } = running(() => 1000);
  runner.start();
  await add('slow1', 1000);
  await arrival('slow1');
  const advanced = runner.advance(3_600_000);
  await add('due', 1000);
  await add('later', 3_000_000);
  expect(names()).toEqual(['slow1']);
  open('slow1');
  expect(await advanced).toBe(2);
  expect(names()).toEqual(['slow1', 'due', 'later']);
  expect(clock.now()).toBe(3_601_000);
});

test('a piece on hold runs by itself as soon as it is released', async () => {
  const { runner, names, add, arrival, store } = running(() => 1000);
  const release = runner.hold(await add('on hold', 1000));
  runner.start();
  await add('free', 1000);
  await arrival('free');
  await store.flush();
  expect(names()).toEqual(['free']);
  release();
  await arrival('on hold');
});

test('stop waits for running work and starts nothing more', async () => {
  const { runner, names, add, arrival, open, store } = running(() => 1000);
  runner.start();
  await add('slow1', 1000);
  await arrival('slow1');
  const order: string[] = [];
  const stopped = runner.stop().then(() => order.push('stopped'));
  await add('too late', 1000);
  order.push('opened');
  open('slow1');
  await stopped;
  expect(order).toEqual(['opened', 'stopped']);
  expect(names()).toEqual(['slow1']);
  expect(store.all('due').map(({ payload }) => payload.name)).toEqual(['too late']);
});

test('a piece that is put on hold and released while it runs does not run a second time meanwhile', async () => {
  const { runner, names, add, arrival, open } = running(() => 1000);
  runner.start();
  const id = await add('slow', 1000);
  await arrival('slow');
  runner.hold(id)();
  await add('other', 1000);
  await arrival('other');
  expect(names()).toEqual(['slow', 'other']);
  open('slow');
});
