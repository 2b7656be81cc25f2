/** A reply's body as JSON, within the limits on its size: a run stores its answers. */
import { expect, test } from 'vitest';
import { parseJson } from '../../sandbox/certification/answer.ts';

const parsed = (text: string) => parseJson(Buffer.from(text));

test('a body that is JSON is parsed, and any other is undefined', () => {
  expect(parsed('{"points":{"balance":5}}')).toEqual({ points: { balance: 5 } });
  for (const text of ['', '<html>', '{"a":1', '\u0000']) expect(parsed(text)).toBeUndefined();
});

test('a body that is nested too deep is undefined, and the checker reports its depth', () => {
  expect(parsed('['.repeat(16) + ']'.repeat(16))).toBeDefined();
  expect(parsed('['.repeat(20_000) + ']'.repeat(20_000))).toBeUndefined();
});

test('a body with too many values is refused, since each takes many times its bytes in memory', () => {
  const objects = (count: number) => `[${'{},'.repeat(count - 1)}{}]`;
  expect(parsed(objects(2000))).toHaveLength(2000);
  expect(() => parsed(objects(2001))).toThrow('the response is too large: it has a list of more than 2000');
  const lists = `[${Array.from({ length: 16 }, () => objects(2000)).join()}]`;
  expect(() => parsed(lists)).toThrow('the response is too large: it has more than 30000 values');
});
