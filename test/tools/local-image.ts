/**
 * Builds the image from `examples/container/` with buildah instead of a container engine. debootstrap and the local
 * Node create the base image. It contains the parts of `node:24-slim` that the recipe needs: Debian, Node and npm.
 */
import { execFile, spawnSync } from 'node:child_process';
import { chmod, copyFile, cp, mkdir, readFile, realpath, rm, symlink, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { root } from '../harness/sources.ts';

const run = promisify(execFile);
const limits = { maxBuffer: 2 ** 26 };

/** Returns the requirements of the image build that a machine with this PATH does not meet. */
export function missingForImages(path = process.env.PATH): readonly string[] {
  const tools = ['buildah', 'debootstrap', 'npm'].filter(
    (name) => spawnSync(name, ['--version'], { env: { PATH: path } }).error !== undefined,
  );
  return [
    ...(process.platform === 'linux' && process.arch === 'x64' ? [] : ['Linux x64']),
    ...(process.getuid?.() === 0 ? [] : ['root']),
    ...tools,
  ];
}

export interface ImageConfiguration {
  readonly User: string;
  readonly Entrypoint: readonly string[];
  readonly Cmd: readonly string[];
  readonly Volumes: Readonly<Record<string, object>>;
  readonly ExposedPorts: Readonly<Record<string, object>>;
  readonly Labels: Readonly<Record<string, string>>;
  readonly Healthcheck: { readonly Test: readonly string[] };
}

export interface LocalImage {
  readonly configuration: ImageConfiguration;
  /** Compressed sizes of the base image and the whole image, in megabytes, as stored in a registry. */
  readonly compressed: { readonly base: number; readonly all: number };
  /** Returns a command that runs the given one in a container of the image, on the host network. */
  readonly command: (...args: string[]) => readonly [string, ...string[]];
}

/** Builds the image of a package in an empty folder. */
export async function buildImage(tarball: string, folder: string): Promise<LocalImage> {
  const storage = ['--root', join(folder, 'storage'), '--runroot', join(folder, 'run'), '--storage-driver', 'vfs'];
  const buildah = async (...args: string[]) => (await run('buildah', [...storage, ...args], limits)).stdout.trim();
  const base = await buildah('from', 'scratch');
  await buildah('add', '--quiet', base, await baseFolder(folder), '/');
  await buildah('config', '--env', 'PATH=/usr/local/bin:/usr/bin:/bin', base);
  await buildah('commit', '--quiet', '--rm', base, 'localhost/base');

  const context = join(folder, 'context');
  await mkdir(context);
  await copyFile(join(root, 'examples/container/Dockerfile'), join(context, 'Dockerfile'));
  await cp(tarball, join(context, 'rewards-sandbox-sandbox-0.0.0.tgz'));
  const isolation = ['--isolation', 'chroot', '--network', 'host'];
  const names = ['--build-arg', 'BASE=localhost/base', '--build-arg', 'REVISION=0123abc', '--tag', 'rewards-sandbox'];
  await buildah('build', ...isolation, ...names, '--format', 'docker', ...(await trustStore(folder)), context);

  const { Docker } = JSON.parse(await buildah('inspect', '--type', 'image', 'rewards-sandbox'));
  const container = await buildah('from', 'rewards-sandbox');
  const compressed = {
    base: await compressedSize(buildah, 'localhost/base', join(folder, 'pushed-base')),
    all: await compressedSize(buildah, 'rewards-sandbox', join(folder, 'pushed')),
  };
  const command = (...args: string[]) =>
    ['buildah', ...storage, 'run', ...isolation, container, '--', ...args] as const;
  return { configuration: Docker.config, compressed, command };
}

/** Creates a Debian folder with Node and npm, but without documentation and translations, like the slim images. */
async function baseFolder(folder: string): Promise<string> {
  const base = join(folder, 'base');
  await run('debootstrap', ['--variant=minbase', 'bookworm', base], limits);
  for (const path of ['var/cache/apt', 'var/lib/apt/lists', 'usr/share/doc', 'usr/share/man', 'usr/share/locale'])
    await rm(join(base, path), { recursive: true, force: true });
  await copyFile(process.execPath, join(base, 'usr/local/bin/node'));
  await chmod(join(base, 'usr/local/bin/node'), 0o755);
  const { stdout } = await run('sh', ['-c', 'command -v npm']);
  const npm = dirname(dirname(await realpath(stdout.trim())));
  await mkdir(join(base, 'usr/local/lib/node_modules'), { recursive: true });
  await cp(npm, join(base, 'usr/local/lib/node_modules/npm'), { recursive: true });
  await symlink('../lib/node_modules/npm/bin/npm-cli.js', join(base, 'usr/local/bin/npm'));
  return base;
}

/** Returns build arguments that make npm trust the same additional authorities as this machine. */
async function trustStore(folder: string): Promise<readonly string[]> {
  const authorities = process.env.NODE_EXTRA_CA_CERTS;
  if (authorities === undefined) return [];
  const settings = join(folder, 'npmrc');
  await writeFile(settings, 'cafile=/authorities.pem\n');
  return ['--volume', `${authorities}:/authorities.pem:ro`, '--volume', `${settings}:/root/.npmrc:ro`];
}

/** Returns the size of an image's compressed layers, in megabytes. */
async function compressedSize(
  buildah: (...args: string[]) => Promise<string>,
  image: string,
  folder: string,
): Promise<number> {
  await buildah('push', '--quiet', '--format', 'v2s2', image, `dir:${folder}`);
  const { layers } = JSON.parse(await readFile(join(folder, 'manifest.json'), 'utf8')) as {
    layers: { size: number }[];
  };
  return layers.reduce((sum, { size }) => sum + size, 0) / 1e6;
}
