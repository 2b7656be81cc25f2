/** What somebody sees who installs the project with the npm that they have. */
import { execFile, spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { copyFile, cp, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { execPath } from 'node:process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';

const root = fileURLToPath(new URL('../..', import.meta.url));
const npmrc = join(root, '.npmrc');

/** What npm says on stderr where a package asks for a Node that nobody has. */
async function saidAtInstall(withSettings: boolean): Promise<string> {
  const dir = await mkdtemp(join(tmpdir(), 'install-'));
  try {
    const later = { name: 'needs-later-node', version: '1.0.0', engines: { node: '>=999' } };
    await mkdir(join(dir, 'later'));
    await writeFile(join(dir, 'later/package.json'), JSON.stringify(later));
    await writeFile(join(dir, 'package.json'), JSON.stringify({ dependencies: { [later.name]: 'file:later' } }));
    if (withSettings) await copyFile(npmrc, join(dir, '.npmrc'));
    // What npm was started with must not decide in place of the file.
    const { npm_config_loglevel: _, ...env } = process.env;
    const { stderr } = await promisify(execFile)('npm', ['install', '--offline'], { cwd: dir, env });
    return stderr;
  } finally {
    await rm(dir, { recursive: true, force: true });
  }
}

it('an install is no screen of warnings about engines: the Node that commands run on comes with it', async () => {
  expect(await saidAtInstall(false)).toContain('EBADENGINE');
  expect(await saidAtInstall(true)).toBe('');
});

/** What `npm ci` runs in a checkout that has this builder of the documentation, with or without what the builder needs. */
async function prepared(
  builder: string,
  withNeeds: boolean,
): Promise<{ status: number | null; stderr: string; built: boolean }> {
  const { scripts } = JSON.parse(await readFile(join(root, 'package.json'), 'utf8')) as {
    scripts: { dependencies: string };
  };
  const file = scripts.dependencies.replace(/^node /, '');
  const dir = await mkdtemp(join(tmpdir(), 'prepare-'));
  try {
    await mkdir(join(dir, dirname(file)), { recursive: true });
    await cp(join(root, file), join(dir, file));
    await writeFile(join(dir, 'tools/docs/build.ts'), builder);
    await writeFile(join(dir, 'package.json'), JSON.stringify({ type: 'module' }));
    if (withNeeds) await mkdir(join(dir, 'node_modules/vitepress'), { recursive: true });
    const { status, stderr } = spawnSync(execPath, [file], { cwd: dir, encoding: 'utf8' });
    return { status, stderr, built: existsSync(join(dir, 'site')) };
  } finally {
    await rm(dir, { recursive: true, force: true });
  }
}

const builds = "import { writeFileSync } from 'node:fs';\nwriteFileSync('site', process.argv[2]);\n";

it('an install builds the documentation, so that the first start has it at once', async () => {
  expect(await prepared(builds, true)).toEqual({ status: 0, stderr: '', built: true });
});

it('an install without development dependencies builds none, and ends well', async () => {
  expect(await prepared(builds, false)).toEqual({ status: 0, stderr: '', built: false });
});

it('an install ends well where the documentation has a mistake, and says what is wrong', async () => {
  expect(await prepared("console.error('/errors is not in the sidebar');\nprocess.exit(1);\n", true)).toEqual({
    status: 0,
    stderr: '/errors is not in the sidebar\nThe documentation could not be built; npm run docs says more.\n',
    built: false,
  });
});
