import { readFileSync } from 'node:fs';
import { parse, type StaticImport } from 'es-module-lexer';
import { digest } from '../runtime/secrets.ts';
import type { Asset } from './assets.ts';

/** A module, and where its static imports and re-exports name what they are from. */
interface Module {
  readonly label: string;
  readonly text: string;
  readonly imports: readonly StaticImport[];
}

/**
 * A script of several modules, as a browser can load it without a build step: the module `first` of a folder and all
 * that it imports, packages too. Each is an asset; imports name those assets. One digest stands for all of them, since
 * any change may change what another imports.
 */
export function readModules(folder: URL, first: string): readonly Asset[] {
  const found = new Map<string, Module>();
  const visit = (url: string, label: string): void => {
    if (found.has(url)) return;
    const text = readFileSync(new URL(url), 'utf8').replace(/^\/\/# sourceMappingURL=.*$/m, '');
    const imports = parse(text)[0].filter((one) => one.type !== 'dynamic' && one.type !== 'import-meta');
    found.set(url, { label, text, imports });
    for (const { specifier } of imports) visit(...resolve(specifier, url));
  };
  visit(new URL(first, folder).href, first.replace('.js', ''));
  const together = digest([...found.values()].map(({ text }) => text).join('\0')).slice(0, 12);
  const nameOf = (url: string) => `${found.get(url)?.label}-${together}.js`;
  return [...found].map(([url, { text, imports }]) => ({
    name: nameOf(url),
    type: 'text/javascript',
    text: imports.reduceRight((done, { specifier, start, end }) => {
      const [target] = resolve(specifier, url);
      return `${done.slice(0, start)}./${nameOf(target)}${done.slice(end)}`;
    }, text),
  }));
}

/** The file that an import means, and what its asset is called. */
function resolve(name: string, within: string): [url: string, label: string] {
  if (!name.startsWith('.')) return [import.meta.resolve(name), name.replaceAll('/', '-')];
  const url = new URL(name, within).href;
  const folder = url.slice(url.lastIndexOf('/dashboard/') + '/dashboard/'.length);
  return [url, folder.replace('.js', '').replaceAll('/', '-')];
}
