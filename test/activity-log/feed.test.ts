/** The live stream of the activity log: order, no gaps, bounded memory, and its ends. */
import { once } from 'node:events';
import type { Readable } from 'node:stream';
import { expect, test, vi } from 'vitest';
import { Activity } from '../../sandbox/activity-log/activity.ts';
import { type ActivityEntry, entryFilter } from '../../sandbox/activity-log/activity-entry.ts';
import { Feed } from '../../sandbox/activity-log/feed.ts';
import { type ActivityCollections, activitySchema } from '../../sandbox/activity-log/stored-log.ts';
import { Clock } from '../../sandbox/runtime/clock.ts';
import { openMemoryStore } from '../../sandbox/store/memory.ts';
import { nothing } from '../../sandbox/store/view.ts';

const everything = () => true;

/** A log with a feed whose timers the test rings itself. */
function log() {
  const store = openMemoryStore<ActivityCollections>(activitySchema);
  const activity = new Activity(store, new Clock({ mode: 'frozen', value: 0 }, () => 0), () => {});
  const timers = new Set<() => void>();
  const feed = new Feed(activity, (ring) => {
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
  return { store, activity, feed, timers, note, beat };
}

/** Reads a stream as it comes. */
function reading(stream: Readable) {
  let text = '';
  stream.on('data', (chunk) => {
    text += String(chunk);
  });
  const ids = () => [...text.matchAll(/^id: (\d+)$/gm)].map(([, id]) => Number(id));
  return { ids, text: () => text, turn: turns };
}

/** Some turns of the event loop: enough for every reader to get a batch. */
async function turns(count = 10): Promise<void> {
  for (let turn = 0; turn < count; turn += 1) await new Promise(setImmediate);
}

/** A stream of a feed that still has a place for it. */
function opened(feed: Feed, after?: number, matches: (entry: ActivityEntry) => boolean = everything): Readable {
  const stream = feed.open(after, matches);
  if (stream === undefined) throw new Error('the feed refused a reader');
  return stream;
}

const numbers = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, index) => from + index);

test('an entry is an event with its number and the entry as data', async () => {
  const { feed, note, store } = log();
  const { text, turn } = reading(opened(feed));
  await note(1);
  await turn();
  const entry = store.all('activity')[0];
  expect(text()).toBe(`: open\n\nid: 1\ndata: ${JSON.stringify(entry)}\n\n`);
});

test('it starts with what comes from now on, or behind a number', async () => {
  const { feed, note } = log();
  await note(5);
  const live = reading(opened(feed));
  const resumed = reading(opened(feed, 3));
  const whole = reading(opened(feed, 0));
  await note(2);
  await whole.turn();
  expect([live.ids(), resumed.ids(), whole.ids()]).toEqual([[6, 7], numbers(4, 7), numbers(1, 7)]);
});

test('more than a buffer holds arrives whole and in order', async () => {
  const { feed, note } = log();
  await note(1500, { text: 'x'.repeat(200) });
  const stream = opened(feed, 0);
  const { ids, turn } = reading(stream);
  await note(500, { text: 'x'.repeat(200) });
  while (ids().length < 2000) await turn();
  expect(ids()).toEqual(numbers(1, 2000));
});

test('a filter leaves entries out', async () => {
  const { feed, note } = log();
  const { ids, turn } = reading(
    opened(
      feed,
      0,
      entryFilter({ uid: 'CUST0002' }, () => undefined),
    ),
  );
  await note(2);
  await note(1, {}, 'CUST0002');
  await turn();
  expect(ids()).toEqual([3]);
});

test('every heartbeat is a comment', async () => {
  const { feed, beat } = log();
  const { text, turn } = reading(opened(feed));
  await turn();
  beat();
  beat();
  await turn();
  expect(text()).toBe(': open\n\n: still here\n\n: still here\n\n');
});

test('a reader that takes nothing is cut off at the second heartbeat, and no more than a buffer was kept for it', async () => {
  const { feed, note, beat, timers } = log();
  const stream = opened(feed, 0);
  stream.read(0);
  await note(2000, { text: 'x'.repeat(1000) });
  await turns(100);
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
  const stream = opened(feed, 0);
  stream.read(0);
  await note(300, { text: 'x'.repeat(1000) });
  await turns();
  await note(10_000);
  const { ids } = reading(stream);
  await once(stream, 'close');
  expect(ids()).toEqual(numbers(1, ids().length));
  expect(ids().length).toBeLessThan(300);
});

