/** Callers who wait: woken by commits, and set free by the end of their patience, their leaving, and the end of the sandbox. */
import { expect, test } from 'vitest';
import { Waiting } from '../../sandbox/runtime/waiting.ts';
import { openMemoryStore } from '../../sandbox/store/memory.ts';

interface Books {
  readonly notes: string;
  readonly others: string;
}

/** A store with a waiting room whose timer the test rings itself. */
function room() {
  const store = openMemoryStore<Books>({ notes: { ordered: true }, others: {} });
  const timers: { ring: () => void; milliseconds: number; off: boolean }[] = [];
  const waiting = new Waiting(store, (ring, milliseconds) => {
    const timer = { ring, milliseconds, off: false };
    timers.push(timer);
    return () => {
      timer.off = true;
    };
  });
  const caller = new AbortController();
  const wait = (seconds = 10) =>
    waiting.first('notes', () => store.range('notes', {}), { seconds, gone: caller.signal });
  const write = (collection: keyof Books, text: string) => store.transact((tx) => tx.put(collection, text, text));
  return { waiting, timers, caller, wait, write };
}

test('what is there already is answered at once, and no timer is set', async () => {
  const { wait, write, timers, waiting } = room();
  await write('notes', 'here');
  expect(await wait()).toEqual(['here']);
  expect([timers, waiting.size]).toEqual([[], 0]);
});

test('no wait is no wait', async () => {
  const { wait, timers } = room();
  expect(await wait(0)).toEqual([]);
  expect(timers).toEqual([]);
});

test('a commit to the collection answers, with what it brought; one to another collection does not', async () => {
  const { wait, write, timers, waiting } = room();
  const waited = wait(10);
  await write('others', 'elsewhere');
  expect(waiting.size).toBe(1);
  await write('notes', 'first');
  await write('notes', 'second');
  expect(await waited).toEqual(['first']);
  expect([timers.map(({ milliseconds, off }) => [milliseconds, off]), waiting.size]).toEqual([[[10_000, true]], 0]);
});

test('the end of the wait answers with an empty list', async () => {
  const { wait, timers, waiting } = room();
  const waited = wait();
  timers[0]?.ring();
  expect(await waited).toEqual([]);
  expect(waiting.size).toBe(0);
});

test('a caller that leaves is forgotten, with its timer', async () => {
  const { wait, caller, timers, waiting } = room();
  const waited = wait();
  caller.abort();
  expect(await waited).toEqual([]);
  expect([timers[0]?.off, waiting.size]).toEqual([true, 0]);
  expect(await wait()).toEqual([]);
  expect(timers).toHaveLength(1);
});

test('the end of the sandbox ends every wait, and lets nobody wait any more', async () => {
  const { wait, waiting, timers } = room();
  const waits = [wait(), wait(), wait()];
  expect(waiting.size).toBe(3);
  waiting.stop();
  expect(await Promise.all(waits)).toEqual([[], [], []]);
  expect(await wait()).toEqual([]);
  expect([timers.length, waiting.size]).toEqual([3, 0]);
});
