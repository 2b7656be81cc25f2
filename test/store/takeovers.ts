/**
 * One process is stopped at a step, another takes the folder over, and the first wakes up: at once, or at any step of
 * the takeover. Both work on one disk in memory; the lock is the real one, from two namespaces.
 */
import { expect, test } from 'vitest';
import type { Files, OpenFile } from '../../sandbox/store/files.ts';
import { lockFolder } from '../../sandbox/store/lock.ts';
import { openLowdbStore } from '../../sandbox/store/lowdb.ts';
import type { Store } from '../../sandbox/store/store.ts';
import { type Call, systemError, withFaults } from '../harness/faulty-files.ts';
import { temporaryFolder } from '../harness/folders.ts';
import { type Books, historySpec as spec } from './books-spec.ts';
import { Hands, killIn, namespace } from './namespaces.ts';
import { LEFTOVERS, PowerCutFiles } from './power-cut-files.ts';

const transactions = 8;

/** A process that can be stopped before a step of its own, and woken up. */
export class Process {
  readonly #name: string;
  readonly #dir: string;
  readonly #files: Files;
  readonly #stopped = Promise.withResolvers<void>();
  readonly #woken = Promise.withResolvers<void>();
  readonly warnings: string[] = [];
  readonly acknowledged: string[] = [];
  readonly hands = new Hands();
  steps = 0;

