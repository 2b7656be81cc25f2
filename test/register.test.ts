/** Each row of the register that says how something behaves has a test that names it. */
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { titles } from './harness/sources.ts';

const rows: { id: string }[] = parse(readFileSync(new URL('../docs/register.yaml', import.meta.url), 'utf8'));

test('every row of the register has a test whose title names it', () => {
  const named = new Set(titles().flatMap((title) => title.match(/OP-\d+/g) ?? []));
  const ids = rows.map(({ id }) => id);
  expect(ids.filter((id) => !named.has(id))).toEqual([]);
  expect([...named].filter((id) => !ids.includes(id))).toEqual([]);
});
