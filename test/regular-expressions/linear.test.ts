/** Tests that each regular expression with external input is in a list. The nightly test proves that the listed ones take linear time. */
import { expect, test } from 'vitest';
import { allExpressions, expressionsIn } from './expressions.ts';

test('every regular expression is in the list of those that the nightly test proves linear', async () => {
  const lines = allExpressions().map(({ text }) => text);
  // To add an expression: npm test -- -u test/regular-expressions, and npm run test:nightly -- test/regular-expressions
  await expect(`${lines.sort().join('\n')}\n`).toMatchFileSnapshot('./linear-expressions.txt');
});

test('an expression that is built from text is refused', () => {
  expect(() => expressionsIn('sandbox/a.ts', 'new RegExp(name)')).toThrow('nothing proves linear');
});