test('who comes back after the log has dropped entries starts with the oldest that is kept', async () => {
  const { feed, note } = log();
  await note(10_050);
  const { ids, turn } = reading(opened(feed, 7));
  while (ids().length < 10_000) await turn();
  expect([ids()[0], ids().length]).toEqual([51, 10_000]);
});

test('a reset ends the stream; who comes back with an old number starts at the new log', async () => {
  const { feed, note, store } = log();
  await note(3);
  const stream = opened(feed);
  reading(stream);
  await store.replace({ content: nothing, change: () => {} });
  await once(stream, 'end');
  await note(1);
  const again = reading(opened(feed, 3));
  await again.turn();
  expect(again.ids()).toEqual([1]);
});

test('the end of the sandbox ends every stream, and every later one at once', async () => {
  const { feed, timers } = log();
  const streams = [opened(feed, 0), opened(feed)];
  const ends = streams.map((stream) => once(stream.resume(), 'close'));
  feed.stop();
  await Promise.all(ends);
  await once(opened(feed, 0).resume(), 'close');
  expect([feed.size, timers.size]).toEqual([0, 0]);
});

test('OP-59: fifty streams are open at once, one more is refused, and a place that is left is given again', () => {
  const { feed } = log();
  const streams = Array.from({ length: 50 }, () => opened(feed));
  expect(feed.open(undefined, everything)).toBeUndefined();
  streams[7]?.destroy();
  return once(streams[7] as Readable, 'close').then(() => {
    expect(feed.size).toBe(49);
    opened(feed);
    expect(feed.open(undefined, everything)).toBeUndefined();
  });
});

test('OP-59: however many read however much, others are served after every fifty entries', async () => {
  const { feed, note } = log();
  await note(1000);
  let looked = 0;
  let most = 0;
  const counted = () => {
    looked += 1;
    return true;
  };
  const readers = Array.from({ length: 20 }, () => reading(opened(feed, 0, counted)));
  while (readers.some(({ ids }) => ids().length < 1000)) {
    looked = 0;
    await new Promise(setImmediate);
    most = Math.max(most, looked);
  }
  expect(most).toBeGreaterThan(0);
  expect(most).toBeLessThanOrEqual(50);
});

test('OP-59: a reader of little of a long log holds up nobody either', async () => {
  const { feed, note } = log();
  await note(2000);
  await note(1, {}, 'CUST0002');
  const matches = entryFilter({ uid: 'CUST0002' }, () => undefined);
  let looked = 0;
  let most = 0;
  const { ids } = reading(
    opened(feed, 0, (entry) => {
      looked += 1;
      return matches(entry);
    }),
  );
  while (ids().length === 0) {
    looked = 0;
    await new Promise(setImmediate);
    most = Math.max(most, looked);
  }
  expect([ids(), most]).toEqual([[2001], 50]);
});

test('OP-59: an entry is written out once for all who read it as it comes', async () => {
  const { feed, note } = log();
  const readers = Array.from({ length: 30 }, () => reading(opened(feed)));
  await note(40);
  const written = vi.spyOn(JSON, 'stringify');
  while (readers.some(({ ids }) => ids().length < 40)) await turns(1);
  expect(written.mock.calls.length).toBe(40);
  written.mockRestore();
});

test('OP-59: many commits in one turn of the loop wake a reader once', async () => {
  const { feed, note, activity } = log();
  const { ids } = reading(opened(feed));
  await turns();
  const read = vi.spyOn(activity, 'after');
  await Promise.all(Array.from({ length: 20 }, () => note(1)));
  await Promise.all(Array.from({ length: 20 }, () => note(1)));
  await turns();
  expect(ids()).toEqual(numbers(1, 40));
  expect(read.mock.calls.length).toBeLessThanOrEqual(4);
});

test('a reader that is behind is not led from a log into the one that a reset began', async () => {
  const { feed, note, store } = log();
  await note(200, { text: 'x'.repeat(1000) });
  const stream = opened(feed, 0);
  stream.read(0);
  await turns();
  await store.replace({ content: nothing, change: () => {} });
  await note(150);
  const { ids } = reading(stream);
  await once(stream, 'end');
  expect(ids()).toEqual(numbers(1, ids().length));
  expect(ids().length).toBeLessThan(150);
});
