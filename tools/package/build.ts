/** Builds all files of the package except its documents and examples. Usage: `node tools/package/build.ts <dist>`. */
import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { argv, execPath } from 'node:process';
import { fileURLToPath } from 'node:url';
import { buildDashboard } from '../dashboard/bundle.ts';
import { bundle } from './bundle.ts';
import { copyBundles } from './copy-bundles.ts';
import { bundledPackages, notices } from './notices.ts';

const root = (path: string) => fileURLToPath(new URL(`../../${path}`, import.meta.url));
const dist = resolve(argv[2] ?? 'dist');
const { dependencies, optionalDependencies, peerDependencies } = JSON.parse(
  readFileSync(root('package.json'), 'utf8'),
) as Record<'dependencies' | 'optionalDependencies' | 'peerDependencies', object>;

// Delete modules of an earlier build, because npm would pack them too.
await rm(dist, { recursive: true, force: true });
const compile = [root('node_modules/typescript7/bin/tsc'), '-p', root('tools/package/tsconfig.json')];
execFileSync(execPath, [...compile, '--outDir', dist], { stdio: 'inherit' });
await bundle(dist, {
  outside: Object.keys({ ...dependencies, ...optionalDependencies, ...peerDependencies }),
  inside: bundledPackages().map(({ name }) => name),
});
await buildDashboard();
copyBundles(dist);
writeFileSync(join(dist, 'THIRD-PARTY-NOTICES.txt'), notices());
