/** Tests that the tests detect mistakes: the named test must kill each mutant. */
import process from 'node:process';
import { beforeAll, expect, test } from 'vitest';
import { mutants } from './mutants.ts';
import { lineOf, type Tested, testMutants } from './run.ts';

let results: ReadonlyMap<string, Tested>;

beforeAll(async () => {
  results = await testMutants(mutants, (tested) => process.stderr.write(`${lineOf(tested)}\n`));
}, 3_600_000);

test.each(mutants)('$id: "$title" fails "$killedBy"', ({ id }) => {
  expect(results.get(id)).toMatchObject({ outcome: 'killed' });
});
