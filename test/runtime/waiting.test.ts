/**
 * Callers who wait: woken by commits, and set free by the end of their patience, their leaving, and the end of the
 * sandbox.
 */
import { expect, test } from 'vitest';
import type { Patience } from '../../sandbox/contract/types.ts';
import { Waiting, type WatchedQuery } from '../../sandbox/runtime/waiting.ts';
import { openMemoryStore } from '../../sandbox/store/memory.ts';
import { nothing } from '../../sandbox/store/view.ts';

interface Collections {
  readonly notes: string;
  readonly others: string;
}

/** Everything of the collection, which any change can bring. */
function notes<T>(look: () => readonly T[]): WatchedQuery<T> {
  return { collection: 'notes', matches: () => true, look };
}

function patience({ signal }: AbortController, seconds = 10): Patience {
  return { seconds, gone: signal, aside: (waiting) => waiting };
}

/** A store, and callers who wait for its commits by timers that the test lets run out itself. */
function waitingStore() {
  const store = openMemoryStore<Collections>({ notes: { ordered: true }, others: {} });
  const timers: { runOut: () => void; milliseconds: number; off: boolean }[] = [];
  const waiting = new Waiting(store, (runOut, milliseconds) => {
    const timer = { runOut, milliseconds, off: false };
    timers.push(timer);
    return () => {
      timer.off = true;
    };
  });
  const caller = new AbortController();
  const wait = (seconds = 10) =>
    waiting.first(
      notes(() => store.range('notes', {})),
      patience(caller, seconds),
    );
  const write = (collection: keyof Collections, text: string) => store.transact((tx) => tx.put(collection, text, text));
  return { store, waiting, timers, caller, wait, write };
}

const turn = () => new Promise(setImmediate);

test('what is there already is answered at once, and no timer is set', async () => {
  const { wait, write, timers, waiting } = waitingStore();
  await write('notes', 'here');
  expect(await wait()).toEqual(['here']);
  expect([timers, waiting.size]).toEqual([[], 0]);
});

test('no wait is no wait', async () => {
  const { wait, timers } = waitingStore();
  expect(await wait(0)).toEqual([]);
  expect(timers).toEqual([]);
});

test('a commit to the collection answers, with what it brought; one to another collection does not', async () => {
  const { wait, write, timers, waiting } = waitingStore();
  const waited = wait(10);
  await write('others', 'elsewhere');
  await turn();
  expect(waiting.size).toBe(1);
  await write('notes', 'first');
  expect(await waited).toEqual(['first']);
  expect([timers.map(({ milliseconds, off }) => [milliseconds, off]), waiting.size]).toEqual([[[10_000, true]], 0]);
});

test('the end of the wait answers with an empty list', async () => {
  const { wait, timers, waiting } = waitingStore();
  const waited = wait();
  timers[0]?.runOut();
  expect(await waited).toEqual([]);
  expect(waiting.size).toBe(0);
});

test('a caller that leaves is forgotten, with its timer', async () => {
  const { wait, caller, timers, waiting } = waitingStore();
  const waited = wait();
  caller.abort();
  expect(await waited).toEqual([]);
  expect([timers[0]?.off, waiting.size]).toEqual([true, 0]);
  expect(await wait()).toEqual([]);
  expect(timers).toHaveLength(1);
});

test('the end of the sandbox ends every wait, and lets nobody wait any more', async () => {
  const { wait, waiting, timers } = waitingStore();
  const waits = [wait(), wait(), wait()];
  expect(waiting.size).toBe(3);
  waiting.stop();
  expect(await Promise.all(waits)).toEqual([[], [], []]);
  expect(await wait()).toEqual([]);
  expect([timers.length, waiting.size]).toEqual([3, 0]);
});

test('OP-59: two hundred wait at once; one more is answered as if its patience had ended', async () => {
  const { wait, write, waiting, timers } = waitingStore();
  const waits = Array.from({ length: 200 }, () => wait());
  expect(await wait()).toEqual([]);
  expect([waiting.size, timers.length]).toEqual([200, 200]);
  await write('notes', 'here');
  expect(await Promise.all(waits)).toEqual(waits.map(() => ['here']));
  expect(waiting.size).toBe(0);
});

test('OP-59: commits in one turn of the loop wake a caller once, and each caller has a turn of its own', async () => {
  const { waiting, write, caller } = waitingStore();
  let looks = 0;
  let most = 0;
  const waits = Array.from({ length: 20 }, (_, number) => {
    let seen = 0;
    const look = () => {
      looks += 1;
      seen += 1;
      return seen > 2 ? [number] : [];
    };
    return waiting.first(notes(look), patience(caller));
  });
  const settled = Promise.all(waits);
  for (const text of ['a', 'b']) {
    await Promise.all(['1', '2', '3'].map((number) => write('notes', text + number)));
    for (let turns = 0; turns < 50; turns += 1) {
      looks = 0;
      await turn();
      most = Math.max(most, looks);
    }
  }
  expect(await settled).toEqual(waits.map((_, number) => [number]));
  expect(most).toBe(1);
});

test('a look that fails ends the wait with its error', async () => {
  const { waiting, write, caller } = waitingStore();
  let looks = 0;
  const look = () => {
    looks += 1;
    if (looks > 1) throw new Error('cannot look');
    return [];
  };
  const waited = waiting.first(notes(look), patience(caller));
  await Promise.all([expect(waited).rejects.toThrow('cannot look'), write('notes', 'here')]);
  expect(waiting.size).toBe(0);
});

test('everything was replaced: whoever waits looks again', async () => {
  const { store, wait } = waitingStore();
  const waits = wait();
  await store.replace({ content: nothing, change: (tx) => tx.put('notes', 'new', 'new') });
  expect(await waits).toEqual(['new']);
});

test('a commit asks the filter of a caller once for each record that it changed, and runs no query that finds nothing', async () => {
  const { store, waiting, caller } = waitingStore();
  await store.transact((tx) => {
    for (let number = 0; number < 500; number += 1) tx.put('notes', `old ${number}`, `old ${number}`);
  });
  const asked: unknown[] = [];
  let looks = 0;
  const waited = waiting.first(
    {
      collection: 'notes',
      matches: (record) => {
        asked.push(record);
        return record === 'wanted';
      },
      look: () => {
        looks += 1;
        return store.range('notes', {}).filter((note) => note === 'wanted');
      },
    },
    patience(caller),
  );
  await store.transact((tx) => {
    tx.put('notes', 'a', 'changed');
    tx.put('others', 'b', 'elsewhere');
    tx.remove('notes', 'old 7');
  });
  await turn();
  expect([asked, looks]).toEqual([['changed', 'old 7'], 1]);
  await store.transact((tx) => tx.put('notes', 'c', 'wanted'));
  expect(await waited).toEqual(['wanted']);
  expect([asked, looks]).toEqual([['changed', 'old 7', 'wanted'], 2]);
});

test('a filter that fails makes its own caller look, and nobody else', async () => {
  const { waiting, wait, write, caller } = waitingStore();
  const failing = { ...notes(() => []), matches: () => expect.unreachable() };
  const alone = waiting.first(failing, patience(caller));
  const other = wait();
  await write('notes', 'here');
  expect(await other).toEqual(['here']);
  caller.abort();
  expect(await alone).toEqual([]);
});
