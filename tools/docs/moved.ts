/** Writes pages at addresses of earlier versions of the site. Each redirects to the new location of its text. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Moved, moved } from '../../docs/.vitepress/navigation.ts';

const base = '/docs';

/** Names of the redirect pages, such as `idempotency`. */
export const movedNames: readonly string[] = Object.keys(moved);

/**
 * Writes the redirect pages into a built site. Without JavaScript, they redirect to the new page. With it, they
 * redirect to the section in the address. The script is a separate file because the policy forbids inline scripts.
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
