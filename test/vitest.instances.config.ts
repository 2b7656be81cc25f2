import { configDefaults, defineConfig } from 'vitest/config';
import { common } from './vitest.config.ts';

/**
 * Tests of files of a data folder, of one process, or of URLs, which differ between instances; and tests that count reads of
 * wallets, since a read is repeated if PostgreSQL has not yet booked the delivery (OP-121).
 */
const ofOneProcess = ['test/platform/syncs.test.ts', 'test/client/outbox.test.ts', 'test/client/slow-wallets.test.ts'];

/** Tests of one sandbox, run against three instances behind a round robin (OP-207). */
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
