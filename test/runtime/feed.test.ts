/** The live stream of the activity log: order, no gaps, bounded memory, and its ends. */
import { once } from 'node:events';
import type { Readable } from 'node:stream';
import { expect, test } from 'vitest';
import { Activity, type ActivityBooks, activitySpec, wanted } from '../../sandbox/runtime/activity.ts';
import { Clock } from '../../sandbox/runtime/clock.ts';
import { Feed } from '../../sandbox/runtime/feed.ts';
import { openMemoryStore } from '../../sandbox/store/memory.ts';

/** A log with a feed whose timers the test rings itself. */
function log() {
  const store = openMemoryStore<ActivityBooks>(activitySpec);
  const activity = new Activity(store, new Clock({ mode: 'frozen', value: 0 }, () => 0), () => {});
  const timers = new Set<() => void>();
  const feed = new Feed(store, (ring) => {
    timers.add(ring);
    return () => timers.delete(ring);
  });
  const note = (count: number, detail: Record<string, string> = {}, uid = 'CUST0001') =>
    store.transact((tx) => {
      for (let at = 0; at < count; at += 1) {
        activity.note(tx, { trace: 't', party: 'client', event: 'noted', uid, detail });
      }
    });
  const beat = () => {
    for (const ring of [...timers]) {
      timers.delete(ring);
      ring();
    }
  };
  return { store, feed, timers, note, beat };
}

const everything = () => true;

/** Reads a stream as it comes. */
function reading(stream: Readable) {
  let text = '';
  stream.on('data', (chunk) => {
    text += String(chunk);
  });
  const ids = () => [...text.matchAll(/^id: (\d+)$/gm)].map(([, id]) => Number(id));
  return { ids, text: () => text, turn: () => new Promise((resolve) => queueMicrotask(() => setTimeout(resolve))) };
}

const numbers = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, index) => from + index);

test('an entry is an event with its number and the entry as data', async () => {
  const { feed, note, store } = log();
  const { text, turn } = reading(feed.open(undefined, everything));
  await note(1);
  await turn();
  const entry = store.all('activity')[0];
  expect(text()).toBe(`: open\n\nid: 1\ndata: ${JSON.stringify(entry)}\n\n`);
});

test('it starts with what comes from now on, or behind a number', async () => {
  const { feed, note } = log();
  await note(5);
  const live = reading(feed.open(undefined, everything));
  const resumed = reading(feed.open(3, everything));
  const whole = reading(feed.open(0, everything));
  await note(2);
  await whole.turn();
  expect([live.ids(), resumed.ids(), whole.ids()]).toEqual([[6, 7], numbers(4, 7), numbers(1, 7)]);
});

test('more than a buffer holds arrives whole and in order', async () => {
  const { feed, note } = log();
  await note(1500, { text: 'x'.repeat(200) });
  const stream = feed.open(0, everything);
  const { ids, turn } = reading(stream);
  await note(500, { text: 'x'.repeat(200) });
  while (ids().length < 2000) await turn();
  expect(ids()).toEqual(numbers(1, 2000));
});

test('a filter leaves entries out', async () => {
  const { feed, note } = log();
  const { ids, turn } = reading(feed.open(0, wanted({ uid: 'CUST0002' })));
  await note(2);
  await note(1, {}, 'CUST0002');
  await turn();
  expect(ids()).toEqual([3]);
});

test('every heartbeat is a comment', async () => {
  const { feed, beat } = log();
  const { text, turn } = reading(feed.open(undefined, everything));
  await turn();
  beat();
  beat();
  await turn();
  expect(text()).toBe(': open\n\n: still here\n\n: still here\n\n');
});

test('a reader that takes nothing is cut off at the second heartbeat, and no more than a buffer was kept for it', async () => {
  const { feed, note, beat, timers } = log();
  const stream = feed.open(0, everything);
  stream.read(0);
  await note(2000, { text: 'x'.repeat(1000) });
  expect(stream.readableLength).toBeLessThan(128 * 1024);
  beat();
  expect(stream.destroyed).toBe(false);
  beat();
  expect(stream.destroyed).toBe(true);
  await once(stream, 'close');
  expect([feed.size, timers.size]).toEqual([0, 0]);
});

test('a reader that the log has left behind is cut off rather than given a gap', async () => {
  const { feed, note } = log();
  const stream = feed.open(0, everything);
  stream.read(0);
  await note(300, { text: 'x'.repeat(1000) });
  await note(10_000);
  const { ids } = reading(stream);
  await once(stream, 'close');
  expect(ids()).toEqual(numbers(1, ids().length));
  expect(ids().length).toBeLessThan(300);
});

test('who comes back after the log has dropped entries starts with the oldest that is kept', async () => {
  const { feed, note } = log();
  await note(10_050);
  const { ids, turn } = reading(feed.open(7, everything));
  while (ids().length < 10_000) await turn();
  expect([ids()[0], ids().length]).toEqual([51, 10_000]);
});

test('a reset ends the stream; who comes back with an old number starts at the new log', async () => {
  const { feed, note, store } = log();
  await note(3);
  const stream = feed.open(undefined, everything);
  reading(stream);
  await store.transact((tx) => {
    for (const id of tx.ids('activity')) tx.remove('activity', id);
    tx.remove('counters', 'activity');
  });
  await once(stream, 'end');
  await note(1);
  const again = reading(feed.open(3, everything));
  await again.turn();
  expect(again.ids()).toEqual([1]);
});

test('the end of the sandbox ends every stream, and every later one at once', async () => {
  const { feed, timers } = log();
  const streams = [feed.open(0, everything), feed.open(undefined, everything)];
  const ends = streams.map((stream) => once(stream.resume(), 'close'));
  feed.stop();
  await Promise.all(ends);
  await once(feed.open(0, everything).resume(), 'close');
  expect([feed.size, timers.size]).toEqual([0, 0]);
});
