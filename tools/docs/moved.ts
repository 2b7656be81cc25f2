/** Writes redirects from addresses of earlier site versions to the new locations of the text. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Moved, moved, movedSections } from '../../docs/.vitepress/navigation.ts';

const base = '/docs';

/** Names of the redirect pages, such as `idempotency`. */
export const movedNames: readonly string[] = Object.keys(moved);

/** Matches an anchor of an earlier version, as the build writes it. No page may link to such anchors. */
export const movedAnchor = /<a class="moved" [^>]*>/g;

/**
 * Writes the redirect pages into a built site, and the old anchors into pages that lost sections. Without JavaScript, a
 * redirect page leads to the new page. With JavaScript, an old anchor leads to its new section. The script is a
 * separate file because the Content-Security-Policy forbids inline scripts.
 */
export function writeMoved(site: string): void {
  for (const [name, place] of Object.entries(moved)) writeFileSync(join(site, `${name}.html`), page(place));
  for (const [name, sections] of Object.entries(movedSections)) {
    const file = join(site, `${name}.html`);
    // The anchors are outside the element that VitePress renders again in the browser.
    const html = readFileSync(file, 'utf8').replace('</body>', () => `${anchors(sections)}\n${scriptTag}\n</body>`);
    writeFileSync(file, html);
  }
  writeFileSync(join(site, 'assets/moved.js'), script);
}

function page({ to, sections = {} }: Moved): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<title>This page has moved</title>
<meta name="robots" content="noindex">
<meta http-equiv="refresh" content="1; url=${base}${to}">
${scriptTag}
</head>
<body>
<h1>This page has moved</h1>
<p>Read <a class="moved-page" href="${base}${to}">${to}</a>.</p>
${anchors(sections)}
</body>
</html>
`;
}

function anchors(sections: Readonly<Record<string, string>>): string {
  return Object.entries(sections)
    .map(([id, place]) => `<p hidden><a class="moved" id="${id}" href="${base}${place}">${place}</a></p>`)
    .join('\n');
}

const scriptTag = `<script src="${base}/assets/moved.js" defer></script>`;

const script = `const page = location.pathname;
const targets = new Map([...document.querySelectorAll('a.moved')].map(({ id, href }) => [id, href]));
const target = document.querySelector('a.moved-page')?.href;
function follow() {
  if (location.pathname !== page) return;
  const to = targets.get(decodeURIComponent(location.hash.slice(1))) ?? target;
  if (to) location.replace(to);
}
addEventListener('hashchange', follow);
follow();
`;
