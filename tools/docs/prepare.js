/**
 * Run by `npm ci` in a checkout, so that the first start has its documentation at once. Plain JavaScript that any Node
 * can read. It never fails an installation: where the site cannot be built (an older Node, no development
 * dependencies, a mistake in a page), the sandbox works without it and builds it at its next start.
 */
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import process from 'node:process';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../..', import.meta.url));
const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
const runs = major > 24 || (major === 24 && minor >= 18);
if (runs && existsSync(`${root}/node_modules/vitepress`)) {
  const { status } = spawnSync(process.execPath, [`${root}/tools/docs/build.ts`, '--if-changed'], {
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  if (status !== 0) process.stderr.write('The documentation could not be built; npm run docs says more.\n');
}
