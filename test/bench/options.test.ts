/** The arguments and exit codes of `npm run bench`. */
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { exitCode, readOptions } from './options.ts';
import { checkoutAt } from './sandbox.ts';
import { partNames } from './targets.ts';

it('without arguments, the run measures all parts except the comparison with another checkout', () => {
  const only = partNames.filter((part) => part !== 'beside');
  expect(readOptions([])).toEqual({ only, json: false, failOnMissed: false, help: false });
});

it('selected parts run in the order of a whole run, each once', () => {
  const { only } = readOptions(['--only', 'proxy', '--only', 'listing', '--only', 'proxy']);
  expect(only).toEqual(['listing', 'proxy']);
});

it('another checkout adds a part, which needs it', () => {
  expect(readOptions(['--beside', 'there'])).toMatchObject({ only: partNames, beside: 'there' });
  expect(readOptions(['--only', 'path', '--beside', 'there']).only).toEqual(['path', 'beside']);
  expect(readOptions(['--only', 'beside', '--beside', 'there']).only).toEqual(['beside']);
  expect(() => readOptions(['--only', 'beside'])).toThrow('The part "beside" needs --beside DIR.');
});

it('a folder without a checkout or its dependencies is refused, and the error says what to do', () => {
  const sources = fileURLToPath(new URL('../../openapi', import.meta.url));
  expect(() => checkoutAt(sources)).toThrow(
    `There is no ${sources}/sandbox/bin.js. Name a checkout of this repository, and run npm ci in it.`,
  );
});

it('all other arguments are read', () => {
  const options = readOptions(['--only', 'orders', '--json', '--fail-on-missed', '--dir', 'there']);
  expect(options).toEqual({ only: ['orders'], json: true, failOnMissed: true, help: false, dir: 'there' });
});

it('an unknown part or argument is refused by name', () => {
  expect(() => readOptions(['--only', 'reads'])).toThrow('There is no part "reads": path, listing,');
  expect(() => readOptions(['--fast'])).toThrow("Unknown option '--fast'");
});

it('the exit code is 1 for a failed part, 3 for a missed target if requested, and otherwise 0', () => {
  const codes = [
    [{ failed: 1, missed: 1 }, true],
    [{ failed: 0, missed: 1 }, true],
    [{ failed: 0, missed: 1 }, false],
    [{ failed: 0, missed: 0 }, true],
  ] as const;
  expect(codes.map(([outcome, failOnMissed]) => exitCode(outcome, { failOnMissed }))).toEqual([1, 3, 0, 0]);
});

it('no part and no server makes its load in the measuring process', () => {
  for (const part of partNames) {
    const text = readFileSync(new URL(`parts/${part}.ts`, import.meta.url), 'utf8');
    // A single call starts the proxy.
    expect((text.match(/\bfetch\(/g) ?? []).length).toBeLessThanOrEqual(1);
  }
});
