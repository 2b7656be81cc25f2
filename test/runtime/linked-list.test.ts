/** What comes and leaves with every call, and what the collector has to keep of it (OP-82). */
import { EventEmitter } from 'node:events';
import type { ServerResponse } from 'node:http';
import { getHeapSpaceStatistics, setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { expect, it } from 'vitest';
import { LinkedList } from '../../sandbox/runtime/linked-list.ts';
import { Unsent } from '../../sandbox/server/unsent.ts';

it('values stand in the order in which they came, and leave from anywhere', () => {
  const list = new LinkedList<number>();
  const links = [1, 2, 3, 4, 5].map((value) => list.add(value));
  const leave = (...places: number[]) => {
    for (const place of places) {
      const link = links[place];
      if (link) list.remove(link);
    }
    return list.values();
  };
  expect(list.values()).toEqual([1, 2, 3, 4, 5]);
  expect(leave(2)).toEqual([1, 2, 4, 5]);
  expect(leave(0)).toEqual([2, 4, 5]);
  expect(leave(4)).toEqual([2, 4]);
  expect(leave(1, 3)).toEqual([]);
  list.add(6);
  expect([list.values(), list.size]).toEqual([[6], 1]);
});

it('what left knows nobody any more', () => {
  const list = new LinkedList<number>();
  const [, two] = [1, 2, 3].map((value) => list.add(value));
  if (two) list.remove(two);
  expect(two).toEqual({ value: 2, before: undefined, after: undefined });
});

/** Megabytes that the old ones of all objects take. */
function old(): number {
  const spaces = getHeapSpaceStatistics().filter(({ space_name }) => space_name.startsWith('old'));
  return spaces.reduce((sum, { space_used_size }) => sum + space_used_size, 0) / 1024 / 1024;
}

/** Lets the collector look through young objects only, as it mostly does. */
function collectYoung(): void {
  setFlagsFromString('--expose-gc');
  (runInNewContext('gc') as (options: { type: 'minor' }) => void)({ type: 'minor' });
}

/** A reply that takes 20 KB, and has left once `end` is called. */
function reply() {
  const response = Object.assign(new EventEmitter(), {
    writableLength: 5,
    destroyed: false,
    body: new Array(2500).fill(1.5),
  });
  const end = () => response.emit('close');
  return { response: response as unknown as ServerResponse, begin: () => response.emit('prefinish'), end };
}

/** How much older objects grow while replies come and leave, two at a time. */
function grownBy(follow: (response: ServerResponse) => void): number {
  const one = (before: ReturnType<typeof reply> | undefined) => {
    const next = reply();
    follow(next.response);
    next.begin();
    before?.end();
    return next;
  };
  let last: ReturnType<typeof reply> | undefined;
  for (let round = 0; round < 20; round += 1) {
    last = one(last);
    collectYoung();
  }
  const before = old();
  for (let round = 0; round < 40; round += 1) {
    for (let count = 0; count < 50; count += 1) last = one(last);
    collectYoung();
  }
  return old() - before;
}

it('OP-82: replies that have left are not kept by what followed them, however many leave', () => {
  const unsent = new Unsent(1_000_000);
  // 2,000 replies of 20 KB.
  expect(grownBy((response) => unsent.follow(response))).toBeLessThan(5);
  expect(unsent.bytes).toBe(5);
});

it('control: a map of the replies that wait keeps those that left', () => {
  const waiting = new Map<ServerResponse, number>();
  const follow = (response: ServerResponse) => {
    response.on('prefinish', () => waiting.set(response, 5));
    response.on('close', () => waiting.delete(response));
  };
  expect(grownBy(follow)).toBeGreaterThan(10);
});
