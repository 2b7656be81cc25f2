/** Every regular expression that meets foreign text, proven again: recheck needs a minute for all of them. */
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
