import { existsSync, globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { contractNames } from '../../sandbox/apis/registry.ts';
import { operationsOf, readBundle } from './bundles.ts';

const base = '/docs/';

/** Every link within a built site that leads nowhere: to no page, or to no place in its page. */
export function deadLinks(site: string): string[] {
  const pages = new Map(
    globSync('**/*.html', { cwd: site }).map((page) => [page, readFileSync(join(site, page), 'utf8')]),
  );
  const dead: string[] = [];
  for (const [page, html] of pages) {
    for (const [, href = ''] of html.matchAll(/<(?:a|link|script|img)\b[^>]*?\s(?:href|src)="([^"]*)"/g)) {
      if (/^(https?:|mailto:|data:)/.test(href)) continue;
      const { pathname, hash } = new URL(href, `http://site${base}${page.replace(/(index)?\.html$/, '')}`);
      const id = decodeURIComponent(hash.slice(1));
      const target = fileOf(site, decodeURIComponent(pathname));
      if (target === undefined) dead.push(`${page} links to ${href}, which is no page`);
      else if (id !== '' && !places(target, pages.get(target) ?? '').has(id))
        dead.push(`${page} links to ${href}, and there is no such place in that page`);
    }
  }
  return dead;
}

/** The file that a path of the site is served from. */
function fileOf(site: string, pathname: string): string | undefined {
  if (!pathname.startsWith(base)) return undefined;
  const path = pathname.slice(base.length);
  const names = path === '' || path.endsWith('/') ? [`${path}index.html`] : [`${path}.html`, path];
  return names.find((name) => existsSync(join(site, name)));
}

/** The places in a page that a link can name. The reference draws its own in the browser, from the contract. */
function places(page: string, html: string): Set<string> {
  const ids = new Set([...html.matchAll(/\sid="([^"]+)"/g)].map(([, id = '']) => id));
  const api = contractNames.find((name) => page === `reference/${name}.html`);
  if (api !== undefined)
    for (const { operation } of operationsOf(readBundle(api))) ids.add(`operation/${operation.operationId}`);
  return ids;
}
