/**
 * Clean-up of what the harness starts. Files of a worker share their modules, so a hook at the top of a module would serve only the
 * first file that loads it: modules register here, and `setup.ts`, which runs before each file, installs the one hook.
 */
type CleanUp = () => unknown;

const afterTests: CleanUp[] = [];

/** Registers what runs after every test of every file; what was registered last runs first. */
export function afterEveryTest(cleanUp: CleanUp): void {
  afterTests.push(cleanUp);
}

/** Runs every registered clean-up. Throws the first failure once all of them have run. */
export async function cleanUpAfterTest(): Promise<void> {
  const failures: unknown[] = [];
  for (const cleanUp of afterTests.toReversed()) {
    try {
      await cleanUp();
    } catch (error) {
      failures.push(error);
    }
  }
  if (failures.length > 0) throw failures[0];
}
