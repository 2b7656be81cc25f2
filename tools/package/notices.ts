/** The licence notices of packages that an installation adds, or that the built code or documentation includes. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../../', import.meta.url));

/** The entry of a package in `package-lock.json`. */
interface Locked {
  readonly version: string;
  readonly license?: string | undefined;
  readonly hasInstallScript?: boolean;
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly optionalDependencies?: Readonly<Record<string, string>>;
}

export interface ThirdParty extends Locked {
  readonly name: string;
  /** Path relative to the root of the checkout. */
  readonly path: string;
}

/** Development dependencies that the built documentation includes in part, and the font that other pages also use. */
const inDocumentation = ['vitepress', 'vue', 'minisearch', '@fontsource-variable/inter'];
/** Development dependencies that the build bundles into `dist`. The package needs a small part of each. */
const inBundle = [
  '@faker-js/faker',
  '@modelcontextprotocol/server',
  '@peculiar/asn1-schema',
  '@peculiar/asn1-x509',
  'htm',
  'junit-report-builder',
  'preact',
  'preact-render-to-string',
  'prom-client',
  'stream-json',
];

const readJson = (path: string): unknown => JSON.parse(readFileSync(join(root, path), 'utf8'));

/**
 * Returns the named packages and their transitive dependencies, sorted by path. npm's lock file determines which copy
 * each package uses.
 */
function closure(names: readonly string[]): ThirdParty[] {
  const { packages } = readJson('package-lock.json') as { packages: Readonly<Record<string, Locked>> };
  const found = new Map<string, ThirdParty>();
  const add = (name: string, from: string): void => {
    const path = resolved(name, from, packages);
    const locked = path === undefined ? undefined : packages[path];
    // The package is optional, and no platform in the lock file uses it.
    if (path === undefined || locked === undefined || found.has(path)) return;
    found.set(path, { ...locked, license: locked.license ?? olderForm(path), name, path });
    for (const needed of Object.keys({ ...locked.dependencies, ...locked.optionalDependencies })) add(needed, path);
  };
  for (const name of names) add(name, '');
  return [...found.values()].sort((a, b) => (a.path < b.path ? -1 : 1));
}

/** Returns the licence of a package whose manifest uses npm's older format, which the lock file omits. */
function olderForm(path: string): string | undefined {
  const { licenses } = readJson(join(path, 'package.json')) as { licenses?: readonly { readonly type: string }[] };
  return licenses?.map(({ type }) => type).join(' OR ');
}

/** Resolves a package like Node: from the nearest `node_modules` above the requiring package. Returns `undefined` if there is none. */
function resolved(name: string, from: string, packages: Readonly<Record<string, Locked>>): string | undefined {
  for (let folder = from; ; folder = folder.replace(/(^|\/)node_modules\/(@[^/]+\/)?[^/]+$/, '')) {
    const path = join(folder, 'node_modules', name);
    if (packages[path] !== undefined) return path;
    if (folder === '') return undefined;
  }
}

/** Returns the packages that npm installs with this one. `optional: false` excludes Prism and its dependencies. */
export function installedPackages({ optional = true } = {}): ThirdParty[] {
  const { dependencies, optionalDependencies } = readJson('package.json') as Record<string, object>;
  return closure(Object.keys({ ...dependencies, ...(optional && optionalDependencies) }));
}

/** Returns the tracing packages with their dependencies. The executables include them. */
export function tracingPackages(): ThirdParty[] {
  const { peerDependencies } = readJson('package.json') as { peerDependencies: object };
  return closure(Object.keys(peerDependencies).filter((name) => name.startsWith('@opentelemetry/')));
}

/** Returns the packages that the built documentation includes. */
export function documentationPackages(): ThirdParty[] {
  return closure(inDocumentation);
}

/** Returns the packages that the compiled code includes in part. */
export function bundledPackages(): ThirdParty[] {
  return closure(inBundle);
}

/** Returns the licence and notice texts of a package. */
function textsOf({ path }: ThirdParty): string[] {
  const folder = join(root, path);
  if (!existsSync(folder)) return ['It is for other machines than the one that built this package.'];
  const names = readdirSync(folder).filter((name) => /^(licen[cs]e|copying|notice)([.-]|$)/i.test(name));
  return names.sort().map((name) => readFileSync(join(folder, name), 'utf8').trim());
}

/** Returns all notices as one string: each package with its version, its licence, and its licence texts. */
export function notices(): string {
  const packages = [...installedPackages(), ...tracingPackages(), ...bundledPackages(), ...documentationPackages()];
  const all = new Map(packages.map((one) => [one.path, one]));
  const entries = [...all.values()].map((one) => {
    const texts = textsOf(one);
    const said = texts.length > 0 ? texts : ['The package has no licence file of its own.'];
    return [`${one.name} ${one.version}`, `Licence: ${one.license}`, '', ...said].join('\n');
  });
  const line = `\n\n${'-'.repeat(80)}\n\n`;
  return `${['Software of others that this package installs or includes.', ...entries].join(line)}\n`;
}
