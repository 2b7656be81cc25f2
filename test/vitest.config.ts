import { fileURLToPath } from 'node:url';
import { configDefaults, defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** The files that take longest, the longest first: they start first, so that nobody waits for them at the end. */
const longest = ['/docs/site.test.ts', '/journeys/journeys.test.ts', '/conformance/cli.test.ts'];

class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const others = await super.sort(files);
    const first = longest.flatMap((name) => others.filter(({ moduleId }) => moduleId.endsWith(name)));
    return [...first, ...others.filter((file) => !first.includes(file))];
  }
}

/** Long forms of tests are in files of their own; `npm run test:long` runs them (docs/decisions/014-two-suites.md). */
export const longForms = 'test/**/*.long.test.ts';

export default defineConfig({
  test: {
    root: fileURLToPath(new URL('..', import.meta.url)),
    include: ['test/**/*.test.ts'],
    exclude: [...configDefaults.exclude, longForms],
    // Tests wait for disks and child processes as much as they compute.
    maxWorkers: 3,
    sequence: { sequencer: LongestFirst },
    // Nothing is measured by it: it is long enough for a machine that has much else to do.
    testTimeout: 90_000,
    hookTimeout: 90_000,
  },
});
