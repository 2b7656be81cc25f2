/** Tests that no install script among the installed packages reports the installation to a third party (decision 111). */
import { execFile } from 'node:child_process';
import { cp, mkdir, readFile, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { delimiter, join } from 'node:path';
import { promisify } from 'node:util';
import { expect, it, onTestFinished } from 'vitest';
import { installedPackages } from '../../tools/package/notices.ts';
import { temporaryFolder } from '../harness/folders.ts';
import { root } from '../harness/sources.ts';

const run = promisify(execFile);
const manifest = JSON.parse(await readFile(join(root, 'package.json'), 'utf8'));
const lock = JSON.parse(await readFile(join(root, 'package-lock.json'), 'utf8')) as {
  packages: Record<string, { hasInstallScript?: boolean }>;
};

it('of all that an installation brings, only @scarf/scarf has an install script', () => {
  const packages = installedPackages();
  expect(packages.length).toBeGreaterThan(150);
  expect(packages.filter(({ hasInstallScript }) => hasInstallScript).map(({ name }) => name)).toEqual(['@scarf/scarf']);
});

it('the package itself has none, and states for each one in a checkout whether npm may run it', () => {
  const scripts = Object.keys(manifest.scripts);
  expect(scripts.filter((name) => /^(pre|post)?install$|^prepare$/.test(name))).toEqual([]);
  const withScript = Object.entries(lock.packages).filter(([, { hasInstallScript }]) => hasInstallScript);
  const names = withScript.map(([path]) => path.replace(/^.*node_modules\//, ''));
  expect(names.filter((name) => !(name in manifest.allowScripts))).toEqual([]);
  expect(manifest.allowScripts['@scarf/scarf']).toBe(false);
});

/** Returns the number of reports that @scarf/scarf's script sends for our package with these settings. */
async function reportsOf(scarfSettings: object | undefined): Promise<number> {
  let reports = 0;
  const server = createServer((request, reply) => {
    reports += 1;
    request.resume();
    reply.end('{}');
  }).listen(0);
  onTestFinished(() => void server.close());
  const user = await temporaryFolder();
  const writeManifest = async (path: string, content: object) => {
    await mkdir(join(user, path), { recursive: true });
    await writeFile(join(user, path, 'package.json'), JSON.stringify(content));
  };
  const { name, version } = manifest;
  await writeManifest('.', { name: 'their-tests', version: '1.0.0', dependencies: { [name]: version } });
  const dependencies = { '@stoplight/prism-http': '5.16.0' };
  await writeManifest(`node_modules/${name}`, { name, version, dependencies, scarfSettings });
  const needsScarf = { name: '@stoplight/prism-http', version: '5.16.0', dependencies: { '@scarf/scarf': '1.4.0' } };
  await writeManifest('node_modules/@stoplight/prism-http', needsScarf);
  const scarf = join(user, 'node_modules/@scarf/scarf');
  await cp(join(root, 'node_modules/@scarf/scarf'), scarf, { recursive: true });
  // The script allows npm three seconds to print the dependency tree, which may not suffice on a busy machine.
  const { stdout: tree } = await run('npm', ['ls', '@scarf/scarf', '--json', '--long'], { cwd: user });
  await writeFile(join(user, 'tree.json'), tree);
  await mkdir(join(user, 'bin'));
  await writeFile(join(user, 'bin/npm'), `#!/bin/sh\ncat '${join(user, 'tree.json')}'\n`, { mode: 0o755 });
  const env = {
    PATH: [join(user, 'bin'), process.env.PATH].join(delimiter),
    HOME: user,
    TMPDIR: user,
    INIT_CWD: user,
    SCARF_LOCAL_PORT: String((server.address() as AddressInfo).port),
  };
  await run(process.execPath, [join(scarf, 'report.js')], { cwd: scarf, env });
  return reports;
}

it('an installation of the package is not reported, though it would be without its setting', async () => {
  expect(manifest.scarfSettings).toEqual({ enabled: false });
  expect(await reportsOf(manifest.scarfSettings)).toBe(0);
  expect(await reportsOf(undefined)).toBe(1);
});
