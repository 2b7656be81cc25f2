/** Tests the live stream of the activity log: its order, completeness, bounded memory and termination. */
import { once } from 'node:events';
import type { Readable } from 'node:stream';
import { expect, test, vi } from 'vitest';
import { Activity } from '../../sandbox/activity-log/activity.ts';
import { type ActivityEntry, entryFilter } from '../../sandbox/activity-log/activity-entry.ts';
import { Feed } from '../../sandbox/activity-log/feed.ts';
import { type ActivityCollections, activitySchema } from '../../sandbox/activity-log/stored-log.ts';
import { Clock } from '../../sandbox/runtime/clock.ts';
import { openMemoryStore } from '../../sandbox/store/memory.ts';
import { nothing } from '../../sandbox/store/row.ts';

const everything = () => true;

/** Creates a log with a feed whose timers the test fires manually. */
function log() {
  const store = openMemoryStore<ActivityCollections>(activitySchema);
  const activity = new Activity(store, new Clock({ mode: 'frozen', value: 0 }, () => 0), () => {});
  const timers = new Set<() => void>();
  const feed = new Feed(activity, (fire) => {
    timers.add(fire);
    return () => timers.delete(fire);
  });
  const note = (count: number, detail: Record<string, string> = {}, uid = 'CUST0001') =>
    store.transact((tx) => {
      for (let at = 0; at < count; at += 1) {
        activity.note(tx, { trace: 't', party: 'client', event: 'debit', uid, detail });
      }
    });
  const beat = () => {
    for (const fire of [...timers]) {
      timers.delete(fire);
      fire();
    }
  };
  return { store, activity, feed, timers, note, beat };
}

/** Collects the data of a stream as it arrives. */
function readStream(stream: Readable) {
  let text = '';
  stream.on('data', (chunk) => {
    text += String(chunk);
  });
  const ids = () => [...text.matchAll(/^id: (\d+)$/gm)].map(([, id]) => Number(id));
  return { ids, text: () => text, turn: turns };
}

/** Yields to the event loop often enough for every reader to receive a batch. */
async function turns(count = 10): Promise<void> {
  for (let turn = 0; turn < count; turn += 1) await new Promise(setImmediate);
}

/** Opens a stream on a feed that has a free slot. */
function openStream(feed: Feed, after?: number, matches: (entry: ActivityEntry) => boolean = everything): Readable {
  const stream = feed.open(after, matches);
  if (stream === undefined) throw new Error('the feed refused a reader');
  return stream;
}

const numbers = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, index) => from + index);

test('it starts with the next new entry, or after a given number: an event has the number, and the entry as data', async () => {
  const { feed, note, store } = log();
  await note(5);
  const live = readStream(openStream(feed));
  const resumed = readStream(openStream(feed, 3));
  const whole = readStream(openStream(feed, 0));
  await note(2);
  await whole.turn();
  expect([live.ids(), resumed.ids(), whole.ids()]).toEqual([[6, 7], numbers(4, 7), numbers(1, 7)]);
  const events = store.all('activity').map((entry) => `id: ${entry.seq}\ndata: ${JSON.stringify(entry)}\n\n`);
  expect(whole.text()).toBe(`: open\n\n${events.join('')}`);
});

test('more entries than fit in a buffer arrive complete and in order', async () => {
  const { feed, note } = log();
  await note(1500, { text: 'x'.repeat(200) });
  const stream = openStream(feed, 0);
  const { ids, turn } = readStream(stream);
  await note(500, { text: 'x'.repeat(200) });
  while (ids().length < 2000) await turn();
  expect(ids()).toEqual(numbers(1, 2000));
});

