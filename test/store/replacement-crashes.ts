/** Tests power cuts, kills and disk failures at each step of replacing the whole content. */
import { expect, test } from 'vitest';
import { type Slice, yieldToEventLoop } from '../../sandbox/store/row.ts';
import { type Store, StoreError } from '../../sandbox/store/store.ts';
import { type Call, systemError, withFaults } from '../harness/faulty-files.ts';
import { temporaryFolder } from '../harness/folders.ts';
import { LEFTOVERS, PowerCutFiles } from './power-cut-files.ts';
import type { Collections } from './schema.ts';
import { contentOf, open } from './stores.ts';

/** Small, so that checkpoints occur before and after the replacement. */
const checkpointAfterBytes = 250;

/** The customer of the orders and their number. The customer is ann before the replacement and bob after it. */
type State = readonly ['ann' | 'bob', number];

const record = (customer: string, n: number): Collections['orders'] => ({ customer, points: n });

/** Adds an order for the current customer. */
export const add = (store: Store<Collections>): Promise<State> =>
  store.transact((tx) => {
    const whose = tx.get('orders', 'o1')?.customer === 'bob' ? 'bob' : 'ann';
    const n = tx.count('orders') + 1;
    tx.put('orders', `o${n}`, record(whose, n));
    tx.put('counters', 'orders', { value: n });
    return [whose, n];
  });

/** Yields two orders of bob, and runs `meanwhile` in between to change the previous content. */
async function* content(meanwhile: () => Promise<unknown>): AsyncGenerator<Slice, void, void> {
  yield { collection: 'orders', rows: [{ id: 'o1', record: Object.freeze(record('bob', 1)) }] };
  await meanwhile();
  yield { collection: 'orders', rows: [{ id: 'o2', record: Object.freeze(record('bob', 2)) }] };
}

/** Replaces the content with two orders of bob, and adds a third. */
export function replace(store: Store<Collections>, meanwhile: () => Promise<unknown>): Promise<State> {
  return store.replace<State>({
    content: content(meanwhile),
    change: (tx) => {
      tx.put('orders', 'o3', record('bob', 3));
      tx.put('counters', 'orders', { value: 3 });
      return ['bob', 3];
    },
  });
}

interface Run {
  /** The last acknowledged state. */
  readonly acknowledged: State;
  /** The result of the replacement, or `undefined` if it never ended. */
  readonly replaced: 'done' | 'refused' | 'gave_up' | undefined;
  readonly calls: readonly Call[];
  /** The first failed call. */
  readonly failed: Call | undefined;
  /** The file names on the disk immediately after the replacement. */
  readonly names: readonly string[];
  /** The disk in its state before the store was closed. */
  readonly unclosed: PowerCutFiles;
}

/** Places orders before, during and after a replacement, on a disk that fails as `fails` specifies. */
async function run(disk: PowerCutFiles, fails: (call: Call) => boolean): Promise<Run> {
  const calls: Call[] = [];
  let failed: Call | undefined;
  const fs = withFaults(disk, (call) => {
    calls.push(call);
    if (!fails(call)) return;
    failed ??= call;
    throw systemError('EIO');
  });
  let acknowledged: State = ['ann', 0];
  const note = async (state: Promise<State>): Promise<StoreError | undefined> => {
    try {
      acknowledged = await state;
      return undefined;
    } catch (error) {
      if (!(error instanceof StoreError)) throw error;
      return error;
    }
  };
  let replaced: Run['replaced'];
  let names: string[] = [];
  let unclosed = disk.killed();
  try {
    const { store } = await open({ dir: await temporaryFolder(), fs, checkpointAfterBytes });
    const several = async (): Promise<void> => {
      for (let n = 0; n < 4; n += 1) {
        await note(add(store));
        await yieldToEventLoop();
      }
    };
    await several();
    const error = await note(replace(store, several));
    replaced = error === undefined ? 'done' : (error.code as 'refused' | 'gave_up');
    names = await disk.list();
    await several();
    unclosed = disk.killed();
    await store.close();
  } catch (error) {
    expect(error).toMatchObject({ code: 'unreadable' });
  }
  return { acknowledged, replaced, calls, failed, names, unclosed };
}

