/**
 * Run by `npm ci` in a checkout, so that the first start has its documentation and its dashboard. Plain JavaScript that
 * any Node can read. It never fails an installation: where something cannot be built (an older Node, no development
 * dependencies, a mistake in a page), the sandbox works without it and builds it at its next start.
 */
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import process from 'node:process';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
const runs = major > 24 || (major === 24 && minor >= 18);

/** Builds a part unless it is up to date, if the package that builds it is installed. */
function build(part, builder, needs) {
  if (!runs || !existsSync(`${root}/node_modules/${needs}`)) return;
  const { status } = spawnSync(process.execPath, [`${root}/tools/${builder}/build.ts`, '--if-changed'], {
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  if (status !== 0) process.stderr.write(`The ${part} could not be built; npm run ${builder} says more.\n`);
}

build('dashboard', 'dashboard', 'rolldown');
build('documentation', 'docs', 'vitepress');
