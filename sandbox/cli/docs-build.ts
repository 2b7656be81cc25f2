import { spawn } from 'node:child_process';
import { constants, setPriority } from 'node:os';
import { fileURLToPath } from 'node:url';

/** In a checkout the sources run as they are and can build the site; a package brings it built. */
const checkout = import.meta.url.endsWith('.ts');

/** Where the built documentation is. */
export const docsFolder = fileURLToPath(new URL(checkout ? '../../docs/site' : '../../../docs/site', import.meta.url));

const ownBuilder = fileURLToPath(new URL('../../tools/docs/build.ts', import.meta.url));

/**
 * Builds the documentation unless it is up to date, in a process of its own with low priority. Returns a function that
 * stops the build. `warn` is called if the build fails.
 */
export function buildDocs(node: string, warn: (message: string) => void, builder = ownBuilder): () => void {
  if (!checkout) return () => {};
  const child = spawn(node, [builder, '--if-changed'], { stdio: 'ignore' });
  if (child.pid !== undefined) setPriority(child.pid, constants.priority.PRIORITY_LOW);
  let isStopped = false;
  const failed = () =>
    warn('Could not build the documentation. Run `npm run docs` to see why; everything else works without it.');
  child.once('error', failed);
  child.once('exit', (code) => {
    if (code !== 0 && !isStopped) failed();
  });
  return () => {
    isStopped = true;
    child.kill();
  };
}
