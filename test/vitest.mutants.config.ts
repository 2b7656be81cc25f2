import process from 'node:process';
import { defineConfig } from 'vitest/config';
import { common } from './vitest.config.ts';

/** The milliseconds that a test may take with a mutant in the code. */
const testTimeout = Number(process.env.MUTANT_TEST_MILLISECONDS);

/** The tests of one mutant, of both suites, in a copy of the project. */
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
    // A test that waits in vain must fail before its time is over: running out of it says nothing about the mutant.
    expect: { poll: { timeout: testTimeout / 3 } },
  },
});
