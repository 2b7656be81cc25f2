import process from 'node:process';
import { fileURLToPath } from 'node:url';
import { configDefaults, defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** Files of the nightly suite (docs/decisions/014-two-suites.md). */
export const nightlyFiles = 'test/**/*.nightly.test.ts';

/** Nightly files that compare durations and therefore run alone. */
export const aloneFiles = [
  'test/bench/neighbours.nightly.test.ts',
  'test/client/one-against-all.nightly.test.ts',
  'test/http/overload.nightly.test.ts',
  'test/http/silent-connections.nightly.test.ts',
];

/**
 * Files that replace a module and therefore cannot share a process with others. All other files in a worker share their modules, so the
 * sandbox loads only once per worker.
 */
export const isolatedFiles = ['test/runtime/secrets.test.ts'];

/** Starts these files first, in this order. They take longest, so no worker should have to wait for them at the end. */
export function startFirst(
  ...names: readonly string[]
): new (
  ...sequencerArguments: ConstructorParameters<typeof BaseSequencer>
) => BaseSequencer {
  return class extends BaseSequencer {
    override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
      const others = await super.sort(files);
      const longest = names.flatMap((name) => others.filter(({ moduleId }) => moduleId.endsWith(name)));
      return [...longest, ...others.filter((file) => !longest.includes(file))];
    }
  };
}

/** Matches failures caused by a Chromium crash. Such a test runs once more, in a new browser (harness/browser.ts). */
export const browserDied =
  /\b(page, context or browser has been closed|Target crashed|browser has disconnected)\b|Unable to capture screenshot/;

/** The seed of random tests. Set `TEST_SEED` to repeat a run. */
const seed = Number(process.env.TEST_SEED ?? Date.now() % 2 ** 31);

/** The settings that all suites share. */
export const common = {
  root: fileURLToPath(new URL('..', import.meta.url)),
  globalSetup: ['test/build-dashboard.ts'],
  setupFiles: ['test/setup.ts'],
  retry: { count: 1, condition: browserDied },
  provide: { seed },
  reporters: ['default', fileURLToPath(new URL('harness/counts-reporter.ts', import.meta.url))],
};

/** The gate: checks everything that changes commonly break. */
export default defineConfig({
  test: {
    ...common,
    provide: { ...common.provide, suite: 'gate' },
    // Tests spend as much time waiting for disks and child processes as computing.
    maxWorkers: 3,
    sequence: { sequencer: startFirst('/journeys/journeys.test.ts') },
    // These limits only catch hangs. They are long because a busy machine needs the time.
    expect: { poll: { timeout: 60_000 } },
    testTimeout: 300_000,
    hookTimeout: 300_000,
    projects: [
      {
        extends: true,
        test: {
          name: 'gate',
          include: ['test/**/*.test.ts'],
          exclude: [...configDefaults.exclude, nightlyFiles, ...isolatedFiles],
          isolate: false,
        },
      },
      { extends: true, test: { name: 'isolated', include: isolatedFiles } },
    ],
  },
});
