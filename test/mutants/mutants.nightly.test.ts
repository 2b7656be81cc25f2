/** Tests that the tests detect mistakes: the named test must kill each mutant. */
import process from 'node:process';
import { beforeAll, expect, test } from 'vitest';
import { mutants } from './mutants.ts';
import { lineOf, type Tested, testMutants } from './run.ts';

const results = new Map<string, Tested>();

beforeAll(async () => {
  const report = (tested: Tested) => {
    results.set(tested.mutant.id, tested);
    process.stderr.write(`${results.size}/${mutants.length} ${lineOf(tested)}\n`);
  };
  await testMutants(mutants, { report });
}, 3_600_000);

test.each(mutants)('$id: "$title" fails "$killedBy"', ({ id }) => {
  expect(results.get(id)).toMatchObject({ outcome: 'killed' });
});
