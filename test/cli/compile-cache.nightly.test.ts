/** Tests that compiled code is cached only where no other user can write, because Node executes it. */
import { chmod, mkdir, readdir, stat, symlink } from 'node:fs/promises';
import { userInfo } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { compileCacheFolder } from '../../sandbox/cli/compile-cache.js';
import { ready, run } from '../harness/command.ts';
import { temporaryFolder } from '../harness/folders.ts';

/** Runs the command once with the given cache directory. Returns the names of the temporary files it leaves behind. */
async function start(cacheHome: string): Promise<readonly string[]> {
  const temporary = await temporaryFolder();
  const env = { XDG_CACHE_HOME: cacheHome, TMPDIR: temporary, NODE_COMPILE_CACHE: undefined };
  expect((await run(['--version'], env).ended).code).toBe(0);
  return readdir(temporary);
}

/** Returns the paths of the compiled files below the cache folder. */
async function cachedFiles(cacheHome: string): Promise<readonly string[]> {
  const folder = join(cacheHome, 'rewards-sandbox');
  return (await readdir(folder, { recursive: true })).filter((name) => name.includes('/'));
}

it('compiled code is cached in a folder of mode 0700 in the cache directory, and not among temporary files', async () => {
  const cacheHome = join(await temporaryFolder(), 'made-on-the-way');
  expect(await start(cacheHome)).toEqual([]);
  const folder = join(cacheHome, 'rewards-sandbox');
  expect((await stat(folder)).mode & 0o777).toBe(0o700);
  expect(await readdir(folder)).not.toEqual([]);
});

it.each(['777', '770', '750', '701'])('a folder of mode %s is not used', async (mode) => {
  const cacheHome = await temporaryFolder();
  const folder = join(cacheHome, 'rewards-sandbox');
  await mkdir(folder);
  await chmod(folder, mode);
  expect(await start(cacheHome)).toEqual([]);
  expect(await readdir(folder)).toEqual([]);
});

it("another user's folder is not used, and neither is any if the system has no owners", async () => {
  const [cacheHome, own] = [await temporaryFolder(), userInfo().uid];
  expect(compileCacheFolder(cacheHome, own)).toBe(join(cacheHome, 'rewards-sandbox'));
  expect(compileCacheFolder(cacheHome, own + 1)).toBe(undefined);
  expect(compileCacheFolder(cacheHome, undefined)).toBe(undefined);
});

it('a symbolic link in its place is not followed', async () => {
  const [cacheHome, elsewhere] = [await temporaryFolder(), await temporaryFolder()];
  await symlink(elsewhere, join(cacheHome, 'rewards-sandbox'));
  expect(await start(cacheHome)).toEqual([]);
  expect(await readdir(elsewhere)).toEqual([]);
});

it('a cache directory that others can write is not used', async () => {
  const cacheHome = await temporaryFolder();
  await chmod(cacheHome, 0o777);
  expect(await start(cacheHome)).toEqual([]);
  expect(await readdir(join(cacheHome, 'rewards-sandbox'))).toEqual([]);
});

it('without a usable cache directory the command runs anyway', async () => {
  for (const cacheHome of ['/proc/nowhere/cache', join(await temporaryFolder(), 'no', 'such', 'place')]) {
    expect(await start(cacheHome)).toEqual([]);
  }
});

it('OP-153: a sandbox writes its compiled code while it runs, so that a kill does not lose it', async () => {
  const cacheHome = join(await temporaryFolder(), 'cache');
  const { child } = await ready(['--data', await temporaryFolder()], {
    XDG_CACHE_HOME: cacheHome,
    NODE_COMPILE_CACHE: undefined,
  });
  await expect.poll(() => cachedFiles(cacheHome), { timeout: 20_000 }).not.toEqual([]);
  expect(child.exitCode).toBe(null);
});
