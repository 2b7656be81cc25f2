import { spawn } from 'node:child_process';
import { constants, setPriority } from 'node:os';
import { fileURLToPath } from 'node:url';

/** In a checkout the sources run directly and can build the rest; a package contains the builds. */
const isCheckout = import.meta.url.endsWith('.ts');

/** Where the built documentation is. */
export const docsFolder = fileURLToPath(
  new URL(isCheckout ? '../../docs/site' : '../../../docs/site', import.meta.url),
);

const docsBuilder = fileURLToPath(new URL('../../tools/docs/build.ts', import.meta.url));
const dashboardBuilder = fileURLToPath(new URL('../../tools/dashboard/build.ts', import.meta.url));

/**
 * Builds the documentation unless it is up to date, in a process of its own with low priority. Returns a function that
 * stops the build. `warn` is called if the build fails.
 */
export function buildDocs(node: string, warn: (message: string) => void, builder = docsBuilder): () => void {
  const problem = 'Could not build the documentation. Run `npm run docs` to see why; everything else works without it.';
  return build(node, builder, constants.priority.PRIORITY_LOW, () => warn(problem));
}

/** As `buildDocs`, for the dashboard: it takes less than a second, and a user may be waiting for it. */
export function buildDashboard(node: string, warn: (message: string) => void, builder = dashboardBuilder): () => void {
  const problem =
    'Could not build the dashboard. Run `npm run dashboard` to see why; everything else works without it.';
  return build(node, builder, constants.priority.PRIORITY_NORMAL, () => warn(problem));
}

function build(node: string, builder: string, priority: number, onFailure: () => void): () => void {
  if (!isCheckout) return () => {};
  const child = spawn(node, [builder, '--if-changed'], { stdio: 'ignore' });
  if (child.pid !== undefined) setPriority(child.pid, priority);
  let isStopped = false;
  child.once('error', onFailure);
  child.once('exit', (code) => {
    if (code !== 0 && !isStopped) onFailure();
  });
  return () => {
    isStopped = true;
    child.kill();
  };
}
