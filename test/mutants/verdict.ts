import type { Mutant } from './mutant.ts';

/** The result of a test, by its full title. */
export interface TestResult {
  readonly title: string;
  readonly passed: boolean;
  /** Whether it failed because it ran out of time. */
  readonly late: boolean;
}

/** The result of a run of test files. */
export type TestRun =
  | { readonly ended: 'timed out' }
  | {
      readonly ended: 'by itself';
      readonly tests: readonly TestResult[];
      /** Why files failed as a whole. */
      readonly broken: readonly string[];
    };

/**
 * `killed`: the named test failed. `survived`: all tests passed. `killed by another test`: only others failed. `crashed`:
 * the code does not load, or every test fails, which says nothing about the named one. `timed out`: the run or the
 * named test did not end, and the mutant does not say that it hangs.
 */
export type Outcome = 'killed' | 'survived' | 'killed by another test' | 'crashed' | 'timed out';

export interface Verdict {
  readonly outcome: Outcome;
  /** The titles of the tests that failed, or what is broken. */
  readonly failed: readonly string[];
}

/** Whether the tests have found a mutant, from their run with it in the code. */
export function judge({ killedBy, hangs }: Pick<Mutant, 'killedBy' | 'hangs'>, run: TestRun): Verdict {
  if (run.ended === 'timed out') return { outcome: hangs === true ? 'killed' : 'timed out', failed: [] };
  const failed = [...run.broken, ...run.tests.filter(({ passed }) => !passed).map(({ title }) => title)];
  const named = run.tests.filter(({ title }) => title.includes(killedBy));
  if (run.broken.length > 0 || failed.length === run.tests.length) return { outcome: 'crashed', failed };
  if (named.length === 0) return { outcome: 'crashed', failed: [`no test that ran is called "${killedBy}"`] };
  if (failed.length === 0) return { outcome: 'survived', failed };
  const killers = named.filter(({ passed }) => !passed);
  if (killers.length === 0) return { outcome: 'killed by another test', failed };
  // A test can run out of its time on a busy machine too.
  return { outcome: hangs === true || killers.some(({ late }) => !late) ? 'killed' : 'timed out', failed };
}
