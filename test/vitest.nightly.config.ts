import { globSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { configDefaults, defineConfig } from 'vitest/config';
import { aloneFiles, common, nightlyFiles, startFirst } from './vitest.config.ts';

/** Files of the gate that run more cases in this suite. They import `harness/scale.ts`. */
const scaledFiles = globSync('test/**/*.test.ts', { cwd: fileURLToPath(new URL('..', import.meta.url)) }).filter(
  (path) =>
    !path.endsWith('.nightly.test.ts') &&
    readFileSync(new URL(`../${path}`, import.meta.url), 'utf8').includes('harness/scale.ts'),
);

/** The nightly suite: all tests that the gate omits, and the gate's rules at full scale (docs/decisions/014-two-suites.md). */
export default defineConfig({
  test: {
    ...common,
    provide: { ...common.provide, suite: 'nightly' },
    include: [nightlyFiles, ...scaledFiles],
    exclude: [...configDefaults.exclude, ...aloneFiles],
    // Many of these tests spend most of their time waiting.
    maxWorkers: 3,
    sequence: {
      sequencer: startFirst('/mutants.nightly.test.ts', '/takeover.nightly.test.ts', '/disk-cells.nightly.test.ts'),
    },
    expect: { poll: { timeout: 60_000 } },
    testTimeout: 600_000,
    hookTimeout: 120_000,
  },
});
