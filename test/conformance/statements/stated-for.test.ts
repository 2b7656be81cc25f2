/** Only stated rules can fail. Each rule that is an error lists its statements and their operations. */
import { expect, test } from 'vitest';
import { exchangeRules } from '../../../sandbox/conformance/statements/judge-exchange.ts';
import { traceRules } from '../../../sandbox/conformance/statements/judge-trace.ts';
import { idsOf, isStated } from '../../../sandbox/contract/basis.ts';
import { operations } from '../../harness/exchanges.ts';
import { judged } from './check.ts';
import { golden } from './golden.ts';
import { statedFor } from './stated-for.ts';

const all = [...exchangeRules, ...traceRules];
const errors = all.filter(({ basis }) => isStated(basis));
const operationsFor = (id: string) => (statedFor[id]?.[1] ?? '').split(' ').toSorted();

test('the table has each rule that is an error, with exactly the statements that it rests on', () => {
  const inRules = errors.map(({ id, basis }) => `${id}: ${idsOf(basis).toSorted().join(' ')}`);
  const inTable = Object.entries(statedFor).map(([id, [ids]]) => `${id}: ${ids.split(' ').toSorted().join(' ')}`);
  expect(inTable.toSorted()).toEqual(inRules.toSorted());
});

test('each statement of the table is about operations of the interface', () => {
  const known = new Set(operations.map(({ id }) => id));
  expect(Object.keys(statedFor).filter((id) => operationsFor(id).some((one) => !known.has(one)))).toEqual([]);
  const lines = Object.entries(statedFor).map(([id, row]) => `${id}: ${row.join(': ')}`);
  process.stdout.write(`Errors, their statements and the operations that these are about:\n${lines.join('\n')}\n`);
});

test('a rule over one exchange judges the operations of its row, and no others', () => {
  const wrong = exchangeRules
    .filter(({ basis }) => isStated(basis))
    .filter(({ id, operations: judged }) => String(judged.toSorted()) !== String(operationsFor(id)));
  expect(wrong.map(({ id }) => id)).toEqual([]);
});

test('a rule over a recording judges operations of its row only', () => {
  const judgedRules = new Set(judged(golden()).map(({ rule, observed }) => `${rule.id} ${observed.at.operation}`));
  const wrong = [...judgedRules].filter((pair) => {
    const [id = '', operation = ''] = pair.split(' ');
    return statedFor[id] !== undefined && !operationsFor(id).includes(operation);
  });
  expect(wrong).toEqual([]);
  expect(judgedRules.size).toBeGreaterThan(60);
});
