/** Ends a run with the names of the failures and one plain line of counts, for people and for CI. */
import { writeFileSync } from 'node:fs';
import process from 'node:process';
import type { Reporter, TestModule, Vitest } from 'vitest/node';

export interface Counts {
  readonly passed: number;
  /** The number of failed tests, plus files that do not load or have a failed hook. */
  readonly failed: number;
  readonly skipped: number;
  readonly failures: readonly string[];
}

/** Prints the counts. If `TEST_COUNTS_FILE` is set, also writes them to that file. */
export default class CountsReporter implements Reporter {
  #seed: number | undefined;

  onInit({ config }: Vitest): void {
    this.#seed = config.provide.seed;
  }

  onTestRunEnd(modules: readonly TestModule[]): void {
    const tests = modules.flatMap((module) => [...module.children.allTests()]);
    const count = (state: 'passed' | 'failed' | 'skipped') =>
      tests.filter((each) => each.result().state === state).length;
    const failures = modules.flatMap((module) => {
      const failed = [...module.children.allTests('failed')].map(({ fullName }) => fullName);
      const names = failed.length === 0 && module.state() === 'failed' ? ['the file itself'] : failed;
      return names.map((name) => `${module.relativeModuleId}: ${name}`);
    });
    const counts: Counts = { passed: count('passed'), failed: failures.length, skipped: count('skipped'), failures };
    for (const failure of failures) process.stdout.write(`failed: ${failure}\n`);
    process.stdout.write(`Random tests drew from seed ${this.#seed}; TEST_SEED=${this.#seed} repeats them.\n`);
    process.stdout.write(`${counts.passed} passed, ${counts.failed} failed, ${counts.skipped} skipped\n`);
    const file = process.env.TEST_COUNTS_FILE;
    if (file !== undefined) writeFileSync(file, JSON.stringify(counts));
  }
}
