/** Regular expressions with external input take linear time: each one is listed, and the nightly test proves those of the list. */
import { expect, test } from 'vitest';
import { allExpressions, expressionsIn } from './expressions.ts';

test('every regular expression is in the list of those that the nightly test proves linear', async () => {
  const lines = allExpressions().map(({ text }) => text);
  // To add a new one: npm test -- -u test/regular-expressions, and npm run test:nightly -- test/regular-expressions
  await expect(`${lines.sort().join('\n')}\n`).toMatchFileSnapshot('./linear-expressions.txt');
});

test('an expression that is built from text is refused', () => {
  expect(() => expressionsIn('sandbox/a.ts', 'new RegExp(name)')).toThrow('nothing proves linear');
});
