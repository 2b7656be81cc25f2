import { mkdir, readdir, rm, writeFile } from 'node:fs/promises';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type Plugin, rolldown } from 'rolldown';

/** What is imported or run by its path: it keeps its place. */
const entries = ['generated/index', 'sandbox/cli/main', 'sandbox/sandbox', 'sandbox/testing/testing'];

/** Which packages stay outside of the bundle, since npm installs them, and of which it includes what is used. */
interface Packages {
  readonly outside: readonly string[];
  readonly inside: readonly string[];
}

/**
 * Puts compiled modules together, in place: a start then reads some forty files, and not 350. Declarations stay where
 * they were. Throws if a module is of a package that is named neither outside nor inside.
 */
export async function bundle(dist: string, packages: Packages): Promise<void> {
  const outside = (id: string) => packages.outside.some((name) => id === name || id.startsWith(`${name}/`));
  const bundler = await rolldown({
    cwd: dist,
    input: Object.fromEntries(entries.map((name) => [name, join(dist, `${name}.js`)])),
    platform: 'node',
    external: outside,
    // What is bundled of others, wherever `dist` is.
    resolve: { modules: [fileURLToPath(new URL('../../node_modules', import.meta.url))] },
    plugins: [ownPlaces(dist)],
    // What is not found, or not as it was meant, is no package.
    onLog: (_, { message }) => {
      throw new Error(message);
    },
  });
  const { output } = await bundler.generate({
    dir: dist,
    format: 'esm',
    entryFileNames: '[name].js',
    chunkFileNames: 'chunks/[name]-[hash].js',
  });
  const included = new Set(output.flatMap((file) => (file.type === 'chunk' ? file.moduleIds.flatMap(packageOf) : [])));
  const unnamed = [...included].filter((name) => !packages.inside.includes(name));
  if (unnamed.length > 0) throw new Error(`The bundle includes ${unnamed.join(', ')}, which nothing names.`);
  for (const name of await readdir(dist, { recursive: true })) if (name.endsWith('.js')) await rm(join(dist, name));
  await mkdir(join(dist, 'chunks'));
  for (const file of output)
    await writeFile(join(dist, file.fileName), file.type === 'chunk' ? file.code : file.source);
  await bundler.close();
}

/** The package that a module is of; none for one of ours. */
function packageOf(id: string): string[] {
  const [, name] = /.*\/node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(id) ?? [];
  return name === undefined ? [] : [name];
}

/** Modules that read neighbouring files keep their original location. */
function ownPlaces(dist: string): Plugin {
  const mark = (id: string) => `__placeOf(${JSON.stringify(relative(dist, id))})`;
  return {
    name: 'own-places',
    transform: (code, id) => (code.includes('import.meta.url') ? code.replaceAll('import.meta.url', mark(id)) : null),
    renderChunk: (code, { fileName }) =>
      code.replaceAll(/__placeOf\("([^"]+)"\)/g, (_, path: string) => {
        const way = relative(dirname(fileName), path);
        return `new URL(${JSON.stringify(way.startsWith('.') ? way : `./${way}`)}, import.meta.url).href`;
      }),
  };
}
