import { defineConfig } from 'vitest/config';
import { aloneFiles, common } from './vitest.config.ts';

/**
 * Runs the nightly files that measure times, such as the response time of `/health` or the throughput at ten times the load. A single
 * worker runs them while nothing else runs, because other tests would use the processor.
 */
export default defineConfig({
  test: {
    ...common,
    provide: { ...common.provide, suite: 'nightly' },
    include: aloneFiles,
    maxWorkers: 1,
    fileParallelism: false,
    expect: { poll: { timeout: 60_000 } },
    testTimeout: 600_000,
    hookTimeout: 120_000,
  },
});
