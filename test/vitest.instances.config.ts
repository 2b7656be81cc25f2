import { configDefaults, defineConfig } from 'vitest/config';
import { common } from './vitest.config.ts';

/**
 * What is about files of a data folder, about one process, or about addresses, which each instance shows as its own; and what counts
 * reads of wallets, of which one is made again where PostgreSQL has not booked the delivery yet (OP-121).
 */
const ofOneProcess = [
  'test/platform/charged-reads.test.ts',
  'test/platform/syncs.test.ts',
  'test/client/outbox.test.ts',
  'test/client/slow-wallets.test.ts',
];

/** Tests of one sandbox, with three instances behind a round robin in its place (OP-207). */
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
