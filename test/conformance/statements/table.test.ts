/** The table of statements: each has a check, or a reason why traffic does not show it. */

import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { exchangeRules } from '../../../sandbox/conformance/statements/judge-exchange.ts';
import { traceRules } from '../../../sandbox/conformance/statements/judge-trace.ts';
import { placesOf } from '../../../sandbox/conformance/statements/places.ts';
import { lineOf } from '../../../sandbox/conformance/statements/rule.ts';
import { statements } from '../../../sandbox/conformance/statements/statements.ts';
import { isStated } from '../../../sandbox/contract/basis.ts';
import { statementIds } from '../../../tools/docs/citations.ts';
import { operations } from '../../harness/exchanges.ts';

const read = (file: string) => readFileSync(new URL(`../../../${file}`, import.meta.url), 'utf8');
const readLine = ({ file, line }: { readonly file: string; readonly line: number }) => read(file).split('\n')[line - 1];

const all = [...exchangeRules, ...traceRules];

test('the table has every statement of the interface once, in its order', () => {
  expect(statements.map(({ id }) => id)).toEqual(statementIds);
});

test('a statement either is checked by a contract or by rules, or gives the reason why traffic does not show it', () => {
  const wrong = statements.filter(
    ({ contract = [], rules: named = [], notVisible }) =>
      contract.length + named.length > 0 === (notVisible !== undefined),
  );
  expect(wrong).toEqual([]);
});

test('every rule has a unique id that can end a finding code', () => {
  expect(new Set(all.map(({ id }) => id)).size).toBe(all.length);
  expect(all.filter(({ id }) => !/^[a-z]+(-[a-z]+)*$/.test(id))).toEqual([]);
});

test('a rule that rests on no statement names an open point of the register', () => {
  const rows = (parse(read('docs/register.yaml')) as readonly { readonly id: string }[]).map(({ id }) => id);
  const open = all.filter(({ basis }) => !isStated(basis));
  expect(open.filter(({ basis }) => !rows.includes(basis))).toEqual([]);
});

test('the table and the rules refer only to existing operations', () => {
  const operationIds = new Set([...operations.map(({ id }) => id), 'openPortal', 'catalogueUpdated']);
  const named = [...placesOf(statements).keys(), ...exchangeRules.flatMap((rule) => rule.operations)];
  expect(named.filter((operation) => !operationIds.has(operation))).toEqual([]);
});

test('there are at least 40 trace rules', () => {
  expect(traceRules.length).toBeGreaterThanOrEqual(40);
});

test('a finding of a rule points to the line of its statement or open point', () => {
  const text = (basis: string) => readLine(lineOf(basis));
  expect([text('stated B11'), text('OP-12')]).toEqual([
    expect.stringMatching(/^- \*\*B11\*\* /),
    expect.stringMatching(/^- id: OP-12$/),
  ]);
});
