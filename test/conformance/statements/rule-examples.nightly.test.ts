/** Shows each rule that is an error with its statements, their operations, a compliant recording and a violating one. */
import { expect, it } from 'vitest';
import { sharedChecker } from '../../harness/proxy.ts';
import { exchangeOf, judged, reportOf } from './check.ts';
import { conversation } from './conversations.ts';
import { deviations } from './deviations.ts';
import { golden } from './golden.ts';
import { operators } from './operators.ts';
import type { Call } from './recording.ts';
import { statedFor } from './stated-for.ts';
import { varieties } from './variety.ts';

/** Returns the rules that a recording complies with, each with the operation that shows it. */
function keptBy(calls: readonly Call[]): ReadonlyMap<string, string> {
  const kept = new Map<string, string>();
  for (const one of calls)
    for (const { id } of sharedChecker().check(exchangeOf(one)).satisfied ?? []) kept.set(id, one.operation);
  for (const { rule, observed } of judged(calls))
    if (observed.issue === undefined) kept.set(rule.id, observed.at.operation);
  return kept;
}

const rightOnes: readonly (readonly [string, () => readonly Call[]])[] = [
  ['every journey', golden],
  ['refused requests', () => golden({ refusals: true })],
  ...varieties.map(({ title, make }) => [title, () => make(golden())] as const),
  ...[...Array(30).keys()].map((seed) => [`conversation ${seed}`, () => conversation(seed)] as const),
];

it('each rule that is an error has a right and a wrong example', () => {
  const right = new Map<string, string>();
  for (const [title, make] of rightOnes)
    for (const [id, operation] of keptBy(make())) if (!right.has(id)) right.set(id, `${title}, ${operation}`);
  const wrong = new Map<string, string>();
  for (const { title, calls } of [...deviations, ...operators].flatMap((make) => make(golden()))) {
    for (const { severity, code } of reportOf(calls).findings) {
      const id = code.split('.').at(-1) ?? '';
      if (severity === 'error' && !wrong.has(id)) wrong.set(id, title);
    }
  }
  const rows = Object.entries(statedFor).map(([id, [statements, operations]]) => {
    return `${id}: ${statements} (${operations})\n  right: ${right.get(id)}\n  wrong: ${wrong.get(id)}`;
  });
  process.stdout.write(`Rules that are errors:\n${rows.join('\n')}\n`);
  const ids = Object.keys(statedFor);
  expect({ right: ids.filter((id) => !right.has(id)), wrong: ids.filter((id) => !wrong.has(id)) }).toEqual({
    right: [],
    wrong: [],
  });
});
