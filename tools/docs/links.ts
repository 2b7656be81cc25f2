import { existsSync, globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { operationsAndWebhooksOf, readBundle, referenced } from './bundles.ts';

const base = '/docs/';

/** Every link of a built site that leads nowhere: to no page, to no place in its page, or to a host that cannot be. */
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

/** What is wrong with a link of a page, if anything. */
function wrongWith(href: string, page: string, site: string, pages: ReadonlyMap<string, string>): string | undefined {
  if (/^https?:\/\/[^/]*\.invalid\b/.test(href)) return 'where nobody is';
  if (/^(https?:|mailto:|data:)/.test(href)) return undefined;
  if (href.startsWith('/') && page !== '404.html') return 'which only a sandbox has';
  // Redoc's own, in what it drew: a menu of what it draws then.
  if (page.startsWith('reference/') && href.startsWith('#/')) return undefined;
  const { pathname, hash } = new URL(href, `http://site${base}${page.replace(/(^|\/)index\.html$/, '$1')}`);
  const id = decodeURIComponent(hash.slice(1));
  const target = fileOf(site, decodeURIComponent(pathname));
  if (target === undefined) return 'which is no page';
  if (id !== '' && !places(target, pages.get(target) ?? '').has(id)) return 'and there is no such place in that page';
  return undefined;
}

/** The file that a path of the site is served from, by any static host. */
function fileOf(site: string, pathname: string): string | undefined {
  if (!pathname.startsWith(base)) return undefined;
  const path = pathname.slice(base.length);
  const name = path === '' || path.endsWith('/') ? `${path}index.html` : path;
  return existsSync(join(site, name)) ? name : undefined;
}

/** The places in a page that a link can name. The reference draws its own in the browser, from the contract. */
function places(page: string, html: string): Set<string> {
  const ids = new Set([...html.matchAll(/\sid="([^"]+)"/g)].map(([, id = '']) => id));
  const api = referenced.find((name) => page === `reference/${name}.html`);
  if (api !== undefined)
    for (const { operationId } of operationsAndWebhooksOf(readBundle(api))) ids.add(`operation/${operationId}`);
  return ids;
}
