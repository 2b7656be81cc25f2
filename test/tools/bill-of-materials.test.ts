/** Tests a release's bill of materials. It must be complete, without duplicates, and identical for the same lock file. */
import { expect, it } from 'vitest';
import { billOfMaterials } from '../../tools/package/bill-of-materials.ts';
import { installedPackages, tracingPackages } from '../../tools/package/notices.ts';

interface Component {
  readonly name: string;
  readonly version: string;
  readonly scope: string;
  readonly purl: string;
  readonly licenses?: readonly object[];
}
const { components, ...bom } = JSON.parse(billOfMaterials()) as { components: readonly Component[] };

it('names its format, and the package that it is of', () => {
  expect(bom).toEqual({
    bomFormat: 'CycloneDX',
    specVersion: '1.6',
    version: 1,
    metadata: {
      component: {
        type: 'application',
        'bom-ref': expect.stringMatching(/^pkg:npm\/%40rewards-sandbox\/sandbox@\d/),
        name: '@rewards-sandbox/sandbox',
        version: expect.stringMatching(/^\d+\.\d+\.\d+$/),
        licenses: [{ license: { id: 'Apache-2.0' } }],
      },
    },
  });
  expect(billOfMaterials()).toBe(billOfMaterials());
});

it('has each package of an installation once, with its licence, and Prism and OpenTelemetry as optional', () => {
  const keyOf = ({ name, version }: { name: string; version: string }) => `${name}@${version}`;
  const listed = new Map(components.map((component) => [keyOf(component), component]));
  expect(listed.size).toBe(components.length);
  const missing = [...installedPackages(), ...tracingPackages()].filter((is) => !listed.has(keyOf(is)));
  expect(missing).toEqual([]);
  const optional = components.filter(({ scope }) => scope === 'optional').map(({ name }) => name);
  expect(optional).toEqual(expect.arrayContaining(['@stoplight/prism-http', '@opentelemetry/sdk-trace', 'node']));
  expect(optional).not.toContain('koa');
  const withoutLicence = components.filter(({ name, licenses }) => name !== 'node' && licenses?.length !== 1);
  expect(withoutLicence.map(({ name }) => name)).toEqual([]);
  for (const { purl } of components)
    expect(purl).toMatch(/^pkg:(npm\/(%40[\w.-]+\/)?[\w.-]+|generic\/node)@\d[\w.+-]*$/);
});
