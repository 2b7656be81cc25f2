/** The decision records: one form for all, and an index that has each of them. */
import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';

const folder = fileURLToPath(new URL('../../docs/decisions/', import.meta.url));
const index = readFileSync(`${folder}README.md`, 'utf8');
const records = readdirSync(folder)
  .filter((name) => name !== 'README.md')
  .map((name) => ({ name, text: readFileSync(folder + name, 'utf8') }));

/** What a record lacks of the form that all have. */
function lacks(name: string, text: string): string[] {
  const [number = ''] = name.split('-');
  const wanted: [what: string, found: boolean][] = [
    ['a number in its name', /^\d{3}-[a-z0-9-]+\.md$/.test(name)],
    ['a heading with its number', new RegExp(`^# ${number} \\S`).test(text)],
    ['a date below the heading', /^#.*\n\nDate: 20\d\d-[01]\d-[0-3]\d\n\n/.test(text)],
    ['context', /^\*\*Context\.\*\* \S/m.test(text)],
    ['a decision', /^\*\*(?:Choice|Decision)\.\*\* \S/m.test(text)],
    ['consequences, or refused options', /^\*\*(?:Refused|Consequences)\.\*\*\s+\S/m.test(text)],
  ];
  return wanted.filter(([, found]) => !found).map(([what]) => what);
}

/** The record's line in the index. */
function entry(name: string, text: string): string {
  const [, number = '', title = ''] = /^# (\d{3}) (.*)/.exec(text) ?? [];
  return `- [${number}](${name}) ${title}`;
}

describe('decision records', () => {
  it('each has its number, date, context, decision and consequences', () => {
    expect(records.length).toBeGreaterThan(40);
    expect(records.map(({ name, text }) => ({ name, lacks: lacks(name, text) })).filter((r) => r.lacks.length)).toEqual(
      [],
    );
  });

  it('no two have the same number', () => {
    const numbers = records.map(({ name }) => name.slice(0, 3));
    expect(numbers.filter((number, place) => numbers.indexOf(number) !== place)).toEqual([]);
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
});
