import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdir } from 'node:fs/promises';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { temporaryFolder } from '../harness/folders.ts';
import { open } from './stores.ts';

interface Child {
  readonly process: ChildProcess;
  /** Returns the lines that the process has written so far. */
  readonly lines: () => string[];
  /** Resolves when the process has written this many lines. */
  readonly wrote: (lines: number) => Promise<void>;
  /** Resolves when the process has ended and all its output has been read. */
  readonly ended: Promise<unknown>;
}

function start(what: 'burst' | 'hold' | 'leave', dir: string): Child {
  const child = spawn(process.execPath, [join(import.meta.dirname, 'child.ts'), what, dir], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  let output = '';
  const lines = (): string[] => output.split('\n').slice(0, -1);
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    output += text;
  });
  const ended = once(child, 'close');
  const wrote = async (count: number): Promise<void> => {
    while (lines().length < count) {
      const data = await Promise.race([once(child.stdout, 'data'), ended.then(() => undefined)]);
      if (!data) throw new Error(`The child ended after ${lines().length} lines`);
    }
  };
  return { process: child, lines, wrote, ended };
}

// The kills occur at different moments, so that they hit both appends and checkpoints.
test.each([1, 2, 10, 200, 1000, 3000, 5000])(
  'kill -9 after %i lines of a burst: every acknowledged transaction is there, and each is complete',
  async (lines) => {
    const dir = await temporaryFolder();
    const child = start('burst', dir);
    await child.wrote(lines);
    child.process.kill('SIGKILL');
    await child.ended;
    const acknowledged = child.lines().slice(1);

    const { store } = await open({ dir });
    expect(acknowledged.filter((id) => store.get('orders', id) === undefined)).toEqual([]);
    const orders = store.all('orders').map(({ points }) => points);
    expect(orders).toEqual(orders.map((_, at) => at));
    expect(store.all('counters').map(({ value }) => value)).toEqual(orders.flatMap((n) => [n, n]));
  },
);

test('the same process cannot open the folder twice, under any path, until it closes the first store', async () => {
  const dir = await temporaryFolder();
  const { store } = await open({ dir });
  const locked = {
    code: 'locked',
    message: expect.stringContaining(`is in use by process ${process.pid} on ${hostname()}: stop it first`),
  };
  await expect(open({ dir: join(dir, '..', dir.slice(dir.lastIndexOf('/'))) })).rejects.toMatchObject(locked);
  await store.close();
  await open({ dir });
});

test('of many processes that find the files of a dead one, exactly one gets the folder', async () => {
  const dir = await temporaryFolder();
  const holder = start('hold', dir);
  await holder.wrote(1);
  holder.process.kill('SIGKILL');
  await holder.ended;
  const outcomes = await Promise.allSettled(Array.from({ length: 20 }, () => open({ dir })));
  expect(outcomes.filter(({ status }) => status === 'fulfilled').length).toBe(1);
  expect((await readdir(dir)).filter((name) => name.startsWith('lock')).toSorted()).toEqual(['lock', 'lock.json']);
});

test('an open store does not keep its process alive', async () => {
  const child = start('leave', await temporaryFolder());
  expect(await child.ended).toEqual([0, null]);
  expect(child.lines()).toEqual(['open', 'o1']);
});
