/** Numbers that documentation, contracts and pages state are those of the code: `stated-figures.ts` has a row for each. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { flatTable } from '../../sandbox/contract/failure-tables.ts';
import { root } from '../harness/sources.ts';
import { capital, read, stated, word } from './stated-figures.ts';

describe.each(stated)('%s', (_, places) => {
  it.each(Object.entries(places).map(([file, text]) => [file, [text].flat()] as const))(
    'as the code has it: %s',
    (file, texts) => {
      const text = read(file);
      expect(texts.filter((each) => !text.includes(each))).toEqual([]);
    },
  );
});

it('the register lists every code of the flat envelope, and authentication.md as many credentials as it says', () => {
  const register = read('docs/register.yaml');
  const row = (id: string) =>
    register.slice(register.indexOf(`id: ${id} `), register.indexOf('next:', register.indexOf(`id: ${id} `)));
  const listed = new Set(`${row('OP-13')} ${row('OP-41')}`.match(/\b[4-7]\d\b/g));
  const codes = new Set(Object.values(flatTable).map(({ code }) => String(code)));
  expect([...codes].filter((code) => !listed.has(code))).toEqual([]);
  const guide = readFileSync(join(root, 'docs/guides/authentication.md'), 'utf8');
  const [table = ''] = /\| Credential \|[\s\S]*?\n\n/.exec(guide) ?? [];
  expect(guide).toContain(`${capital(word(table.trim().split('\n').length - 2))} credentials, each for one purpose.`);
});
