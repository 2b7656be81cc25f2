import type { Mutant } from './mutant.ts';

/** How a test ended, by its full title. */
export interface TestResult {
  readonly title: string;
  readonly passed: boolean;
  /** Whether it failed by running out of its time. */
  readonly late: boolean;
}

/** What a run of test files came to. */
export type TestRun =
  | { readonly ended: 'timed out' }
  | {
      readonly ended: 'by itself';
      readonly tests: readonly TestResult[];
      /** The files of which no test ran, with the reason. */
      readonly broken: readonly string[];
    };

/**
 * What a mutant came to: `killed` by its test; `survived`, where everything passed; `killed by another test`, where only others
 * failed; `crashed`, where the code does not load, or nothing works any more, which tells nothing about the named test;
 * `timed out`, where the run or the named test did not end, and the mutant does not say that this is how it shows.
 */
export type Outcome = 'killed' | 'survived' | 'killed by another test' | 'crashed' | 'timed out';

export interface Verdict {
  readonly outcome: Outcome;
  /** The titles of the tests that failed, or what is broken. */
  readonly failed: readonly string[];
}

/** Judges a run of the tests of a mutant with the mutant in the code. */
export function judge({ killedBy, hangs }: Pick<Mutant, 'killedBy' | 'hangs'>, run: TestRun): Verdict {
  if (run.ended === 'timed out') return { outcome: hangs === true ? 'killed' : 'timed out', failed: [] };
  if (run.broken.length > 0) return { outcome: 'crashed', failed: run.broken };
  const failed = run.tests.filter(({ passed }) => !passed).map(({ title }) => title);
  if (failed.length === run.tests.length) return { outcome: 'crashed', failed };
  if (failed.length === 0) return { outcome: 'survived', failed };
  const named = run.tests.filter(({ title, passed }) => !passed && title.includes(killedBy));
  if (named.length === 0) return { outcome: 'killed by another test', failed };
  // A test can run out of its time on a busy machine too.
  return { outcome: hangs === true || named.some(({ late }) => !late) ? 'killed' : 'timed out', failed };
}
