/**
 * Builds the documentation into `docs/site`. Usage: `node tools/docs/build.ts [--if-changed]`. With `--if-changed`,
 * does nothing if the site is up to date. Exits with 1 if a page, a link or an anchor is missing.
 */
import {
  copyFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { basename, dirname, join } from 'node:path';
import process, { argv, exit, pid, stderr } from 'node:process';
import { gzipSync } from 'node:zlib';
import { build } from 'vitepress';
import { sidebar } from '../../docs/.vitepress/navigation.ts';
import { referenced } from './bundles.ts';
import { contentKey, root } from './content.ts';
import { writeDownloads } from './downloads.ts';
import { inserted } from './inserts.ts';
import { deadLinks } from './links.ts';
import { writeMarkdown } from './markdown-pages.ts';
import { writeMoved } from './moved.ts';
import { makePortable } from './portable.ts';
import { writeReference } from './reference.ts';
import { referencePages } from './reference-markdown.ts';
import { writeWorkflows } from './workflows-page.ts';

const site = join(root, 'docs/site');
/** Assets shared with the other pages: palette, font and icon. */
const assets = join(root, 'sandbox/sites/assets');
const keyFile = '.content-key';

/** Builds the site in a temporary folder, and replaces the present site on success. Returns the errors. */
async function buildSite(key: string): Promise<string[]> {
  const folder = join(root, 'docs/.build', String(pid));
  // Stopping the sandbox also stops the build. Delete the partial output.
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.once(signal, () => {
      rmSync(folder, { recursive: true, force: true });
      exit(1);
    });
  }
  try {
    const pages = writePages(folder);
    const links = [
      ...[...pages.keys()].map((name) => `/${name.replace(/(index)?\.md$/, '')}`),
      ...referenced.map((api) => `/reference/${api}`),
    ];
    const missing = links.filter((page) => !listed().has(page)).map((page) => `${page} is not in the sidebar`);
    await build(folder);
    const built = join(folder, '.vitepress/dist');
    await writeReference(built);
    writeWorkflows(built);
    writeDownloads(built);
    writeMarkdown(built, new Map([...pages, ...referencePages()]));
    writeMoved(built);
    makePortable(built);
    writeFileSync(join(built, keyFile), key);
    const wrong = [...missing, ...deadLinks(built)];
    if (wrong.length > 0) return wrong;
    rmSync(site, { recursive: true, force: true });
    compress(built);
    renameSync(built, site);
    return [];
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/**
 * Writes the guides with all inserts expanded, and the VitePress configuration. Returns the pages, keyed by file name.
 */
function writePages(folder: string): Map<string, string> {
  const pages = new Map<string, string>();
  cpSync(join(root, 'docs/.vitepress'), join(folder, '.vitepress'), { recursive: true });
  copyFileSync(join(assets, 'pages/tokens.css'), join(folder, '.vitepress/theme/tokens.css'));
  mkdirSync(join(folder, 'public'));
  for (const name of ['icon.svg', 'inter.woff2', 'pages/font.css'])
    copyFileSync(join(assets, name), join(folder, 'public', basename(name)));
  cpSync(join(root, 'docs/pictures/dashboard'), join(folder, 'public/pictures/dashboard'), { recursive: true });
  const guides = join(root, 'docs/guides');
  const names = readdirSync(guides, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.md'));
  for (const name of names) {
    const target = join(folder, name);
    mkdirSync(dirname(target), { recursive: true });
    const text = inserted(readFileSync(join(guides, name), 'utf8'));
    writeFileSync(target, text);
    pages.set(name, text);
  }
  return pages;
}

/** Minimum size, in bytes, of text files that get a compressed copy. Compressing smaller files saves nothing. */
const worthCompressing = 1400;

/** Writes a compressed copy of each file that pages load, so that no server compresses them per request. */
function compress(folder: string): void {
  const names = readdirSync(folder, { recursive: true, encoding: 'utf8' });
  const loaded = names.filter((name) => /\.(html|css|js|json|svg)$/.test(name) && !name.startsWith('downloads/'));
  for (const name of loaded) {
    const text = readFileSync(join(folder, name));
    if (text.length >= worthCompressing) writeFileSync(join(folder, `${name}.gz`), gzipSync(text, { level: 9 }));
  }
}

function listed(): Set<string> {
  return new Set(sidebar.flatMap(({ items }) => items.map(({ link }) => link)));
}

const key = contentKey();
const present = join(site, keyFile);
const fresh = existsSync(present) && readFileSync(present, 'utf8') === key;
if (!fresh || !argv.includes('--if-changed')) {
  const wrong = await buildSite(key);
  for (const line of wrong) stderr.write(`${line}\n`);
  if (wrong.length > 0) exit(1);
}
