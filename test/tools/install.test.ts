/** Tests the output of installing the project with the user's own npm. */
import { execFile, spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { copyFile, cp, mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { execPath } from 'node:process';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';
import { temporaryFolder } from '../harness/folders.ts';
import { root } from '../harness/sources.ts';

/** Returns npm's stderr for a package that requires a non-existent Node version. */
async function installStderr(withSettings: boolean): Promise<string> {
  const dir = await temporaryFolder();
  const later = { name: 'needs-later-node', version: '1.0.0', engines: { node: '>=999' } };
  await mkdir(join(dir, 'later'));
  await writeFile(join(dir, 'later/package.json'), JSON.stringify(later));
  await writeFile(join(dir, 'package.json'), JSON.stringify({ dependencies: { [later.name]: 'file:later' } }));
  if (withSettings) await copyFile(join(root, '.npmrc'), join(dir, '.npmrc'));
  // The log level of an outer npm must not override the file.
  const { npm_config_loglevel: _, ...env } = process.env;
  return (await promisify(execFile)('npm', ['install', '--offline'], { cwd: dir, env })).stderr;
}

it('an install prints no warnings about engines: it brings the Node that commands run on', async () => {
  expect(await installStderr(false)).toContain('EBADENGINE');
  expect(await installStderr(true)).toBe('');
});

/** Runs the `npm ci` script in a checkout that contains these builders, with or without their dependencies. */
async function runPrepareScript(builder: string, withDependencies: boolean) {
  const { scripts } = JSON.parse(await readFile(join(root, 'package.json'), 'utf8')) as {
    scripts: { dependencies: string };
  };
  const file = scripts.dependencies.replace(/^node /, '');
  const dir = await temporaryFolder();
  await mkdir(join(dir, dirname(file)), { recursive: true });
  await cp(join(root, file), join(dir, file));
  for (const part of ['docs', 'dashboard']) {
    await mkdir(join(dir, 'tools', part));
    await writeFile(join(dir, 'tools', part, 'build.ts'), builder);
  }
  await writeFile(join(dir, 'package.json'), JSON.stringify({ type: 'module' }));
  for (const name of withDependencies ? ['rolldown', 'vitepress'] : [])
    await mkdir(join(dir, 'node_modules', name), { recursive: true });
  const { status, stderr } = spawnSync(execPath, [file], { cwd: dir, encoding: 'utf8' });
  return { status, stderr, built: existsSync(join(dir, 'docs-built')) && existsSync(join(dir, 'dashboard-built')) };
}

const builds =
  "import { writeFileSync } from 'node:fs';\nimport { basename } from 'node:path';\n" +
  "writeFileSync(basename(import.meta.dirname) + '-built', process.argv[2]);\n";

it('an install builds documentation and dashboard, so that the first start has both', async () => {
  expect(await runPrepareScript(builds, true)).toEqual({ status: 0, stderr: '', built: true });
});

it('an install without development dependencies builds neither, and succeeds', async () => {
  expect(await runPrepareScript(builds, false)).toEqual({ status: 0, stderr: '', built: false });
});

it('an install succeeds even if a build fails, and says what is wrong', async () => {
  expect(await runPrepareScript("console.error('/errors is not in the sidebar');\nprocess.exit(1);\n", true)).toEqual({
    status: 0,
    stderr:
      '/errors is not in the sidebar\nThe dashboard could not be built; npm run dashboard says more.\n' +
      '/errors is not in the sidebar\nThe documentation could not be built; npm run docs says more.\n',
    built: false,
  });
});