  /** @param before what happens before its step of a number: it stops, or something else does */
  constructor(name: string, dir: string, disk: Files, before: (call: Call) => 'stop' | unknown = () => undefined) {
    this.#name = name;
    this.#dir = dir;
    this.#files = withFaults(inHalves(disk), (call) => {
      this.steps = call.number;
      const what = before(call);
      // Before a write that happens at once it cannot be stopped: it is, before its next step.
      return what === 'stop' ? this.#stop() : what;
    });
  }

  #stop(): Promise<void> {
    this.#stopped.resolve();
    return this.#woken.promise;
  }

  open(): Promise<Store<Books>> {
    return openLowdbStore<Books>({
      dir: this.#dir,
      spec,
      warn: (message) => this.warnings.push(message),
      // Small, so that folds happen often.
      foldAfterBytes: 150,
      fs: this.#files,
      lock: (dir, options) => lockFolder(dir, { ...options, kernelLock: namespace(this.#name), pauses: this.hands }),
    });
  }

  /** Opens, numbers orders with its name, and closes. Resolves with the error that ended it, if any. */
  async work(): Promise<unknown> {
    let store: Store<Books> | undefined;
    try {
      store = await this.open();
      await this.order(store, transactions);
      return undefined;
    } catch (error) {
      return error;
    } finally {
      await store?.close();
      // Where others had their turn at other steps than in the run that was counted, it may end before its step.
      this.#stopped.resolve();
    }
  }

  async order(store: Store<Books>, count: number): Promise<void> {
    for (let n = 0; n < count; n += 1) {
      const id = `${this.#name}${this.acknowledged.length + 1}`;
      await store.transact((tx) => tx.put('orders', id, { customer: this.#name, points: n }));
      this.acknowledged.push(id);
    }
  }

  /** Lets another live on while this one watches it. */
  besides(other: Process): void {
    this.hands.meanwhile = () => {
      other.hands.strike();
      return new Promise(setImmediate);
    };
  }

  /** Resolves when it has stopped, or has ended before that. */
  stopped(): Promise<void> {
    return this.#stopped.promise;
  }

  wake(): void {
    this.#woken.resolve();
  }
}

/** Takes what is written in two pieces, so that a process can be stopped in the middle of a line. */
function inHalves(files: Files): Files {
  const halved = (file: OpenFile): OpenFile => ({
    read: (bytes, position) => file.read(bytes, position),
    readNow: (bytes, position) => file.readNow(bytes, position),
    write: (bytes, position) => file.write(bytes.subarray(0, Math.ceil(bytes.length / 2) || 1), position),
    writeNow: (bytes, position) => file.writeNow(bytes.subarray(0, Math.ceil(bytes.length / 2) || 1), position),
    truncate: (length) => file.truncate(length),
    sync: () => file.sync(),
    close: () => file.close(),
  });
  return {
    makeDir: (path) => files.makeDir(path),
    list: (path) => files.list(path),
    read: (path) => files.read(path),
    openToRead: (path) => files.openToRead(path),
    create: async (path) => halved(await files.create(path)),
    open: async (path) => halved(await files.open(path)),
    rename: (from, to) => files.rename(from, to),
    remove: (path) => files.remove(path),
    syncDir: (path) => files.syncDir(path),
  };
}

/** How many steps the work of one process has. */
async function stepsOfWork(): Promise<number> {
  const alone = new Process('a', await temporaryFolder(), new PowerCutFiles());
  expect(await alone.work()).toBeUndefined();
  expect(alone.acknowledged.length).toBe(transactions);
  return alone.steps;
}

/** The ids that a new process finds; it is in no namespace of the others. */
async function found(dir: string, disk: Files): Promise<string[]> {
  const reader = new Process('reader', dir, disk);
  const store = await reader.open();
  const ids = [...store.ids('orders')];
  await store.close();
  return ids;
}

/** Fails where something acknowledged is missing, or something is there that nobody asked for. */
function expectAll(where: object, ids: readonly string[], ...processes: readonly Process[]): void {
  const acknowledged = processes.flatMap((process) => process.acknowledged);
  const lost = acknowledged.filter((id) => !ids.includes(id));
  const more = ids.filter((id) => !acknowledged.includes(id));
  // One order of each may have been under way: it was refused, or not answered.
  const underWay = processes.length;
  expect({ ...where, lost, tooMany: more.length > underWay, twice: ids.length - new Set(ids).size }).toEqual({
    ...where,
    lost: [],
    tooMany: false,
    twice: 0,
  });
}

/** Every step that is tried, or only every n-th: that is the short form. */
export function takeovers(every: number): void {
  test('a process that is stopped before any step and wakes up after a takeover acknowledges nothing, and nothing is lost', async () => {
    const steps = await stepsOfWork();
    for (let step = 1; step <= steps; step += every) {
      const [dir, disk] = [await temporaryFolder(), new PowerCutFiles()];
      const old = new Process('a', dir, disk, ({ number }) => (number >= step ? 'stop' : undefined));
      const working = old.work();
      await old.stopped();
      const next = new Process('b', dir, disk);
      old.besides(next);
      const store = await next.open();
      const before = old.acknowledged.length;
      await next.order(store, 3);
      old.wake();
      const error = await working;
      // At its last steps it had acknowledged all.
      if (before < transactions) expect([step, error]).toMatchObject([step, { name: 'StoreError' }]);
      expect([step, old.acknowledged.length]).toEqual([step, before]);
      await next.order(store, 3);
      const ids = [...store.ids('orders')];
      expectAll({ step }, ids, old, next);
      await store.close();
      expect([step, await found(dir, disk)]).toEqual([step, ids]);
    }
  });

  test('it loses nothing either where it wakes up before any step of the takeover', async () => {
    const steps = await stepsOfWork();
    for (let step = 3; step <= steps; step += every) {
      for (let at = 1; at <= 30; at += every) {
        const [dir, disk] = [await temporaryFolder(), new PowerCutFiles()];
        const old = new Process('a', dir, disk, ({ number }) => (number >= step ? 'stop' : undefined));
        const working = old.work();
        await old.stopped();
        // It does all that it still can before the other goes on.
        const next = new Process('b', dir, disk, async ({ number }) => {
          if (number !== at) return;
          old.wake();
          await working;
        });
        old.besides(next);
        const error = await next.work();
        old.wake();
        await working;
        const where = { step, at };
        // Who wakes up before the other has the lock is alive, and goes on.
        if (error !== undefined) expect([where, error]).toMatchObject([where, { code: 'locked' }]);
        expectAll(where, await found(dir, disk), old, next);
        expect(old.acknowledged.length + next.acknowledged.length).toBeGreaterThanOrEqual(transactions);
      }
    }
  });

  test('a power cut before any step of a takeover loses nothing, and what the stopped process still writes counts for nothing', async () => {
    const steps = await stepsOfWork();
    // Six disks for each pair of steps: in steps that share no factor with the others, so that each meets each.
    for (let step = 3; step <= steps; step += every + 4) {
      for (let at = 3; at <= 24; at += every) {
        for (const leftover of LEFTOVERS) {
          const [dir, disk] = [await temporaryFolder(), new PowerCutFiles()];
          const old = new Process('a', dir, disk, ({ number }) => (number >= step ? 'stop' : undefined));
          const working = old.work();
          await old.stopped();
          const next = new Process('b', dir, disk, ({ number }) => {
            if (number >= at) throw systemError('EIO');
          });
          await next.work();
          killIn('b', dir);
          const left = disk.afterPowerCut(leftover);
          expectAll({ step, at, leftover }, await found(dir, left), old, next);
          old.wake();
          await working;
        }
      }
    }
  });
}
