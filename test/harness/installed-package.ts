/** Installs the package as users get it: built, packed by npm, and unpacked alongside this project's dependencies. */
import { execFile } from 'node:child_process';
import { cp, mkdir, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { packageName } from './sources.ts';

const run = promisify(execFile);
const root = fileURLToPath(new URL('../../', import.meta.url));
const sources = [
  'LICENSE',
  'NOTICE',
  'package.json',
  'openapi',
  'sandbox',
  'examples/node',
  'examples/starter',
  'examples/testing',
];

/** Packs the package into an empty folder, without the documentation site. Resolves with the tarball's path. */
export async function packPackage(folder: string): Promise<string> {
  const source = join(folder, 'source');
  for (const path of sources) await cp(join(root, path), join(source, path), { recursive: true });
  await run(process.execPath, [join(root, 'tools/package/build.ts'), join(source, 'dist')]);
  const pack = ['pack', '--ignore-scripts', '--silent', '--pack-destination', folder];
  const { stdout } = await run('npm', pack, { cwd: source });
  return join(folder, stdout.trim());
}

/** Installs the package into an empty folder, alongside this project's dependencies. Resolves with the package's path. */
export async function installPackage(folder: string): Promise<string> {
  const tarball = await packPackage(folder);
  const installed = join(folder, 'node_modules', packageName);
  await mkdir(installed, { recursive: true });
  await run('tar', ['-xzf', tarball, '--strip-components=1', '-C', installed]);
  await symlink(join(root, 'node_modules'), join(installed, 'node_modules'));
  return installed;
}
