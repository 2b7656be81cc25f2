import process from 'node:process';
import { defineConfig } from 'vitest/config';
import { common } from './vitest.config.ts';

/** Timeout of a test against mutated code, in milliseconds. */
const testTimeout = Number(process.env.MUTANT_TEST_MILLISECONDS);

/** Runs the tests of both suites for one mutant, in a copy of the project. */
export default defineConfig({
  test: {
    ...common,
    provide: { ...common.provide, suite: 'gate' },
    include: ['test/**/*.test.ts'],
    maxWorkers: 1,
    reporters: ['json'],
    fsModuleCachePath: '.module-cache',
    testTimeout,
    hookTimeout: testTimeout,
    // A poll that never succeeds must fail before the test times out, because a timeout says nothing about the mutant.
    expect: { poll: { timeout: testTimeout / 3 } },
  },
});
