/** Calls that are held as they were, for the check of the log (OP-57). */
import { expect, it } from 'vitest';
import type { ActivityEntry } from '../../sandbox/runtime/activity-entry.ts';
import { HeldCalls, type Wire } from '../../sandbox/runtime/wire.ts';

const entry = (seq: number) => ({ seq }) as ActivityEntry;
const wire = (text: string): Wire => ({ url: '/x', request: { headers: ['a', 'b'], text }, reply: undefined });

it('OP-57: the newest calls are held, as many as take so many characters; the oldest make room', () => {
  const held = new HeldCalls(30);
  const entries = [1, 2, 3, 4].map(entry);
  for (const [index, each] of entries.entries()) held.hold(each, wire(`call ${index}`));
  // Each takes ten: its address, its header and its body.
  expect(entries.map((each) => held.of(each)?.request.text)).toEqual([undefined, 'call 1', 'call 2', 'call 3']);
});

it('OP-57: one that takes more than all may is not held, and leaves room for the next', () => {
  const held = new HeldCalls(30);
  const [large, next] = [entry(1), entry(2)];
  held.hold(large, wire('x'.repeat(31)));
  held.hold(next, wire('call 2'));
  expect([held.of(large), held.of(next)?.request.text]).toEqual([undefined, 'call 2']);
});

it('OP-57: another entry with the same number, as after a reset, is another call', () => {
  const held = new HeldCalls();
  held.hold(entry(1), wire('before'));
  expect(held.of(entry(1))).toBeUndefined();
});

it('OP-57: what was held under later numbers goes with a reset, and takes no room any more', () => {
  const held = new HeldCalls(30);
  const before = [7, 8, 9].map(entry);
  for (const each of before) held.hold(each, wire('before'));
  const [after, next] = [entry(8), entry(9)];
  held.hold(after, wire('call 8'));
  held.hold(next, wire('call 9'));
  expect(before.map((each) => held.of(each)?.request.text)).toEqual(['before', undefined, undefined]);
  expect([held.of(after)?.request.text, held.of(next)?.request.text]).toEqual(['call 8', 'call 9']);
});

it('OP-57: however many were held before, the newest are, and no others', () => {
  const held = new HeldCalls(30);
  const entries = Array.from({ length: 5_000 }, (_, index) => entry(index));
  for (const each of entries) held.hold(each, wire(String(each.seq).padStart(6, '0')));
  const texts = entries.flatMap((each) => held.of(each)?.request.text ?? []);
  expect(texts).toEqual(['004997', '004998', '004999']);
});
