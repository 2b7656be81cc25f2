/** Suggestions for names that do not exist: near ones only (OP-246). */
import { expect, it } from 'vitest';
import { nearest } from '../../sandbox/contract/nearest.ts';

it.each([
  ['times', 'times'],
  ['time', 'times'],
  ['TIMES', 'times'],
  ['tiems', 'times'],
  ['rateLimit', 'rate_limit'],
  ['frame_ancestor', 'frame_ancestors'],
  ['frame_anestor', 'frame_ancestors'],
  ['frame_anesto', undefined],
  ['t', undefined],
  ['', undefined],
  ['colour', undefined],
])('the name nearest to "%s" is %s', (name, expected) => {
  expect(nearest(name, ['ms', 'times', 'rate_limit', 'frame_ancestors'])).toBe(expected);
});

it('no name is near to one of more than 200 characters', () => {
  const known = ['x'.repeat(200), 'x'.repeat(201)];
  expect([nearest('x'.repeat(200), known), nearest('x'.repeat(201), known)]).toEqual([known[0], undefined]);
});

it('the name with the fewest edits is nearest, the first of several', () => {
  expect(nearest('status', ['statics', 'statue', 'status'])).toBe('status');
  expect(nearest('statux', ['statics', 'statue', 'status'])).toBe('statue');
});
