/** Tests that our own code has one licence, and that installed packages have only permitted licences (decision 110). */
import { execFileSync } from 'node:child_process';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { parse } from 'yaml';
import { bundledPackages, documentationPackages, installedPackages, notices } from '../../tools/package/notices.ts';
import { root } from '../harness/sources.ts';

const read = (path: string) => readFileSync(join(root, path), 'utf8');
const tracked = execFileSync('git', ['ls-files', '-z'], { cwd: root, encoding: 'utf8' }).split('\0').filter(Boolean);

/** Licences that grant a user of the package at least the rights of Apache-2.0. */
const permittedLicences = [
  '0BSD',
  'Apache-2.0',
  'BSD-2-Clause',
  'BSD-3-Clause',
  'BlueOak-1.0.0',
  'CC0-1.0',
  'ISC',
  'MIT',
  // The font's licence, which allows use and copying, but not selling the font alone.
  'OFL-1.1',
  'Python-2.0',
  'Unlicense',
];

/** Returns whether permitted licences satisfy an SPDX expression. `A OR B` needs one of them, and `A AND B` needs both. */
function isPermitted(expression = 'none'): boolean {
  const choices = expression.replaceAll(/[()]/g, '').split(' OR ');
  return choices.some((choice) => choice.split(' AND ').every((licence) => permittedLicences.includes(licence)));
}

it('recognizes a licence that is not permitted, in an expression too', () => {
  expect(['MIT', '(MIT OR GPL-3.0)', 'MIT AND ISC'].filter((licence) => !isPermitted(licence))).toEqual([]);
  expect(['GPL-3.0', 'MIT AND GPL-3.0', 'SEE LICENSE IN x', 'UNLICENSED', undefined].filter(isPermitted)).toEqual([]);
});

it('every package that an installation brings, or that the bundle or the documentation includes, has a permitted licence', () => {
  const packages = installedPackages();
  expect(packages.map(({ name }) => name)).toEqual(expect.arrayContaining(['koa', 'pg', '@stoplight/prism-http']));
  expect(packages.length).toBeGreaterThan(150);
  const notPermitted = [...packages, ...bundledPackages(), ...documentationPackages()].filter(
    ({ license }) => !isPermitted(license),
  );
  expect(notPermitted.map(({ name, license }) => ({ name, license }))).toEqual([]);
});

it('the notices name each of them with version, licence and text', () => {
  const text = notices();
  const all = [...installedPackages(), ...bundledPackages(), ...documentationPackages()];
  expect(all.filter((one) => !text.includes(`${one.name} ${one.version}\nLicence: ${one.license}\n`))).toEqual([]);
  expect(text).toContain('koa 3.3.0\nLicence: MIT\n\n(The MIT License)');
});

it('LICENSE has the whole text of Apache-2.0, and NOTICE names the copyright holders', () => {
  expect(read('LICENSE')).toMatch(/^\s+Apache License\n\s+Version 2\.0, January 2004\n/);
  expect(read('LICENSE')).toContain('END OF TERMS AND CONDITIONS');
  expect(read('NOTICE')).toContain('Copyright 2026 the maintainers of Rewards sandbox');
});

it('NOTICE has the licence of the font, which a checkout and the package contain', () => {
  expect(read('NOTICE')).toContain(read('node_modules/@fontsource-variable/inter/LICENSE').trim());
});

it('every manifest says Apache-2.0, and what is packed includes the notice', () => {
  const manifests = tracked.filter((path) => /(^|\/)package\.json$/.test(path) && !path.startsWith('test/'));
  expect(manifests.length).toBeGreaterThan(4);
  const others = manifests.filter((path) => JSON.parse(read(path)).license !== 'Apache-2.0');
  expect(others).toEqual([]);
  expect(read('examples/csharp/ClientServer.csproj')).toContain(
    '<PackageLicenseExpression>Apache-2.0</PackageLicenseExpression>',
  );
  expect(read('examples/testing/csharp/RewardsSandbox.Tests.csproj')).toContain('Expression>Apache-2.0</');
  expect(JSON.parse(read('examples/testing/php/composer.json')).license).toBe('Apache-2.0');
  for (const path of ['examples/testing/java/pom.xml', 'examples/spring/pom.xml']) {
    expect(read(path)).toContain('<name>Apache-2.0</name>');
  }
  expect(JSON.parse(read('package.json')).files).toContain('NOTICE');
});

it('every contract says Apache-2.0, and so does its bundle', () => {
  const licence = { name: 'Apache License 2.0', identifier: 'Apache-2.0' };
  const contracts = globSync('openapi/*.yaml', { cwd: root });
  expect(contracts.length).toBeGreaterThan(10);
  expect(contracts.map((path) => parse(read(path)).info.license)).toEqual(contracts.map(() => licence));
  const bundles = globSync('generated/*/bundle.json', { cwd: root });
  expect(bundles.map((path) => JSON.parse(read(path)).info.license)).toEqual(bundles.map(() => licence));
});

it('every example that people copy says Apache-2.0 in its README', () => {
  const readmes = globSync('examples/*/README.md', { cwd: root });
  expect(readmes.length).toBeGreaterThan(8);
  expect(readmes.filter((path) => !read(path).includes('Licence: [Apache-2.0](https://www.apache.org/'))).toEqual([]);
});
