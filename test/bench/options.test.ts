/** The arguments of `npm run bench`, and what it exits with. */
import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { exitCode, help, readOptions } from './options.ts';
import { partNames } from './targets.ts';

it('without arguments all parts are measured', () => {
  expect(readOptions([])).toEqual({ only: partNames, json: false, failOnMissed: false, help: false });
});

it('parts that are named come in the order of a whole run, each once', () => {
  const { only } = readOptions(['--only', 'proxy', '--only', 'listing', '--only', 'proxy']);
  expect(only).toEqual(['listing', 'proxy']);
});

it('the other arguments are taken', () => {
  const given = readOptions(['--only', 'orders', '--json', '--fail-on-missed', '--dir', 'there']);
  expect(given).toEqual({ only: ['orders'], json: true, failOnMissed: true, help: false, dir: 'there' });
});

it('a part or an argument that there is none of is refused by name', () => {
  expect(() => readOptions(['--only', 'reads'])).toThrow('There is no part "reads": listing, orders,');
  expect(() => readOptions(['--fast'])).toThrow("Unknown option '--fast'");
});

it('a part that failed is 1, a missed target 3 where it is asked for, and all else 0', () => {
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

it('no part and no server makes its load in the process that measures', () => {
  for (const part of partNames) {
    const text = readFileSync(new URL(`parts/${part}.ts`, import.meta.url), 'utf8');
    // One call fetches the page that others serve, or wakes the proxy: none stands in a loop.
    expect((text.match(/\bfetch\(/g) ?? []).length).toBeLessThanOrEqual(1);
  }
});
