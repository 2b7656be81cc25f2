/** Builds the dashboard: hashed chunks, one style sheet, and a manifest that lists them. */
import { createHash } from 'node:crypto';
import { existsSync, globSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { pid } from 'node:process';
import { fileURLToPath } from 'node:url';
import type { OutputChunk } from 'rolldown';
import type { Manifest } from '../../sandbox/sites/assets.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));
const browser = join(root, 'sandbox/dashboard/browser');
const dist = join(root, 'generated/dashboard/browser');
const manifestFile = join(dist, 'manifest.json');

/** Reports whether the build matches the current sources. */
export function isUpToDate(): boolean {
  return (
    existsSync(manifestFile) && (JSON.parse(readFileSync(manifestFile, 'utf8')) as Manifest).sources === sourcesKey()
  );
}

/**
 * Builds the dashboard. Replaces the manifest last, after writing all listed files. A running sandbox therefore serves
 * either the old build or the new one.
 */
export async function buildDashboard(): Promise<void> {
  const chunks = await bundleModules();
  const css = joinStyles();
  const style = `dashboard-${hashOf(css)}.css`;
  const files = new Map([[style, css], ...chunks.map(({ fileName, code }) => [fileName, code] as const)]);
  const manifest: Manifest = { sources: sourcesKey(), style, scripts: scriptsOf(chunks) };
  mkdirSync(dist, { recursive: true });
  for (const [name, text] of files) writeFileSync(join(dist, name), text);
  const written = `${manifestFile}.${pid}`;
  writeFileSync(written, `${JSON.stringify(manifest, null, 1)}\n`);
  renameSync(written, manifestFile);
  for (const name of globSync('*.{js,css}', { cwd: dist })) if (!files.has(name)) rmSync(join(dist, name));
}

/** Bundles the entry script, one script for each screen, and their shared chunks. */
async function bundleModules(): Promise<readonly OutputChunk[]> {
  // Load the bundler only if needed: every start from a checkout checks whether the build is up to date.
  const { rolldown } = await import('rolldown');
  const bundler = await rolldown({
    cwd: root,
    input: { main: join(browser, 'main.tsx') },
    platform: 'browser',
    tsconfig: join(browser, 'tsconfig.json'),
    transform: { target: 'es2022' },
    onLog: (_, { message }) => {
      throw new Error(message);
    },
  });
  const { output } = await bundler.generate({
    format: 'esm',
    minify: true,
    entryFileNames: '[name]-[hash:12].js',
    chunkFileNames: '[name]-[hash:12].js',
    hashCharacters: 'hex',
    codeSplitting: { groups: [{ name: 'packages', test: /\/node_modules\// }] },
  });
  await bundler.close();
  return output.filter((file) => file.type === 'chunk');
}

/** Returns the scripts that a page loads for each screen: the entry first, then all static imports of the entry and the screen. */
function scriptsOf(chunks: readonly OutputChunk[]): Manifest['scripts'] {
  const byName = new Map(chunks.map((chunk) => [chunk.fileName, chunk]));
  const main = chunks.find(({ isEntry }) => isEntry);
  if (main === undefined) throw new Error('The bundle has no entry.');
  const scripts = main.dynamicImports.map((screen) => {
    const needed = new Set([main.fileName, screen]);
    for (const name of needed) for (const imported of byName.get(name)?.imports ?? []) needed.add(imported);
    return [relative(browser, byName.get(screen)?.facadeModuleId ?? '').replaceAll('\\', '/'), [...needed]] as const;
  });
  return Object.fromEntries(scripts);
}

/** Concatenates the style sheets in the order that `styles.css` imports them. Throws if `styles.css` omits one. */
function joinStyles(): string {
  const names = [...readFileSync(join(browser, 'styles.css'), 'utf8').matchAll(/^@import "\.\/(.+)";$/gm)].map(
    ([, name = '']) => name,
  );
  const missing = globSync('**/*.css', { cwd: browser }).filter((name) => ![...names, 'styles.css'].includes(name));
  if (missing.length > 0) throw new Error(`styles.css does not import ${missing.join(', ')}.`);
  return names.map((name) => readFileSync(join(browser, name), 'utf8')).join('\n');
}

/** Returns a hash of all build inputs. Equal hashes mean equal builds. */
function sourcesKey(): string {
  const names = [
    ...globSync('sandbox/dashboard/browser/**/*.*', { cwd: root }),
    ...globSync('tools/dashboard/*.ts', { cwd: root }),
    'sandbox/certification/matrix.ts',
    'package-lock.json',
  ];
  return hashOf(
    names
      .sort()
      .map((name) => `${name}\0${readFileSync(join(root, name), 'utf8')}`)
      .join('\0'),
  );
}

function hashOf(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, 12);
}
