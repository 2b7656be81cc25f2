/** Proves with recheck that every regular expression with external input takes linear time. All expressions together take a minute. */
import { expect, test } from 'vitest';
import { nightlyPackage } from '../harness/nightly-package.ts';
import { allExpressions, type Expression } from './expressions.ts';

/** The result of recheck for an expression. */
type Result =
  | { readonly status: 'safe' }
  | { readonly status: 'unknown'; readonly error: { readonly kind: string } }
  | {
      readonly status: 'vulnerable';
      readonly complexity: { readonly summary: string };
      readonly attack: { readonly pattern: string };
    };

const { checkSync } = await nightlyPackage<{
  checkSync(source: string, flags: string, options: { readonly timeout: number }): Result;
}>('recheck');

/** Returns the reason why an expression is not proven linear, or `undefined` if it is. */
function weakness({ text }: Pick<Expression, 'text'>): string | undefined {
  const end = text.lastIndexOf('/');
  const result = checkSync(text.slice(1, end), text.slice(end + 1), { timeout: 60_000 });
  if (result.status === 'safe') return undefined;
  if (result.status === 'unknown') return `not proven: ${result.error.kind}`;
  return `${result.complexity.summary}, for example on ${result.attack.pattern}`;
}

test.each(allExpressions())('$text takes linear time ($file)', (expression) => {
  expect(weakness(expression)).toBeUndefined();
});

test.each([String.raw`/\s*,\s*/`, String.raw`/\.+$/`, String.raw`/\/\/.*@/`])(
  '%s takes quadratic time, and is detected',
  (text) => {
    expect(weakness({ text })).toContain('polynomial');
  },
);

test.each([
  String.raw`/(\/(?:portal|microsite)\b.*?\/s\/[./]*)[^/]+/gis`,
  String.raw`/\/(portal|microsite)\b.*\/s\//is`,
])('%s is not proven linear', (text) => {
  expect(weakness({ text })).toBeTypeOf('string');
});
