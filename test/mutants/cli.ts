/**
 * Tests all mutants or the named ones, and prints each result when its tests end. Exits with 1 if a mutant was not
 * killed.
 *
 * Usage: `npm run test:mutants [-- ID...]`.
 */
import process from 'node:process';
import { mutants } from './mutants.ts';
import { lineOf, type Tested, testMutants } from './run.ts';

const ids = process.argv.slice(2);
const unknown = ids.filter((id) => !mutants.some((mutant) => mutant.id === id));
if (unknown.length > 0) {
  process.stderr.write(`There is no mutant ${unknown.join(', ')}. See test/mutants/parts.\n`);
  process.exit(2);
}
// The exit also ends the tests and removes the copies.
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(130));

const print = (tested: Tested) => process.stdout.write(`${lineOf(tested)}\n`);
const wanted = mutants.filter(({ id }) => ids.length === 0 || ids.includes(id));
const tested = [...(await testMutants(wanted, print)).values()];
const survivors = tested.filter(({ outcome }) => outcome !== 'killed');
process.stdout.write(`${tested.length} mutants, ${survivors.length} not killed\n`);
for (const survivor of survivors) print(survivor);
process.exitCode = survivors.length === 0 ? 0 : 1;
