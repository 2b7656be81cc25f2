import { defineConfig } from 'vitest/config';
import { aloneFiles, common } from './vitest.config.ts';

/**
 * Nightly files that measure times: how long `/health` takes, or what the sandbox serves at ten times the load. One worker runs them and
 * nothing else runs, because other tests would use the processor.
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
