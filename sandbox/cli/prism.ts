/** Prism is an optional dependency: the second opinion of `proxy`, and all of `mock`. Nothing else loads it. */
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import type { Checker } from '../conformance/checker.ts';
import type { SecondOpinion } from '../proxy/second-opinion.ts';

/** How to install it, in the version that the project is tested with. */
export const installHint =
  'Install it with: npm install @stoplight/prism-http@5.16.0 @stoplight/prism-cli@5.16.0 (requires Node 24.18 or later).';

/** Prism with the contracts of a checker; undefined where it is not installed. */
export async function installedOpinion(checker: Checker): Promise<SecondOpinion | undefined> {
  try {
    const { loadSecondOpinion } = await import('../proxy/second-opinion.ts');
    return await loadSecondOpinion(checker);
  } catch (error) {
    return ifMissing(error);
  }
}

/** The program of the Prism CLI; undefined where it is not installed. */
export function installedCli(): string | undefined {
  try {
    const cli = createRequire(import.meta.url).resolve('@stoplight/prism-cli/package.json');
    return join(dirname(cli), 'dist/index.js');
  } catch (error) {
    return ifMissing(error);
  }
}

function ifMissing(error: unknown): undefined {
  const { code, message = '' } = error as NodeJS.ErrnoException;
  const isMissing = code === 'ERR_MODULE_NOT_FOUND' || code === 'MODULE_NOT_FOUND';
  if (!isMissing || !message.includes('@stoplight/prism')) throw error;
  return undefined;
}
