/** Tests waiting callers. Commits wake them, and a timeout, a disconnection or the end of the sandbox releases them. */
import { expect, test, vi } from 'vitest';
import { Activity } from '../../sandbox/activity-log/activity.ts';
import { type ActivityCollections, activitySchema } from '../../sandbox/activity-log/stored-log.ts';
import type { Patience } from '../../sandbox/contract/types.ts';
import { Clock } from '../../sandbox/runtime/clock.ts';
import { Waiting, type WatchedQuery } from '../../sandbox/runtime/waiting.ts';
import { openMemoryStore } from '../../sandbox/store/memory.ts';
import { nothing } from '../../sandbox/store/row.ts';

interface Collections extends ActivityCollections {
  readonly notes: string;
  readonly others: string;
}

/** Returns a query over the whole collection, which every change matches. */
function notes<T>(look: () => readonly T[]): WatchedQuery<T> {
  return { collection: 'notes', matches: () => true, look };
}

function patience({ signal }: AbortController, seconds = 10): Patience {
  return { seconds, gone: signal, aside: (waiting) => waiting };
}

/** Creates a store and a function that waits for its commits, with timers that the test fires. */
function waitingStore() {
  const store = openMemoryStore<Collections>({ ...activitySchema, notes: { ordered: true }, others: {} });
  const activity = new Activity(store, new Clock({ mode: 'frozen', value: 0 }, () => 0), expect.fail);
  const timers: { runOut: () => void; milliseconds: number; off: boolean }[] = [];
  const waiting = new Waiting(store, activity, (runOut, milliseconds) => {
    const timer = { runOut, milliseconds, off: false };
    timers.push(timer);
    return () => {
      timer.off = true;
    };
  });
  const caller = new AbortController();
  const all = notes(() => store.range('notes', {}));
  const wait = (seconds = 10) => waiting.first(all, patience(caller, seconds));
  const write = (collection: 'notes' | 'others', text: string) =>
    store.transact((tx) => tx.put(collection, text, text));
  return { store, activity, waiting, timers, caller, wait, write };
}

const turn = () => new Promise(setImmediate);

test('existing records are returned immediately, and no timer is set', async () => {
  const { wait, write, timers, waiting } = waitingStore();
  await write('notes', 'here');
  expect(await wait()).toEqual(['here']);
  expect([timers, waiting.size]).toEqual([[], 0]);
});

test('a wait of 0 seconds returns immediately', async () => {
  const { wait, timers } = waitingStore();
  expect(await wait(0)).toEqual([]);
  expect(timers).toEqual([]);
});

test('a commit to the collection ends the wait with its records; one to another collection does not', async () => {
  const { wait, write, timers, waiting } = waitingStore();
  const waited = wait(10);
  await write('others', 'elsewhere');
  await turn();
  expect(waiting.size).toBe(1);
  await write('notes', 'first');
  expect(await waited).toEqual(['first']);
  expect([timers.map(({ milliseconds, off }) => [milliseconds, off]), waiting.size]).toEqual([[[10_000, true]], 0]);
});

test('a timeout returns an empty list', async () => {
  const { wait, timers, waiting } = waitingStore();
  const waited = wait();
  timers[0]?.runOut();
  expect(await waited).toEqual([]);
  expect(waiting.size).toBe(0);
});

test('a caller that disconnects is removed, with its timer', async () => {
  const { wait, caller, timers, waiting } = waitingStore();
  const waited = wait();
  caller.abort();
  expect(await waited).toEqual([]);
  expect([timers[0]?.off, waiting.size]).toEqual([true, 0]);
  expect(await wait()).toEqual([]);
  expect(timers).toHaveLength(1);
});

test('the end of the sandbox ends every wait, and allows no new one', async () => {
  const { wait, waiting, timers } = waitingStore();
  const waits = [wait(), wait(), wait()];
  expect(waiting.size).toBe(3);
  waiting.stop();
  expect(await Promise.all(waits)).toEqual([[], [], []]);
  expect(await wait()).toEqual([]);
  expect([timers.length, waiting.size]).toEqual([3, 0]);
});