/** Opens the disk and returns its state, which must be consistent. Then adds two orders and checks that the result opens too. */
async function recoverState(disk: PowerCutFiles): Promise<State> {
  const options = { fs: disk, checkpointAfterBytes };
  const { store } = await open({ dir: await temporaryFolder(), ...options });
  const [whose, n] = stateOf(store);
  await add(store);
  await add(store);
  const unclosed = disk.killed();
  await store.close();
  for (const left of [unclosed, disk]) {
    const { store: next } = await open({ dir: await temporaryFolder(), ...options, fs: left });
    expect(stateOf(next)).toEqual([n === 0 ? 'ann' : whose, n + 2]);
    await next.close();
  }
  expect((await disk.list()).filter((name) => name.endsWith('.tmp'))).toEqual([]);
  return [whose, n];
}

export function stateOf(store: Store<Collections>): State {
  const n = store.count('orders');
  const whose = store.get('orders', 'o1')?.customer === 'bob' ? 'bob' : 'ann';
  const orders = Array.from({ length: n }, (_, at) => record(whose, at + 1));
  expect(contentOf(store)).toEqual({ orders, counters: n === 0 ? [] : [{ value: n }] });
  return [whose, n];
}

/**
 * Returns the possible states after a crash: the last acknowledged one, or one transaction more. That transaction may
 * be the replacement.
 */
function possible({ acknowledged: [whose, n], replaced }: Run): readonly State[] {
  const next: readonly State[] = replaced === 'gave_up' ? [['bob', 3]] : [];
  return [[whose, n], [whose, n + 1], ...next];
}

/** Declares tests that cut the power, kill the process, or fail once at each step. */
export function replacementCrashes(): void {
  test('control: the run has checkpoints before and after, and every kind of step', async () => {
    const { acknowledged, replaced, calls } = await run(new PowerCutFiles(), () => false);
    const steps = calls.filter(({ path }) => /db\.json|wal\.log/.test(path)).map(({ name }) => name);
    expect({ acknowledged, replaced, kinds: [...new Set(steps)].toSorted() }).toEqual({
      acknowledged: ['bob', 7],
      replaced: 'done',
      kinds: ['create', 'openToRead', 'read', 'remove', 'rename', 'sync', 'write'],
    });
    expect(calls.filter(({ name, path }) => name === 'rename' && path.includes('db.json')).length).toBeGreaterThan(2);
  });

  test('a power cut before any step of a replacement leaves all of the old content or all of the new', async () => {
    const { calls } = await run(new PowerCutFiles(), () => false);
    for (let step = 1; step <= calls.length + 1; step += 1) {
      const disk = new PowerCutFiles();
      const crashed = await run(disk, ({ number }) => number >= step);
      for (const leftover of LEFTOVERS) {
        const state = await recoverState(disk.afterPowerCut(leftover));
        expect({ step, leftover, possible: possible(crashed) }).toEqual({
          step,
          leftover,
          possible: expect.arrayContaining([state]),
        });
      }
    }
  });

  test('a process that is killed before any step also leaves all of the old content or all of the new', async () => {
    const { calls } = await run(new PowerCutFiles(), () => false);
    for (let step = 1; step <= calls.length; step += 1) {
      const disk = new PowerCutFiles();
      const killed = await run(disk, ({ number }) => number >= step);
      expect({ step, possible: possible(killed) }).toEqual({
        step,
        possible: expect.arrayContaining([await recoverState(disk)]),
      });
    }
  });

  test('after a single failed step, a reopening finds the acknowledged state, and no file of a refused replacement', async () => {
    const { calls } = await run(new PowerCutFiles(), () => false);
    for (const { number } of calls) {
      const disk = new PowerCutFiles();
      const after = await run(disk, (call) => call.number === number);
      // Scheduling determines which call fails. A run may end before it reaches that call.
      const { name, path } = after.failed ?? { name: 'none', path: '' };
      const states = after.replaced === 'gave_up' ? possible(after) : [after.acknowledged];
      for (const left of [after.unclosed, ...LEFTOVERS.map((leftover) => disk.afterPowerCut(leftover))]) {
        expect({ number, name, path, states }).toEqual({
          number,
          name,
          path,
          states: expect.arrayContaining([await recoverState(left)]),
        });
      }
      if (after.replaced !== 'refused') continue;
      const left = after.names.filter((each) => each.endsWith('.tmp'));
      expect({ number, name, path, left }).toEqual({ number, name, path, left: [] });
    }
  });
}
