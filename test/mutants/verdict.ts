import type { Mutant } from './mutant.ts';

/** The result of a test, identified by its full title. */
export interface TestResult {
  readonly title: string;
  readonly passed: boolean;
  /** Whether the test failed because of a timeout. */
  readonly late: boolean;
}

/** The result of a run of test files. */
export type TestRun =
  | { readonly ended: 'timed out' }
  | {
      readonly ended: 'by itself';
      readonly tests: readonly TestResult[];
      /** Reasons why whole files failed. */
      readonly broken: readonly string[];
    };

/**
 * The result for a mutant. `killed`: the named test failed. `survived`: all tests passed. `killed by another test`:
 * only other tests failed. `crashed`: the code does not load or every test fails, which proves nothing about the named
 * test. `timed out`: the run or the named test did not end, although the mutant does not declare a hang.
 */
export type Outcome = 'killed' | 'survived' | 'killed by another test' | 'crashed' | 'timed out';

export interface Verdict {
  readonly outcome: Outcome;
  /** The titles of the failed tests, or the reasons why files failed. */
  readonly failed: readonly string[];
}

/** Determines from a test run whether the tests detected the mutant. */
export function judge({ killedBy, hangs }: Pick<Mutant, 'killedBy' | 'hangs'>, run: TestRun): Verdict {
  if (run.ended === 'timed out') return { outcome: hangs === true ? 'killed' : 'timed out', failed: [] };
  const failed = [...run.broken, ...run.tests.filter(({ passed }) => !passed).map(({ title }) => title)];
  const named = run.tests.filter(({ title }) => title.includes(killedBy));
  if (run.broken.length > 0 || failed.length === run.tests.length) return { outcome: 'crashed', failed };
  if (named.length === 0) return { outcome: 'crashed', failed: [`no test that ran is called "${killedBy}"`] };
  if (failed.length === 0) return { outcome: 'survived', failed };
  const killers = named.filter(({ passed }) => !passed);
  if (killers.length === 0) return { outcome: 'killed by another test', failed };
  // On a busy machine, a test can also time out without a mistake.
  return { outcome: hangs === true || killers.some(({ late }) => !late) ? 'killed' : 'timed out', failed };
}
