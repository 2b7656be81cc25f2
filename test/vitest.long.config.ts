import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';
import { first, longForms } from './vitest.config.ts';

/** The long suite: the same rules as in the other, at full size (docs/decisions/014-two-suites.md). */
export default defineConfig({
  test: {
    root: fileURLToPath(new URL('..', import.meta.url)),
    include: [longForms],
    maxWorkers: 2,
    sequence: {
      sequencer: first(
        '/planted.long.test.ts',
        '/takeover.long.test.ts',
        '/disk-cells-full.long.test.ts',
        '/disk-cells.long.test.ts',
      ),
    },
    testTimeout: 600_000,
    hookTimeout: 60_000,
  },
});
