/** Loads packages that only nightly tests use. A normal installation of the project does not include them. */
import { createRequire } from 'node:module';
import { pathToFileURL } from 'node:url';
import { root } from './sources.ts';

const { resolve } = createRequire(`${root}test/nightly-packages/package.json`);

/** Resolves the file of a nightly package, such as `recheck`. Throws with the command that installs the package. */
export function nightlyFile(name: string): string {
  try {
    return resolve(name);
  } catch (cause) {
    throw new Error(`${name} is not installed. Run: npm ci --prefix test/nightly-packages`, { cause });
  }
}

/** Loads a nightly package. The caller declares the types it needs. */
export async function nightlyPackage<Module>(name: string): Promise<Module> {
  return (await import(pathToFileURL(nightlyFile(name)).href)) as Module;
}
