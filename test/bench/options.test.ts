/** The arguments and exit codes of `npm run bench`. */
import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { exitCode, help, readOptions } from './options.ts';
import { partNames } from './targets.ts';

it('without arguments, the run measures all parts', () => {
  expect(readOptions([])).toEqual({ only: partNames, json: false, failOnMissed: false, help: false });
});

it('selected parts run in the order of a whole run, each once', () => {
  const { only } = readOptions(['--only', 'proxy', '--only', 'listing', '--only', 'proxy']);
  expect(only).toEqual(['listing', 'proxy']);
});

it('all other arguments are read', () => {
  const options = readOptions(['--only', 'orders', '--json', '--fail-on-missed', '--dir', 'there']);
  expect(options).toEqual({ only: ['orders'], json: true, failOnMissed: true, help: false, dir: 'there' });
});

it('an unknown part or argument is refused by name', () => {
  expect(() => readOptions(['--only', 'reads'])).toThrow('There is no part "reads": listing, orders,');
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

it('the help has each part, each argument, examples and exit codes', () => {
  for (const part of partNames) expect(help).toContain(part);
  for (const flag of ['--only', '--json', '--fail-on-missed', '--dir', '--help']) expect(help).toContain(flag);
  expect(help).toMatch(/Examples:\n[\s\S]*Exit codes:\n {2}0 measured/);
});

it('no part and no server makes its load in the measuring process', () => {
  for (const part of partNames) {
    const text = readFileSync(new URL(`parts/${part}.ts`, import.meta.url), 'utf8');
    // Single calls fetch the page that others serve, or start the proxy: none is in a loop.
    expect((text.match(/\bfetch\(/g) ?? []).length).toBeLessThanOrEqual(1);
  }
});