test('a filter leaves entries out', async () => {
  const { feed, note } = log();
  const { ids, turn } = readStream(
    openStream(
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
  const { text, turn } = readStream(openStream(feed));
  await turn();
  beat();
  beat();
  await turn();
  expect(text()).toBe(': open\n\n: still here\n\n: still here\n\n');
});

test('a reader that reads nothing is disconnected at the second heartbeat, and never has more than one buffer', async () => {
  const { feed, note, beat, timers } = log();
  const stream = openStream(feed, 0);
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

test('a reader whose next entry the log has dropped is disconnected and does not get a gap', async () => {
  const { feed, note } = log();
  const stream = openStream(feed, 0);
  stream.read(0);
  await note(300, { text: 'x'.repeat(1000) });
  await turns();
  await note(10_000);
  const { ids } = readStream(stream);
  await once(stream, 'close');
  expect(ids()).toEqual(numbers(1, ids().length));
  expect(ids().length).toBeLessThan(300);
});

test('a reader that resumes after the log has dropped entries starts with the oldest stored one', async () => {
  const { feed, note } = log();
  await note(10_050);
  const { ids, turn } = readStream(openStream(feed, 7));
  while (ids().length < 10_000) await turn();
  expect([ids()[0], ids().length]).toEqual([51, 10_000]);
});

test('a reset ends the stream; a reader that resumes with an old number starts at the new log', async () => {
  const { feed, note, store } = log();
  await note(3);
  const stream = openStream(feed);
  readStream(stream);
  await store.replace({ content: nothing, change: () => {} });
  await once(stream, 'end');
  await note(1);
  const again = readStream(openStream(feed, 3));
  await again.turn();
  expect(again.ids()).toEqual([1]);
});

test('the end of the sandbox ends every stream, and every later one immediately', async () => {
  const { feed, timers } = log();
  const streams = [openStream(feed, 0), openStream(feed)];
  const ends = streams.map((stream) => once(stream.resume(), 'close'));
  feed.stop();
  await Promise.all(ends);
  await once(openStream(feed, 0).resume(), 'close');
  expect([feed.size, timers.size]).toEqual([0, 0]);
});

test('OP-59: fifty streams can be open concurrently, one more is refused, and a closed one frees its slot', () => {
  const { feed } = log();
  const streams = Array.from({ length: 50 }, () => openStream(feed));
  expect(feed.open(undefined, everything)).toBeUndefined();
  streams[7]?.destroy();
  return once(streams[7] as Readable, 'close').then(() => {
    expect(feed.size).toBe(49);
    openStream(feed);
    expect(feed.open(undefined, everything)).toBeUndefined();
  });
});

test.each([
  [20, 'reads', 1000],
  [1, 'filters', 1],
])('OP-59: %i readers yield to other work after every fifty entries: each %s a long log', async (count, how, found) => {
  const { feed, note } = log();
  await note(1000);
  await note(1, {}, 'CUST0002');
  const matches = entryFilter(how === 'filters' ? { uid: 'CUST0002' } : { uid: 'CUST0001' }, () => undefined);
  let checks = 0;
  let most = 0;
  const countChecks = (entry: ActivityEntry) => {
    checks += 1;
    return matches(entry);
  };
  const readers = Array.from({ length: count }, () => readStream(openStream(feed, 0, countChecks)));
  while (readers.some(({ ids }) => ids().length < found)) {
    checks = 0;
    await new Promise(setImmediate);
    most = Math.max(most, checks);
  }
  expect(most).toBeGreaterThan(0);
  expect(most).toBeLessThanOrEqual(50);
});

test('it listens to the log while streams are open, and while there is none it does not', async () => {
  const { feed, activity } = log();
  let ends = 0;
  const subscribed = vi.spyOn(activity, 'onUpdate').mockImplementation(() => () => {
    ends += 1;
  });
  expect(subscribed).not.toHaveBeenCalled();
  const streams = [openStream(feed), openStream(feed)];
  for (const stream of streams) {
    expect([subscribed.mock.calls.length, ends]).toEqual([1, 0]);
    stream.destroy();
    await once(stream, 'close');
  }
  expect(ends).toBe(1);
  openStream(feed);
  expect(subscribed).toHaveBeenCalledTimes(2);
});

test('OP-59: many commits in one turn of the loop wake a reader once', async () => {
  const { feed, note, activity } = log();
  const { ids } = readStream(openStream(feed));
  await turns();
  const read = vi.spyOn(activity, 'after');
  await Promise.all(Array.from({ length: 20 }, () => note(1)));
  await Promise.all(Array.from({ length: 20 }, () => note(1)));
  await turns();
  expect(ids()).toEqual(numbers(1, 40));
  expect(read.mock.calls.length).toBeLessThanOrEqual(4);
});

test('a slow reader does not move from a log to the one that a reset began', async () => {
  const { feed, note, store } = log();
  await note(200, { text: 'x'.repeat(1000) });
  const stream = openStream(feed, 0);
  stream.read(0);
  await turns();
  await store.replace({ content: nothing, change: () => {} });
  await note(150);
  const { ids } = readStream(stream);
  await once(stream, 'end');
  expect(ids()).toEqual(numbers(1, ids().length));
  expect(ids().length).toBeLessThan(150);
});
