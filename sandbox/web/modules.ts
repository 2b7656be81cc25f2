import { readFileSync } from 'node:fs';
import { digest } from '../runtime/secrets.ts';
import type { Asset } from './assets.ts';

/** Where a static import or re-export names what it is from. */
const imported = /(\bfrom\s*|\bimport\s*)(["'])([^"'\n]+)\2/g;

/**
 * A script of several modules, as a browser can load it without a build step: the module `first` of a folder and all that it
 * imports, packages too. Each is an asset; imports name those assets. One digest stands for all of them, since any change
 * may change what another imports.
 */
export function readModules(folder: URL, first: string): readonly Asset[] {
  const found = new Map<string, { readonly label: string; readonly text: string }>();
  const visit = (url: string, label: string): void => {
    if (found.has(url)) return;
    const text = readFileSync(new URL(url), 'utf8').replace(/^\/\/# sourceMappingURL=.*$/m, '');
    found.set(url, { label, text });
    for (const [, , , name = ''] of text.matchAll(imported)) visit(...resolve(name, url));
  };
  visit(new URL(first, folder).href, first.replace('.js', ''));
  const together = digest([...found.values()].map(({ text }) => text).join('\0')).slice(0, 12);
  const nameOf = (url: string) => `${found.get(url)?.label}-${together}.js`;
  return [...found].map(([url, { text }]) => ({
    name: nameOf(url),
    type: 'text/javascript',
    text: text.replaceAll(imported, (_, from: string, quote: string, name: string) => {
      const [target] = resolve(name, url);
      return `${from}${quote}./${nameOf(target)}${quote}`;
    }),
  }));
}

/** The file that an import means, and what its asset is called. */
function resolve(name: string, within: string): [url: string, label: string] {
  if (!name.startsWith('.')) return [import.meta.resolve(name), name.replaceAll('/', '-')];
  const url = new URL(name, within).href;
  const folder = url.slice(url.lastIndexOf('/dashboard/') + '/dashboard/'.length);
  return [url, folder.replace('.js', '').replaceAll('/', '-')];
}
