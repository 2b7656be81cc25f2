/** Tests power cuts, kills and disk failures at each step of opening, appending, checkpointing and closing. */
import { expect, test } from 'vitest';
import { yieldToEventLoop } from '../../sandbox/store/row.ts';
import type { Store } from '../../sandbox/store/store.ts';
import { type Call, systemError, withFaults } from '../harness/faulty-files.ts';
import { temporaryFolder } from '../harness/folders.ts';
import { LEFTOVERS, PowerCutFiles } from './power-cut-files.ts';
import type { Collections } from './schema.ts';
import { open } from './stores.ts';

interface Run {
  readonly acknowledged: number;
  readonly calls: readonly Call[];
  /** The disk in its state before the store was closed. */
  readonly unclosed: PowerCutFiles | undefined;
}

/** Small, so that the disk contains a log, a checkpoint in progress, and documents of several checkpoints. */
const checkpointAfterBytes = 150;
const TRANSACTIONS = 8;

/** Writes numbered orders, one per transaction, until the disk fails or all are written. Returns the number of written orders. */
async function numberOrders(store: Store<Collections>, upTo = TRANSACTIONS): Promise<number> {
  for (let n = store.count('orders') + 1; n <= upTo; n++) {
    try {
      await store.transact((tx) => {
        tx.put('orders', `o${n}`, { customer: 'ann', points: n });
        tx.put('counters', 'orders', { value: n });
      });
      // Allow a checkpoint in progress to continue.
      await yieldToEventLoop();
    } catch (error) {
      expect(error).toMatchObject({ name: 'StoreError' });
      return n - 1;
    }
  }
  return upTo;
}

/** Opens a store, writes to it and closes it, on a disk that fails as `fails` specifies. */
async function run(disk: PowerCutFiles, fails: (call: Call) => boolean): Promise<Run> {
  const calls: Call[] = [];
  const fs = withFaults(disk, (call) => {
    calls.push(call);
    if (fails(call)) throw systemError('EIO');
  });
  // This folder contains only the lock. The content is on the simulated disk.
  const dir = await temporaryFolder();
  try {
    const { store } = await open({ dir, fs, checkpointAfterBytes });
    const acknowledged = await numberOrders(store);
    const unclosed = disk.killed();
    await store.close();
    return { acknowledged, calls, unclosed };
  } catch (error) {
    expect(error).toMatchObject({ code: 'unreadable' });
    return { acknowledged: 0, calls, unclosed: undefined };
  }
}

/** Returns the number of orders. Asserts that each is complete and none is missing. */
function ordersOf(store: Store<Collections>): number {
  const last = store.count('orders');
  const expected = Array.from({ length: last }, (_, at) => ({ customer: 'ann', points: at + 1 }));
  expect([store.all('orders'), store.get('counters', 'orders')?.value ?? 0]).toEqual([expected, last]);
  return last;
}

/** Opens the disk and returns the number of orders. Then adds two orders and checks that the result opens too. */
async function countRecovered(disk: PowerCutFiles): Promise<number> {
  const options = { checkpointAfterBytes };
  const { store } = await open({ dir: await temporaryFolder(), fs: disk, ...options });
  const last = ordersOf(store);
  expect(await numberOrders(store, last + 2)).toBe(last + 2);
  const unclosed = disk.killed();
  await store.close();
  const { store: next } = await open({ dir: await temporaryFolder(), fs: unclosed, ...options });
  expect(ordersOf(next)).toBe(last + 2);
  await next.close();
  return last;
}

/** Tests every kind of leftover. No acknowledged order may be missing, and at most one other order may exist. */
async function expectNothingLost(disk: PowerCutFiles, acknowledged: number, step: number): Promise<void> {
  for (const leftover of LEFTOVERS) {
    const next = disk.afterPowerCut(leftover);
    const last = await countRecovered(next);
    expect({ step, leftover, lost: last < acknowledged, invented: last > acknowledged + 1 }).toEqual({
      step,
      leftover,
      lost: false,
      invented: false,
    });
    const closed = next.afterPowerCut({ contents: false, names: 'none' });
    expect(await countRecovered(closed)).toBe(last + 2);
  }
}

test('a power cut before any step of opening, appending, a checkpoint and closing loses nothing acknowledged', async () => {
  const { acknowledged, calls } = await run(new PowerCutFiles(), () => false);
  const renames = calls.filter(({ name, path }) => name === 'rename' && path.includes('db.json'));
  expect({ acknowledged, severalCheckpoints: renames.length > 2 }).toEqual({
    acknowledged: TRANSACTIONS,
    severalCheckpoints: true,
  });
  for (let step = 1; step <= calls.length + 1; step += 1) {
    const disk = new PowerCutFiles();
    const crashed = await run(disk, ({ number }) => number >= step);
    await expectNothingLost(disk, crashed.acknowledged, step);
  }
});

test('a second power cut before any step of the recovery from the first also loses nothing', async () => {
  const whole = await run(new PowerCutFiles(), () => false);
  const renames = whole.calls.filter(
    ({ name, path }) => ['rename', 'syncDir'].includes(name) && path.includes('db.json'),
  );
  for (const { number } of renames) {
    const first = new PowerCutFiles();
    const { acknowledged } = await run(first, (call) => call.number >= number);
    const left = (): PowerCutFiles => first.afterPowerCut({ contents: true, names: 'all' });
    const { calls } = await run(left(), () => false);
    for (let step = 1; step <= calls.length; step += 1) {
      const disk = left();
      const again = await run(disk, (call) => call.number >= step);
      await expectNothingLost(disk, Math.max(acknowledged, again.acknowledged), step);
    }
  }
});

test('everything that a process reads and acknowledges after another was killed at any step survives a power cut', async () => {
  const { calls } = await run(new PowerCutFiles(), () => false);
  for (let step = 1; step <= calls.length; step += 1) {
    // A kill leaves the disk unchanged, including unsynced data.
    const disk = new PowerCutFiles();
    await run(disk, ({ number }) => number >= step);
    const { store } = await open({ dir: await temporaryFolder(), fs: disk, checkpointAfterBytes });
    const visible = store.count('orders');
    const afterReading = LEFTOVERS.map((leftover) => disk.afterPowerCut(leftover));
    const acknowledged = await numberOrders(store);
    const afterWorking = LEFTOVERS.map((leftover) => disk.afterPowerCut(leftover));
    await store.close();
    for (const left of afterReading) expect([step, await countRecovered(left)]).toEqual([step, visible]);
    for (const left of afterWorking) expect([step, await countRecovered(left)]).toEqual([step, acknowledged]);
  }
});

test('after a single failed step, a reopening finds exactly the acknowledged orders', async () => {
  const { calls } = await run(new PowerCutFiles(), () => false);
  for (const { number, name, path } of calls) {
    const disk = new PowerCutFiles();
    const { acknowledged, unclosed } = await run(disk, (call) => call.number === number);
    if (unclosed) expect([name, path, await countRecovered(unclosed)]).toEqual([name, path, acknowledged]);
    for (const leftover of LEFTOVERS) {
      expect([name, path, leftover, await countRecovered(disk.afterPowerCut(leftover))]).toEqual([
        name,
        path,
        leftover,
        acknowledged,
      ]);
    }
  }
});
