import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';
import { first, nightlyFiles } from './vitest.config.ts';

/** The nightly suite: the same rules as in the other, at full size (docs/decisions/014-two-suites.md). */
export default defineConfig({
  test: {
    root: fileURLToPath(new URL('..', import.meta.url)),
    include: [nightlyFiles],
    maxWorkers: 2,
    sequence: {
      sequencer: first(
        '/mutants.nightly.test.ts',
        '/takeover.nightly.test.ts',
        '/disk-cells-full.nightly.test.ts',
        '/disk-cells.nightly.test.ts',
      ),
    },
    testTimeout: 600_000,
    hookTimeout: 60_000,
  },
});
