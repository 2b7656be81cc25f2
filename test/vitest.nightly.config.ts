import { globSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { configDefaults, defineConfig } from 'vitest/config';
import { aloneFiles, common, nightlyFiles, startFirst } from './vitest.config.ts';

/** Files of the gate with more cases here: they import `harness/scale.ts`. */
const scaledFiles = globSync('test/**/*.test.ts', { cwd: fileURLToPath(new URL('..', import.meta.url)) }).filter(
  (path) =>
    !path.endsWith('.nightly.test.ts') &&
    readFileSync(new URL(`../${path}`, import.meta.url), 'utf8').includes('harness/scale.ts'),
);

/** The nightly suite: everything that the gate leaves out, and the gate's rules at full size (docs/decisions/014-two-suites.md). */
export default defineConfig({
  test: {
    ...common,
    provide: { ...common.provide, suite: 'nightly' },
    include: [nightlyFiles, ...scaledFiles],
    exclude: [...configDefaults.exclude, ...aloneFiles],
    // Many of its tests spend most of their time waiting.
    maxWorkers: 3,
    sequence: {
      sequencer: startFirst('/mutants.nightly.test.ts', '/takeover.nightly.test.ts', '/disk-cells.nightly.test.ts'),
    },
    expect: { poll: { timeout: 60_000 } },
    testTimeout: 600_000,
    hookTimeout: 120_000,
  },
});
