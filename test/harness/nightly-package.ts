/** Packages that only nightly tests use. An installation of the project does not bring them. */
import { createRequire } from 'node:module';
import { pathToFileURL } from 'node:url';
import { root } from './sources.ts';

const { resolve } = createRequire(`${root}test/nightly-packages/package.json`);

/** The file of a nightly package, such as `recheck`. Throws with the command that installs it. */
export function nightlyFile(name: string): string {
  try {
    return resolve(name);
  } catch (cause) {
    throw new Error(`${name} is not installed. Run: npm ci --prefix test/nightly-packages`, { cause });
  }
}

/** A nightly package. Its user declares the part of its types that it needs. */
export async function nightlyPackage<Module>(name: string): Promise<Module> {
  return (await import(pathToFileURL(nightlyFile(name)).href)) as Module;
}