test('OP-59: two hundred callers can wait; one more is answered as if its wait had ended', async () => {
  const { wait, write, waiting, timers } = waitingStore();
  const waits = Array.from({ length: 200 }, () => wait());
  expect(await wait()).toEqual([]);
  expect([waiting.size, timers.length]).toEqual([200, 200]);
  await write('notes', 'here');
  expect(await Promise.all(waits)).toEqual(waits.map(() => ['here']));
  expect(waiting.size).toBe(0);
});

test('OP-59: commits in one turn of the event loop wake a caller once, and each caller gets a turn of its own', async () => {
  const { waiting, write, caller } = waitingStore();
  let looks = 0;
  let most = 0;
  const waits = Array.from({ length: 20 }, (_, number) => {
    let ownLooks = 0;
    const look = () => {
      looks += 1;
      ownLooks += 1;
      return ownLooks > 2 ? [number] : [];
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

test('a query that fails ends the wait with its error', async () => {
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

test('after the whole store is replaced, waiting callers query again', async () => {
  const { store, wait } = waitingStore();
  const waits = wait();
  await store.replace({ content: nothing, change: (tx) => tx.put('notes', 'new', 'new') });
  expect(await waits).toEqual(['new']);
});

test('a commit applies the filter of a caller once to each changed record, and runs no query without a match', async () => {
  const { store, waiting, caller } = waitingStore();
  await store.transact((tx) => {
    for (let number = 0; number < 500; number += 1) tx.put('notes', `old ${number}`, `old ${number}`);
  });
  const filterCalls: unknown[] = [];
  let looks = 0;
  const waited = waiting.first(
    {
      collection: 'notes',
      matches: (record) => {
        filterCalls.push(record);
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
  expect([filterCalls, looks]).toEqual([['changed', 'old 7'], 1]);
  await store.transact((tx) => tx.put('notes', 'c', 'wanted'));
  expect(await waited).toEqual(['wanted']);
  expect([filterCalls, looks]).toEqual([['changed', 'old 7', 'wanted'], 2]);
});

test('a filter that fails makes only its own caller query', async () => {
  const { waiting, wait, write, caller } = waitingStore();
  const failing = { ...notes(() => []), matches: () => expect.unreachable() };
  const alone = waiting.first(failing, patience(caller));
  const other = wait();
  await write('notes', 'here');
  expect(await other).toEqual(['here']);
  caller.abort();
  expect(await alone).toEqual([]);
});

test('a logged call ends the wait of a caller of the log, and of no other', async () => {
  const { activity, waiting, wait, caller } = waitingStore();
  const look = () => activity.after(0).map(({ seq }) => seq);
  const waits = [waiting.first({ collection: 'activity', matches: () => true, look }, patience(caller)), wait()];
  const place = { trace: 't', party: 'client', method: 'GET', url: '/', operation: null } as const;
  const call = { kind: 'call_in', began: '2026-01-12T04:30:00.000Z', ...place } as const;
  await activity.call({ ...call, status: 200, request: null, reply: null, notices: [] });
  expect(await waits[0]).toEqual([1]);
  expect(waiting.size).toBe(1);
  caller.abort();
  expect(await waits[1]).toEqual([]);
});

test('it listens to store and log from its first caller to its last, and while none waits to neither', async () => {
  const { store, activity, wait, waiting, write, caller } = waitingStore();
  const ended: string[] = [];
  const on = (what: string) => () => () => ended.push(what);
  const commits = vi.spyOn(store, 'onCommit').mockImplementation(on('commits'));
  const calls = vi.spyOn(activity, 'onUpdate').mockImplementation(on('calls'));
  await write('others', 'elsewhere');
  expect([commits, calls].map(({ mock }) => mock.calls.length)).toEqual([0, 0]);
  const leaver = new AbortController();
  const none = notes(() => []);
  const first = waiting.first(none, patience(leaver));
  const second = wait();
  expect([commits, calls].map(({ mock }) => mock.calls.length)).toEqual([1, 1]);
  leaver.abort();
  await first;
  expect(ended).toEqual([]);
  caller.abort();
  await second;
  expect(ended).toEqual(['commits', 'calls']);
});
