import { readFileSync, statSync } from 'node:fs';
import { gzipSync } from 'node:zlib';
import type { Context, Middleware } from 'koa';
import { once } from '../runtime/caches.ts';
import { digest } from '../runtime/tokens.ts';

/** A file that pages load. Its name contains a hash of its content. */
export interface Asset {
  readonly name: string;
  readonly type: 'text/css' | 'text/javascript' | 'image/svg+xml' | 'font/woff2';
  readonly content: string | Buffer;
  /** The compressed text, computed once; absent for a font, whose format is already compressed. */
  readonly gzip?: Buffer;
}

/** Creates a text asset. */
function asset(name: string, type: Asset['type'], text: string): Asset {
  return { name, type, content: text, gzip: gzipSync(text) };
}

/** The path prefix of all assets. */
export const assetsPrefix = '/assets';

/**
 * Serves files by their hashed names, so that browsers can cache them indefinitely. It looks names up in a map and
 * never uses them as paths.
 */
export function staticFiles(files: Pick<ReadonlyMap<string, Asset>, 'get'>): Middleware {
  return (ctx, next) => {
    if (!ctx.path.startsWith(`${assetsPrefix}/`)) return next();
    ctx.set('X-Content-Type-Options', 'nosniff');
    if (ctx.method !== 'GET' && ctx.method !== 'HEAD') {
      ctx.set('Allow', 'GET, HEAD');
      return refuse(ctx, 405, 'Assets can only be read. Use GET or HEAD.');
    }
    const file = files.get(ctx.path.slice(assetsPrefix.length + 1));
    if (file === undefined) return refuse(ctx, 404, 'This asset does not exist. Reload the page that links to it.');
    ctx.set({ 'Cache-Control': 'public, max-age=31536000, immutable', Vary: 'Accept-Encoding' });
    const gzip = ctx.acceptsEncodings('gzip', 'identity') === 'gzip' ? file.gzip : undefined;
    if (gzip !== undefined) ctx.set('Content-Encoding', 'gzip');
    ctx.body = gzip ?? file.content;
    ctx.type = file.type;
  };
}

function refuse(ctx: Context, status: number, text: string): void {
  ctx.status = status;
  ctx.set('Cache-Control', 'no-store');
  ctx.body = text;
}

/** The assets of all pages, read from the `assets` folder (OP-98). */
interface SharedAssets {
  readonly style: Asset;
  readonly script: Asset;
  readonly icon: Asset;
  readonly font: Asset;
  /** Additional assets of the microsite. */
  readonly microsite: { readonly style: Asset; readonly script: Asset };
}

/** The Inter font file, unchanged from its package. `pages/font.css` refers to it. */
const fontFile = 'inter.woff2';

// Read each file once, on the first page request: the files do not change while the process runs.
const shared = once((): SharedAssets => {
  const content = ownFile(fontFile);
  const font: Asset = { name: hashedName(fontFile, content), type: 'font/woff2', content };
  const parts = ['tokens', 'font', 'base', 'parts', 'catalogue', 'portal', 'start'];
  const style = parts.map((part) => ownFile(`pages/${part}.css`).toString('utf8')).join('\n');
  return {
    style: hashed('pages.css', 'text/css', style.replace(fontFile, font.name)),
    script: read('pages.js', 'text/javascript'),
    icon: read('icon.svg', 'image/svg+xml'),
    font,
    microsite: { style: read('microsite.css', 'text/css'), script: read('microsite.js', 'text/javascript') },
  };
});
const byName = once(() => {
  const { microsite, ...others } = shared();
  return new Map([...Object.values(others), ...Object.values(microsite)].map((asset) => [asset.name, asset]));
});

/** The assets of all pages. */
export const pageAssets = {
  /** Loaded lazily. */
  get shared() {
    return shared();
  },
  /** Additional assets of the dashboard; `undefined` in a checkout without a build. */
  get dashboard() {
    return dashboardBuild();
  },
};
export type Assets = typeof pageAssets;

/** All assets by name. */
export const assetsByName: Pick<ReadonlyMap<string, Asset>, 'get'> = {
  get: (name) => byName().get(name) ?? dashboardBuild()?.files.get(name),
};

/** Reads a text asset. */
function read(file: string, type: Asset['type']): Asset {
  return hashed(file, type, ownFile(file).toString('utf8'));
}

function ownFile(file: string): Buffer {
  return readFileSync(new URL(`assets/${file}`, import.meta.url));
}

function hashed(file: string, type: Asset['type'], text: string): Asset {
  return asset(hashedName(file, text), type, text);
}

function hashedName(file: string, content: string | Buffer): string {
  return file.replace('.', `-${digest(content).slice(0, 12)}.`);
}

/** The manifest that `tools/dashboard/build.ts` writes into the folder of the dashboard build. */
export interface Manifest {
  /** A hash of the sources of the build. */
  readonly sources: string;
  readonly style: string;
  /** Scripts by screen, keyed by the module's path in `browser/`. The entry script is first. */
  readonly scripts: Readonly<Record<string, readonly string[]>>;
}

/** The built dashboard. */
interface DashboardBuild {
  readonly style: Asset;
  /** Returns the scripts of a screen by its module path. Throws if the module is not a screen. */
  scriptsOf(module: string): readonly Asset[];
  readonly files: ReadonlyMap<string, Asset>;
}

const folder = new URL('../../generated/dashboard/browser/', import.meta.url);
const manifestFile = new URL('manifest.json', folder);

let current: { readonly changed: number; readonly build: DashboardBuild } | undefined;

/** Returns the dashboard build, reloaded after each rebuild; `undefined` in a checkout without a build. */
function dashboardBuild(): DashboardBuild | undefined {
  const changed = statSync(manifestFile, { throwIfNoEntry: false })?.mtimeMs;
  if (changed === undefined) return undefined;
  if (current?.changed !== changed) current = { changed, build: readBuild() };
  return current.build;
}

function readBuild(): DashboardBuild {
  const { style, scripts }: Manifest = JSON.parse(readFileSync(manifestFile, 'utf8'));
  const files = new Map<string, Asset>();
  const load = (name: string, type: Asset['type']): Asset => {
    const file = files.get(name) ?? asset(name, type, readFileSync(new URL(name, folder), 'utf8'));
    files.set(name, file);
    return file;
  };
  const screens = new Map(
    Object.entries(scripts).map(([module, names]) => [module, names.map((name) => load(name, 'text/javascript'))]),
  );
  return {
    style: load(style, 'text/css'),
    scriptsOf(module) {
      const found = screens.get(module);
      if (found === undefined) throw new Error(`The build of the dashboard has no screen ${module}.`);
      return found;
    },
    files,
  };
}
