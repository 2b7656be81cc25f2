/** Tests that the index lists every decision record, and that no file mentions a missing one. */
import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { root } from '../harness/sources.ts';

const folder = join(root, 'docs/decisions/');
const index = readFileSync(`${folder}README.md`, 'utf8');
const records = readdirSync(folder)
  .filter((name) => name !== 'README.md')
  .map((name) => ({ name, text: readFileSync(folder + name, 'utf8') }));

/** Returns the record's line in the index. */
function entry(name: string, text: string): string {
  const [, number = '', title = ''] = /^# (\d{3}) (.*)/.exec(text) ?? [];
  return `- [${number}](${name}) ${title}`;
}

/** Returns the numbers of the records mentioned in the text. */
function mentions(text: string): string[] {
  return [...text.matchAll(/\bdecision (\d{3})\b|decisions\/(\d{3})-/g)].map(([, a, b]) => a ?? b ?? '');
}

describe('decision records', () => {
  it('no two have the same number', () => {
    expect(records.length).toBeGreaterThan(15);
    const numbers = records.map(({ name }) => name.slice(0, 3));
    expect(numbers.filter((number, position) => numbers.indexOf(number) !== position)).toEqual([]);
  });

  it('the index has a line for each, with its title, in the order of their numbers', () => {
    const lines = index.split('\n').filter((line) => line.startsWith('- '));
    expect(lines).toEqual(records.map(({ name, text }) => entry(name, text)).sort());
  });

  it('a link from one to another leads to a record', () => {
    const links = records.flatMap(({ text }) => [...text.matchAll(/\]\((\d{3}-[^)]+)\)/g)].map(([, to]) => to));
    const names = records.map(({ name }) => name);
    expect(links.length).toBeGreaterThan(0);
    expect(links.filter((to) => !names.includes(to ?? ''))).toEqual([]);
  });

  it('code, contracts and documents mention only records that exist', () => {
    const numbers = new Set(records.map(({ name }) => name.slice(0, 3)));
    const listed = execFileSync('git', ['grep', '-lE', 'decision [0-9]{3}|decisions/[0-9]{3}-'], { cwd: root });
    const files = listed.toString().trim().split('\n');
    expect(files.length).toBeGreaterThan(5);
    const dead = files.flatMap((file) =>
      mentions(readFileSync(join(root, file), 'utf8'))
        .filter((number) => !numbers.has(number))
        .map((number) => `${file}: ${number}`),
    );
    expect(dead).toEqual([]);
  });
});
