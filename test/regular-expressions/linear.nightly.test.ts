/** Proves again that every regular expression with external input is linear: recheck needs a minute for all. */
import { expect, test } from 'vitest';
import { allExpressions, weakness } from './expressions.ts';

test.each(allExpressions())('$text takes linear time ($file)', (expression) => {
  expect(weakness(expression)).toBeUndefined();
});

test.each([
  String.raw`/(\/(?:portal|microsite)\b.*?\/s\/[./]*)[^/]+/gis`,
  String.raw`/\/(portal|microsite)\b.*\/s\//is`,
])('%s is not proven linear', (text) => {
  expect(weakness({ text })).toBeTypeOf('string');
});
