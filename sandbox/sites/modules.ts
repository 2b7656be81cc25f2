import { readFileSync } from 'node:fs';
import { type DynamicImport, parse, type StaticImport } from 'es-module-lexer';
import { digest } from '../runtime/secrets.ts';
import { type Asset, asset } from './assets.ts';

/** A module, and where its imports name what they are from. */
interface Module {
  readonly label: string;
  readonly text: string;
  readonly imports: readonly Import[];
}

type Import = (StaticImport | DynamicImport) & { readonly specifier: string };

/** A script of several modules. */
export interface Modules {
  /** The first of them first. */
  readonly all: readonly Asset[];
  /**
   * What the script needs at once, and what a module needs that it loads on demand, without the rest: the first module
   * first. Throws where the script has no such module. `label` is its path in the folder, with `-` between the parts.
   */
  with(label: string): readonly Asset[];
}

/**
 * A script of several modules, as a browser can load it without a build step: the module `first` of a folder and all
 * that it imports, packages too, at once or on demand. Each is an asset; imports name those assets. One digest stands
 * for all of them, since any change may change what another imports.
 */
export function readModules(folder: URL, first: string): Modules {
  const start = new URL(first, folder).href;
  const found = new Map<string, Module>();
  const visit = (url: string, label: string): void => {
    if (found.has(url)) return;
    const text = readFileSync(new URL(url), 'utf8').replace(/^\/\/# sourceMappingURL=.*$/m, '');
    const imports = parse(text)[0].filter(named);
    found.set(url, { label, text, imports });
    for (const { specifier } of imports) visit(...resolve(specifier, url));
  };
  visit(start, first.replace('.js', ''));
  const together = digest([...found.values()].map(({ text }) => text).join('\0')).slice(0, 12);
  const assets = new Map([...found].map(([url, module]) => [url, assetOf(url, module, found, together)]));
  return {
    all: [...assets.values()],
    with(label) {
      const [part] = [...found].find(([, module]) => module.label === label) ?? [];
      if (part === undefined) throw new Error(`There is no module ${label}.`);
      const needed = reached(found, [start, part]);
      return [...assets].flatMap(([url, one]) => (needed.has(url) ? [one] : []));
    },
  };
}

/** Whether it imports a module, by a literal name. */
function named(found: ReturnType<typeof parse>[0][number]): found is Import {
  return found.type !== 'import-meta' && found.specifier !== undefined;
}

/** A module as an asset, with its imports under the names that those assets have. */
function assetOf(url: string, { label, text, imports }: Module, all: ReadonlyMap<string, Module>, together: string) {
  const named = imports.reduceRight((done, { type, specifier, start, end }) => {
    const [target] = resolve(specifier, url);
    const name = `./${all.get(target)?.label}-${together}.js`;
    return done.slice(0, start) + (type === 'dynamic' ? `'${name}'` : name) + done.slice(end);
  }, text);
  return asset(`${label}-${together}.js`, 'text/javascript', named);
}

/** Modules, and all that they import at once. */
function reached(all: ReadonlyMap<string, Module>, from: readonly string[]): ReadonlySet<string> {
  const found = new Set(from);
  for (const url of found) {
    for (const { type, specifier } of all.get(url)?.imports ?? []) {
      if (type !== 'dynamic') found.add(resolve(specifier, url)[0]);
    }
  }
  return found;
}

/** The file that an import means, and what its asset is called. */
function resolve(name: string, within: string): [url: string, label: string] {
  if (!name.startsWith('.')) return [import.meta.resolve(name), name.replaceAll('/', '-')];
  const url = new URL(name, within).href;
  const folder = url.slice(url.lastIndexOf('/browser/') + '/browser/'.length);
  return [url, folder.replace('.js', '').replaceAll('/', '-')];
}
