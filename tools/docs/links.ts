import { existsSync, globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { operationsAndWebhooksOf, readBundle, referenced } from './bundles.ts';
import { movedAnchor } from './moved.ts';

const base = '/docs/';

/** Returns every dead link of a built site: to a missing page, to a missing anchor, or to a host that cannot exist. */
export function deadLinks(site: string): string[] {
  const pages = new Map(
    globSync('**/*.html', { cwd: site }).map((page) => [page, readFileSync(join(site, page), 'utf8')]),
  );
  const dead: string[] = [];
  for (const [page, html] of pages) {
    for (const [, href = ''] of html.matchAll(/<(?:a|link|script|img)\b[^>]*?\s(?:href|src)="([^"]*)"/g)) {
      const wrong = wrongWith(href, page, site, pages);
      if (wrong !== undefined) dead.push(`${page} links to ${href}, ${wrong}`);
    }
  }
  return dead;
}

/** Returns the problem with a link on a page, or `undefined` if the link is valid. */
function wrongWith(href: string, page: string, site: string, pages: ReadonlyMap<string, string>): string | undefined {
  if (/^https?:\/\/[^/]*\.invalid\b/.test(href)) return 'where nobody is';
  if (/^(https?:|mailto:|data:)/.test(href)) return undefined;
  if (href.startsWith('/') && page !== '404.html') return 'which only a sandbox has';
  // Redoc generates these links, and their targets exist only after it renders the page.
  if (page.startsWith('reference/') && href.startsWith('#/')) return undefined;
  const { pathname, hash } = new URL(href, `http://site${base}${page.replace(/(^|\/)index\.html$/, '$1')}`);
  const id = decodeURIComponent(hash.slice(1));
  const target = fileOf(site, decodeURIComponent(pathname));
  if (target === undefined) return 'which is no page';
  if (id !== '' && !places(target, pages.get(target) ?? '').has(id)) return 'and there is no such place in that page';
  return undefined;
}

/** Returns the file that a static host serves for a path of the site, or `undefined` if there is none. */
function fileOf(site: string, pathname: string): string | undefined {
  if (!pathname.startsWith(base)) return undefined;
  const path = pathname.slice(base.length);
  const name = path === '' || path.endsWith('/') ? `${path}index.html` : path;
  return existsSync(join(site, name)) ? name : undefined;
}

/**
 * Returns the anchors of a page, without those of earlier versions. The reference creates its anchors in the browser,
 * so the contract provides them here.
 */
function places(page: string, html: string): Set<string> {
  const ids = new Set([...html.replaceAll(movedAnchor, '').matchAll(/\sid="([^"]+)"/g)].map(([, id = '']) => id));
  const api = referenced.find((name) => page === `reference/${name}.html`);
  if (api !== undefined)
    for (const { operationId } of operationsAndWebhooksOf(readBundle(api))) ids.add(`operation/${operationId}`);
  return ids;
}
