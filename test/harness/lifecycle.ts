/**
 * Cleans up resources that the harness starts. Test files in a worker share modules, so a module-level hook would only run for the first
 * file that imports it. Modules register here instead, and `test/setup.ts`, which runs before each file, installs a single hook.
 */
type CleanUp = () => unknown;

const afterTests: CleanUp[] = [];
const afterFiles: CleanUp[] = [];

/** Registers a clean-up to run after every test in every file. Clean-ups run in reverse order of registration. */
export function afterEveryTest(cleanUp: CleanUp): void {
  afterTests.push(cleanUp);
}

/** Registers a clean-up to run after every test file. Clean-ups run in reverse order of registration. */
export function afterEveryFile(cleanUp: CleanUp): void {
  afterFiles.push(cleanUp);
}

export const cleanUpAfterTest = (): Promise<void> => runAll(afterTests);
export const cleanUpAfterFile = (): Promise<void> => runAll(afterFiles);

/** Runs every clean-up, then throws the first failure. */
async function runAll(cleanUps: readonly CleanUp[]): Promise<void> {
  const failures: unknown[] = [];
  for (const cleanUp of cleanUps.toReversed()) {
    try {
      await cleanUp();
    } catch (error) {
      failures.push(error);
    }
  }
  if (failures.length > 0) throw failures[0];
}
