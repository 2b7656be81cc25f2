/** Makes a built site independent of its address. The result works on any static host, under any prefix (OP-271). */
import { existsSync, globSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** The base path of the documentation in a sandbox. All addresses in the build output start with it. */
const base = '/docs/';

/** JavaScript that computes the base path at run time, for modules in `assets/chunks`. */
const atRuntime = 'new URL("../../",import.meta.url).pathname';

/** Patterns for site addresses, by file type. The groups capture the text before the address, and the address. */
const kinds: readonly (readonly [files: string, address: RegExp])[] = [
  ['**/*.html', /((?:\s(?:href|src|data-contract|data-console)="|;\s*url=))\/docs\/([^"]*)/g],
  ['assets/*.md.*.js', /((?:["'`]|\\"))\/docs\/([^"'`\\\s]*)/g],
  ['assets/*.css', /(url\(["']?)\/docs\/([^"')]*)/g],
  ['{**/*.md,llms.txt,reference/*.json}', /(\]\()\/docs\/([^)\s]*)/g],
];

/** Makes addresses relative. Skips the 404 page, because a host can serve it at any address. */
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

/** Rewrites a module of VitePress. Throws if its format has changed, for example after an upgrade. */
function rewriteChunk(site: string, name: string, change: (text: string) => string): void {
  const [file] = globSync(`assets/chunks/${name}.*.js`, { cwd: site });
  if (file === undefined || !rewrite(join(site, file), change))
    throw new Error(`The generator writes ${name} in another form; adapt tools/docs/portable.ts.`);
}

/** Applies a change to a file. Returns whether the text changed. */
function rewrite(file: string, change: (text: string) => string): boolean {
  const text = readFileSync(file, 'utf8');
  const changed = change(text);
  if (changed !== text) writeFileSync(file, changed);
  return changed !== text;
}

/** Returns the page that the addresses in a file are relative to. Page scripts are named after their page, with `_` instead of slashes. */
function pageOf(name: string, site: string): string {
  const page = /^assets\/(.+)\.md\.[\w-]+(?:\.lean)?\.js$/.exec(name)?.[1];
  if (page === undefined) return name;
  const nested = page.replace('_', '/');
  return existsSync(join(site, `${nested}.html`)) ? nested : page;
}

/** Returns the relative address of a page or file. Static hosts serve a page at the address of its file, and a folder's index page at the address of the folder. */
function relative(from: string, target: string): string {
  const [, path = '', rest = ''] = /^([^?#]*)(.*)$/.exec(target) ?? [];
  const file = path === '' || path.endsWith('/') || /\.\w+$/.test(path) ? path : `${path}.html`;
  return `${'../'.repeat(from.split('/').length - 1) || './'}${file}${rest}`;
}
