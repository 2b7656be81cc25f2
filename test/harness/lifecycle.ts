/**
 * Clean-up of what the harness starts. Files of a worker share their modules, so a hook at the top of a module would serve only the
 * first file that loads it: modules register here, and `test/setup.ts`, which runs before each file, installs the one hook.
 */
type CleanUp = () => unknown;

const afterTests: CleanUp[] = [];
const afterFiles: CleanUp[] = [];

/** Registers what runs after every test of every file; what was registered last runs first. */
export function afterEveryTest(cleanUp: CleanUp): void {
  afterTests.push(cleanUp);
}

/** Registers what runs after every test file; what was registered last runs first. */
export function afterEveryFile(cleanUp: CleanUp): void {
  afterFiles.push(cleanUp);
}

export const cleanUpAfterTest = (): Promise<void> => runAll(afterTests);
export const cleanUpAfterFile = (): Promise<void> => runAll(afterFiles);

/** Throws the first failure once every clean-up has run. */
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
