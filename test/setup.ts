/** Runs before each test file in every suite. */
import fc from 'fast-check';
import { afterAll, afterEach, inject } from 'vitest';
import { cleanUpAfterFile, cleanUpAfterTest } from './harness/lifecycle.ts';
import { scaled } from './harness/scale.ts';

// The end of a run prints the seed. Set TEST_SEED to repeat the run's random values.
fc.configureGlobal({ seed: inject('seed'), numRuns: scaled(50, 300) });

afterEach(cleanUpAfterTest);
afterAll(cleanUpAfterFile);
