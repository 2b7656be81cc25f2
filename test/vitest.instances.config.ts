import { configDefaults, defineConfig } from 'vitest/config';
import { common } from './vitest.config.ts';

/**
 * Excluded files: tests of data folder files, of a single process, or of URLs, all of which differ between instances. Tests that count
 * wallet reads are also excluded, because a read is repeated if PostgreSQL has not yet recorded the delivery (OP-121).
 */
const ofOneProcess = ['test/platform/syncs.test.ts', 'test/client/outbox.test.ts', 'test/client/slow-wallets.test.ts'];

/** Runs single-sandbox tests against three instances behind a round-robin load balancer (OP-207). */
export default defineConfig({
  test: {
    include: [
      'test/journeys/*.test.ts',
      'test/{platform,client,faults}/*.test.ts',
      'test/workspaces/{isolation,own-tokens,access,secrets}.test.ts',
    ],
    exclude: [...configDefaults.exclude, 'test/**/*.nightly.test.ts', ...ofOneProcess],
    ...common,
    provide: { ...common.provide, suite: 'gate' },
    setupFiles: [...common.setupFiles, 'test/instances/three-instances.ts'],
    maxWorkers: 2,
    expect: { poll: { timeout: 60_000 } },
    testTimeout: 120_000,
    hookTimeout: 60_000,
  },
});
