/** Regular expressions with external input take linear time. The nightly test proves every expression again. */
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { allExpressions, expressionsIn, weakness } from './expressions.ts';

const provenFile = new URL('linear-expressions.txt', import.meta.url);

test('every regular expression is proven linear, in the file or now', async () => {
  const expressions = allExpressions();
  const proven = new Set(readFileSync(provenFile, 'utf8').split('\n'));
  const weak = expressions
    .filter(({ text }) => !proven.has(text))
    .flatMap((expression) => {
      const why = weakness(expression);
      return why === undefined ? [] : [`${expression.file}: ${expression.text}: ${why}`];
    });
  expect(weak).toEqual([]);
  // A new expression was proven just now: add it with `npm test -- -u test/regular-expressions`.
  const lines = expressions.map(({ text }) => text).sort();
  await expect(`${lines.join('\n')}\n`).toMatchFileSnapshot('./linear-expressions.txt');
});

test.each([String.raw`/\s*,\s*/`, String.raw`/\.+$/`, String.raw`/\/\/.*@/`])(
  '%s takes quadratic time, and is detected',
  (text) => {
    expect(weakness({ text })).toContain('polynomial');
  },
);

test('an expression that is built from text is refused', () => {
  expect(() => expressionsIn('sandbox/a.ts', 'new RegExp(name)')).toThrow('nothing proves linear');
});
