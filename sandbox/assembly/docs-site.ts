import { createReadStream } from 'node:fs';
import { realpath, stat } from 'node:fs/promises';
import { extname, join, normalize, sep } from 'node:path';
import type { Context, Middleware } from 'koa';

/** The path of the documentation, which its pages hard-code. */
export const docsPrefix = '/docs';

/** Media types of the files that may be served, by extension. All others return 404. */
const types: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.http': 'text/plain; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.json': 'application/json',
  '.md': 'text/markdown; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.txt': 'text/plain; charset=utf-8',
  '.webp': 'image/webp',
  '.woff2': 'font/woff2',
  '.yaml': 'application/yaml',
  '.zip': 'application/zip',
};

/**
 * Digests of two style elements that the site's scripts create. Redoc fills an empty one rule by rule, and the dark
 * mode switch uses one to suspend transitions.
 */
const ownStyles = [
  "'sha256-47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU='",
  "'sha256-skqujXORqzxt1aE0NNXxujEanPTX6raoqSscTV/Ww/Y='",
].join(' ');

/** The content security policy. It allows only the site's own files: no other inline scripts or styles, servers or frames. */
const policy = [
  "default-src 'none'",
  "script-src 'self'",
  `style-src 'self' ${ownStyles}`,
  "img-src 'self' data:",
  "font-src 'self' data:",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

/** The policy for the API reference. Redoc colours code with style attributes, which digests cannot cover. */
const referencePolicy = `${policy}; style-src-attr 'unsafe-inline'`;

/**
 * Serves the built documentation from a folder, under `/docs`. URLs of pages have no file extension. A file with a
 * compressed copy (`.gz`) is sent compressed if the caller accepts that. Until the first build is complete, the start
 * page returns a 503 that reloads automatically.
 */
export function docsSite(folder: string): Middleware {
  return async (ctx, next) => {
    if (ctx.path !== docsPrefix && !ctx.path.startsWith(`${docsPrefix}/`)) return next();
    if (ctx.method !== 'GET' && ctx.method !== 'HEAD') return next();
    if (ctx.path === docsPrefix) return ctx.redirect(`${docsPrefix}/`);
    ctx.set({
      'Content-Security-Policy': ctx.path.startsWith(`${docsPrefix}/reference/`) ? referencePolicy : policy,
      'X-Content-Type-Options': 'nosniff',
      'Referrer-Policy': 'no-referrer',
      'Cache-Control': 'no-cache',
      Vary: 'Accept-Encoding',
    });
    const path = pathIn(ctx.path);
    if (path === undefined) return send(ctx, folder, '404.html', 404);
    if (await send(ctx, folder, path)) return;
    if (path === 'index.html') return building(ctx);
    await send(ctx, folder, '404.html', 404);
  };
}

/** Returns the file path for a URL path; `undefined` if the path is invalid. */
function pathIn(address: string): string | undefined {
  let path: string;
  try {
    path = decodeURIComponent(address.slice(docsPrefix.length + 1));
  } catch {
    return undefined;
  }
  if (path.includes('\0') || path.includes('\\')) return undefined;
  if (path === '' || path.endsWith('/')) path += 'index.html';
  else if (extname(path) === '') path += '.html';
  const plain = normalize(path);
  return plain !== path || plain.startsWith(`..${sep}`) || plain.startsWith(sep) ? undefined : plain;
}

/** Sends a file from the folder. Returns false if it does not exist, or if a link leads outside the folder. */
async function send(ctx: Context, folder: string, path: string, status = 200): Promise<boolean> {
  const type = types[extname(path)];
  if (type === undefined) return false;
  const plain = await fileIn(folder, path);
  if (plain === undefined) return false;
  const smaller = ctx.acceptsEncodings('gzip', 'identity') === 'gzip' ? await fileIn(folder, `${path}.gz`) : undefined;
  if (smaller !== undefined) ctx.set('Content-Encoding', 'gzip');
  const { file, size, changed } = smaller ?? plain;
  const etag = `"${size.toString(36)}-${changed.toString(36)}"`;
  ctx.status = status;
  ctx.set({ 'Content-Type': type, ETag: etag, 'Content-Length': String(size) });
  if (status === 200 && ctx.get('If-None-Match') === etag) {
    ctx.status = 304;
    ctx.body = null;
  } else ctx.body = createReadStream(file);
  return true;
}

/**
 * Returns the path, size in bytes and modification time in milliseconds of a file in the folder. Returns `undefined` if
 * the file does not exist, or if a link leads outside.
 */
async function fileIn(
  folder: string,
  path: string,
): Promise<{ file: string; size: number; changed: number } | undefined> {
  try {
    const [file, root] = await Promise.all([realpath(join(folder, path)), realpath(folder)]);
    const found = await stat(file);
    if (!found.isFile() || !file.startsWith(root + sep)) return undefined;
    return { file, size: found.size, changed: Math.floor(found.mtimeMs) };
  } catch (error) {
    if (['ENOENT', 'ENOTDIR', 'ENAMETOOLONG'].includes((error as NodeJS.ErrnoException).code ?? '')) return undefined;
    throw error;
  }
}

function building(ctx: Context): void {
  ctx.status = 503;
  ctx.set({ 'Content-Type': 'text/html; charset=utf-8', 'Retry-After': '5', Refresh: '5' });
  ctx.body = `<!doctype html>
<html lang="en">
<title>Documentation</title>
<h1>The documentation is being built</h1>
<p>This page reloads automatically. If it does not, run <code>npm run docs</code> to see the reason.</p>
</html>
`;
}
