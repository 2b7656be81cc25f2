/**
 * Tests all mutants or the named ones, and prints each result when its tests end. Exits with 1 if a mutant was not
 * killed.
 *
 * Usage: `npm run test:mutants [-- ID...]`.
 */
import process from 'node:process';
import { mutants } from './mutants.ts';
import { lineOf, testMutants } from './run.ts';

const ids = process.argv.slice(2);
const unknown = ids.filter((id) => !mutants.some((mutant) => mutant.id === id));
if (unknown.length > 0) {
  process.stderr.write(`There is no mutant ${unknown.join(', ')}. See test/mutants/parts.\n`);
  process.exit(2);
}
/** Stopping the run also ends its processes and removes its copies. */
const stop = new AbortController();
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => stop.abort());

const wanted = mutants.filter(({ id }) => ids.length === 0 || ids.includes(id));
const tested = await testMutants(wanted, {
  signal: stop.signal,
  report: (result) => process.stdout.write(`${lineOf(result)}\n`),
});
const survivors = tested.filter(({ outcome }) => outcome !== 'killed');
process.stdout.write(`${tested.length} mutants, ${survivors.length} not killed\n`);
for (const survivor of survivors) process.stdout.write(`${lineOf(survivor)}\n`);
process.exitCode = survivors.length === 0 ? 0 : 1;
