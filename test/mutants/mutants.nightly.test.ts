/**
 * Whether the tests can see: each mutant has to fail the test that it names
 * (docs/decisions/033-mutants.md).
 */
import process from 'node:process';
import { beforeAll, expect, test } from 'vitest';
import { mutants } from './mutants.ts';
import { lineOf } from './report.ts';
import { type Tried, tryMutants } from './run.ts';

const tried = new Map<string, Tried>();

beforeAll(async () => {
  const tell = (one: Tried) => {
    tried.set(one.mutant.id, one);
    process.stderr.write(`${tried.size}/${mutants.length} ${lineOf(one)}\n`);
  };
  // The short suite, which runs before this one, has all of their tests.
  await tryMutants(mutants, { tell, isSound: true });
}, 1_800_000);

test.each(mutants)('$id: "$title" fails "$killedBy"', ({ id, killedBy }) => {
  expect(tried.get(id)).toMatchObject({
    outcome: 'killed',
    failed: expect.arrayContaining([expect.stringContaining(killedBy)]),
  });
});
