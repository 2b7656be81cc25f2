import { mkdir, readdir, rm, writeFile } from 'node:fs/promises';
import { dirname, join, relative } from 'node:path';
import { type Plugin, rolldown } from 'rolldown';

/** What is imported or run by its path: it keeps its place. */
const entries = ['generated/index', 'sandbox/cli/main', 'sandbox/sandbox', 'sandbox/testing/testing'];

/**
 * Puts compiled modules together, in place: a start then reads some forty files, and not 350. Packages stay outside,
 * declarations where they were.
 */
export async function bundle(dist: string, packages: readonly string[]): Promise<void> {
  const outside = (id: string) => packages.some((name) => id === name || id.startsWith(`${name}/`));
  const bundler = await rolldown({
    cwd: dist,
    input: Object.fromEntries(entries.map((name) => [name, join(dist, `${name}.js`)])),
    platform: 'node',
    external: outside,
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
  for (const name of await readdir(dist, { recursive: true })) if (name.endsWith('.js')) await rm(join(dist, name));
  await mkdir(join(dist, 'chunks'));
  for (const file of output)
    await writeFile(join(dist, file.fileName), file.type === 'chunk' ? file.code : file.source);
  await bundler.close();
}

/** Modules that read what lies beside them know where they were. */
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
