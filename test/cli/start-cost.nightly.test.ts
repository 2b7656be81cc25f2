/** Tests the number of modules that a start loads, and the memory of an idle sandbox. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it, vi } from 'vitest';
import { ready } from '../harness/command.ts';
import { temporaryFolder } from '../harness/folders.ts';

/** Starts a sandbox with demo data and the compile cache of an earlier start. */
async function secondStart(env: NodeJS.ProcessEnv = {}) {
  const cacheEnv = { XDG_CACHE_HOME: join(await temporaryFolder(), 'cache'), NODE_COMPILE_CACHE: undefined };
  const first = await ready(['--data', await temporaryFolder()], cacheEnv);
  first.child.kill('SIGINT');
  await first.ended;
  return ready(['--data', await temporaryFolder()], { ...cacheEnv, ...env });
}

it('a start loads the packages that calls need once it is ready, nothing that compiles TypeScript, and no second HTTP client', async () => {
  const file = join(await temporaryFolder(), 'loaded.json');
  const hook = new URL('loaded-modules.js', import.meta.url);
  const started = await secondStart({ NODE_OPTIONS: `--import ${hook}`, LOADED_MODULES: file });
  started.child.kill('SIGINT');
  expect(await started.ended).toMatchObject({ code: 0 });
  const { loaded, ofNode, atEnd } = JSON.parse(await readFile(file, 'utf8')) as Record<string, string[]>;
  const packagesOf = (urls: string[] = []) =>
    urls.flatMap((url) => /.*\/node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(url)?.[1] ?? []);
  const packages = packagesOf(loaded);
  expect(packages).toContain('koa');
  const needed = ['ajv', 'ajv-formats', 'undici', 'jose'];
  expect(packagesOf(atEnd)).toEqual(expect.arrayContaining(needed));
  const later = [...needed, 'yaml', '@stoplight/prism-http', 'typescript'];
  const optional = ['pg', 'pg-protocol', 'pino', 'prom-client'];
  expect(optional.filter((name) => packages.includes(name))).toEqual([]);
  expect(later.filter((name) => packages.includes(name))).toEqual([]);
  expect(ofNode?.filter((name) => /deps\/(undici|amaro|acorn)/.test(name))).toEqual([]);
  // Each module takes a few tenths of a millisecond to load.
  expect(loaded?.length).toBeLessThan(650);
});

// Mapped memory is excluded because it varies between machines: 55 to 73 MB for the same Node executable.
it('an idle sandbox with demo data soon takes at most 60 MiB besides the Node executable, and still answers', async () => {
  const { child, urls } = await secondStart();
  const anonymousMemory = async () => {
    const status = await readFile(`/proc/${child.pid}/status`, 'utf8');
    return Number(/^RssAnon:\s+(\d+) kB$/m.exec(status)?.[1]);
  };
  await vi.waitFor(async () => expect(await anonymousMemory()).toBeLessThan(60 * 1024), {
    timeout: 20_000,
    interval: 250,
  });
  const reply = await fetch(`${urls.sandbox}/health`, { signal: AbortSignal.timeout(5_000) });
  expect(reply.status).toBe(200);
});
