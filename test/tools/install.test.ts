/** What somebody sees who installs the project with the npm that they have. */
import { execFile } from 'node:child_process';
import { copyFile, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';

const npmrc = fileURLToPath(new URL('../../.npmrc', import.meta.url));

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
