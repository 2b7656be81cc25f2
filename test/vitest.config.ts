import { fileURLToPath } from 'node:url';
import { configDefaults, defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** Starts these files first, in this order, so that nobody waits for them at the end: they take longest. */
export function first(
  ...names: readonly string[]
): new (
  ...given: ConstructorParameters<typeof BaseSequencer>
) => BaseSequencer {
  return class extends BaseSequencer {
    override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
      const others = await super.sort(files);
      const longest = names.flatMap((name) => others.filter(({ moduleId }) => moduleId.endsWith(name)));
      return [...longest, ...others.filter((file) => !longest.includes(file))];
    }
  };
}

/** Long forms of tests are in files of their own; `npm run test:nightly` runs them (docs/decisions/014-two-suites.md). */
export const nightlyFiles = 'test/**/*.nightly.test.ts';

export default defineConfig({
  test: {
    root: fileURLToPath(new URL('..', import.meta.url)),
    include: ['test/**/*.test.ts'],
    exclude: [...configDefaults.exclude, nightlyFiles],
    // Tests wait for disks and child processes as much as they compute.
    maxWorkers: 3,
    sequence: {
      sequencer: first(
        '/certification/command.test.ts',
        '/docs/site.test.ts',
        '/journeys/journeys.test.ts',
        '/conformance/cli.test.ts',
      ),
    },
    // Nothing is measured by it: it is long enough for a machine that has much else to do.
    testTimeout: 90_000,
    hookTimeout: 90_000,
  },
});
