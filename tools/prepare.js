/**
 * Runs during `npm ci` in a checkout, to build the documentation and the dashboard before the first start. Plain
 * JavaScript, so that any Node can parse it. Never fails an installation. Builds can fail on an old Node, without
 * development dependencies, or if a page has an error. The sandbox then works without them, and builds them at its next
 * start.
 */
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import process from 'node:process';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
const runs = major > 24 || (major === 24 && minor >= 18);

/** Builds a part unless it is up to date. Does nothing if the required package is not installed. */
function build(part, builder, needs) {
  if (!runs || !existsSync(`${root}/node_modules/${needs}`)) return;
  const { status } = spawnSync(process.execPath, [`${root}/tools/${builder}/build.ts`, '--if-changed'], {
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  if (status !== 0) process.stderr.write(`The ${part} could not be built; npm run ${builder} says more.\n`);
}

build('dashboard', 'dashboard', 'rolldown');
build('documentation', 'docs', 'vitepress');
