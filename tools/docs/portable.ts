/** Makes a built site independent of its address: it works from any static host, below any prefix (OP-271). */
import { existsSync, globSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** Where a sandbox serves the site; every address in what the generators write begins with it. */
const base = '/docs/';

/** The site's address for a module of `assets/chunks`. */
const atRuntime = 'new URL("../../",import.meta.url).pathname';

/** What in each kind of file is an address of the site: the text before it, and the address. */
const kinds: readonly (readonly [files: string, address: RegExp])[] = [
  ['**/*.html', /((?:\s(?:href|src|data-contract|data-console)="|;\s*url=))\/docs\/([^"]*)/g],
  ['assets/*.md.*.js', /((?:["'`]|\\"))\/docs\/([^"'`\\\s]*)/g],
  ['assets/*.css', /(url\(["']?)\/docs\/([^"')]*)/g],
  ['{**/*.md,llms.txt,reference/*.json}', /(\]\()\/docs\/([^)\s]*)/g],
];

/** Rewrites addresses to relative ones. The page for addresses without a page stays: a host can show it at any address. */
export function makePortable(site: string): void {
  for (const [files, address] of kinds) {
    for (const name of globSync(files, { cwd: site })) {
      if (name === '404.html') continue;
      const from = pageOf(name, site);
      rewrite(join(site, name), (text) =>
        text.replaceAll(address, (_, before: string, target: string) => before + relative(from, target)),
      );
    }
  }
  rewriteChunk(site, 'framework', (text) => text.replaceAll(`"${base}"`, `(${atRuntime})`));
  rewriteChunk(site, 'metadata', (text) =>
    text.includes(`\\"base\\":\\"${base}\\"`) ? `${text}\n;window.__VP_SITE_DATA__.base=${atRuntime};` : text,
  );
  rewriteChunk(site, '@localSearchIndexroot', (text) =>
    text.replace(
      /export ?\{ ?(\w+) as default ?\}/,
      `const portable=$1.replaceAll(':"${base}',':"'+${atRuntime});export{portable as default}`,
    ),
  );
}

/** Rewrites a module of the generator. Throws if it has another form, which a newer generator may write. */
function rewriteChunk(site: string, name: string, change: (text: string) => string): void {
  const [file] = globSync(`assets/chunks/${name}.*.js`, { cwd: site });
  if (file === undefined || !rewrite(join(site, file), change))
    throw new Error(`The generator writes ${name} in another form; adapt tools/docs/portable.ts.`);
}

/** Whether the change made a difference. */
function rewrite(file: string, change: (text: string) => string): boolean {
  const text = readFileSync(file, 'utf8');
  const changed = change(text);
  if (changed !== text) writeFileSync(file, changed);
  return changed !== text;
}

/** The page whose address counts for what is in a file: the script of a page has its name with `_` for each slash. */
function pageOf(name: string, site: string): string {
  const page = /^assets\/(.+)\.md\.[\w-]+(?:\.lean)?\.js$/.exec(name)?.[1];
  if (page === undefined) return name;
  const nested = page.replace('_', '/');
  return existsSync(join(site, `${nested}.html`)) ? nested : page;
}

/** A relative address of a page or file; static hosts know pages by their files, and folders by their start page. */
function relative(from: string, target: string): string {
  const [, path = '', rest = ''] = /^([^?#]*)(.*)$/.exec(target) ?? [];
  const file = path === '' || path.endsWith('/') || /\.\w+$/.test(path) ? path : `${path}.html`;
  return `${'../'.repeat(from.split('/').length - 1) || './'}${file}${rest}`;
}
