/** Pages at addresses that earlier versions of the site had: each leads on to where its text is now. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Moved, moved } from '../../docs/.vitepress/navigation.ts';

const base = '/docs';

/** The names of these pages, such as `idempotency`. */
export const movedNames: readonly string[] = Object.keys(moved);

/**
 * Writes them into a built site. Without script a reader gets to the page; a script, in a file of its own because the
 * policy forbids others, finds the section that the address named.
 */
export function writeMoved(site: string): void {
  for (const [name, place] of Object.entries(moved)) writeFileSync(join(site, `${name}.html`), page(place));
  writeFileSync(join(site, 'assets/moved.js'), script);
}

function page({ to, sections = {} }: Moved): string {
  const links = Object.entries(sections).map(([id, place]) => `<a id="${id}" href="${base}${place}">${place}</a>`);
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<title>This page has moved</title>
<meta name="robots" content="noindex">
<meta http-equiv="refresh" content="1; url=${base}${to}">
<script src="${base}/assets/moved.js" defer></script>
</head>
<body>
<h1>This page has moved</h1>
<p>Read <a href="${base}${to}">${to}</a>.</p>
${links.map((link) => `<p hidden>${link}</p>`).join('\n')}
</body>
</html>
`;
}

const script = `const section = document.getElementById(decodeURIComponent(location.hash.slice(1)));
location.replace((section ?? document.querySelector('a')).href);
`;
