import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** All journeys are in one file, which takes longest: it starts first, so that nobody waits for it at the end. */
class JourneysFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const others = await super.sort(files);
    const journeys = others.filter(({ moduleId }) => moduleId.endsWith('/journeys.test.ts'));
    return [...journeys, ...others.filter((file) => !journeys.includes(file))];
  }
}

export default defineConfig({
  test: {
    root: fileURLToPath(new URL('..', import.meta.url)),
    include: ['test/**/*.test.ts'],
    // Tests wait for disks and child processes as much as they compute.
    maxWorkers: 3,
    sequence: { sequencer: JourneysFirst },
    testTimeout: 30_000,
    hookTimeout: 30_000,
  },
});
