import type { Context, Middleware } from 'koa';
import type { Asset } from './assets.ts';

/** Where styles, scripts and the icon of all pages are served. */
export const assetsPrefix = '/assets';

/**
 * Serves files by their names, which change with their contents, so that browsers keep them for good. A name is looked
 * up and never becomes a path.
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
    const isCompressed = ctx.acceptsEncodings('gzip', 'identity') === 'gzip';
    if (isCompressed) ctx.set('Content-Encoding', 'gzip');
    ctx.body = isCompressed ? file.gzip : file.text;
    ctx.type = file.type;
  };
}

function refuse(ctx: Context, status: number, text: string): void {
  ctx.status = status;
  ctx.set('Cache-Control', 'no-store');
  ctx.body = text;
}
