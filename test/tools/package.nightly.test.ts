/** Tests the package as a user installs it: its files, the few modules that a start loads, and every command. */
import { execFile } from 'node:child_process';
import { cp, mkdtemp, readdir, readFile, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify, stripVTControlCharacters } from 'node:util';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { ready, run } from '../harness/command.ts';
import { temporaryFolder } from '../harness/folders.ts';
import { closesWithTest } from '../harness/http-server.ts';
import { installPackage } from '../harness/installed-package.ts';
import { startPartnerServer } from '../harness/partner/server.ts';
import { packageName } from '../harness/sources.ts';

const execute = promisify(execFile);
let folder: string;
let packageFolder: string;
let bin: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'rewards-sandbox-'));
  packageFolder = await installPackage(folder);
  bin = join(packageFolder, 'sandbox/bin.js');
});

afterAll(() => rm(folder, { recursive: true, force: true }));

it('it has no source, and as compiled code only entry points and chunks', async () => {
  const files = (await readdir(packageFolder, { recursive: true })).filter((file) => !file.startsWith('node_modules'));
  expect(
    files.filter((file) => file.endsWith('.ts') && !file.endsWith('.d.ts') && !file.startsWith('examples')),
  ).toEqual([]);
  expect(files.filter((file) => /^sandbox\/.*\.\w+$/.test(file)).sort()).toEqual([
    'sandbox/bin.js',
    'sandbox/cli/compile-cache.js',
  ]);
  const code = files.filter(
    (file) =>
      /^dist\/.*\.js$/.test(file) &&
      !/^dist\/(chunks|generated\/dashboard\/browser|sandbox\/sites\/assets)\//.test(file),
  );
  expect(code.sort()).toEqual([
    'dist/generated/index.js',
    'dist/sandbox/cli/main.js',
    'dist/sandbox/sandbox.js',
    'dist/sandbox/testing/testing.js',
  ]);
  expect(files).toContain('dist/sandbox/sandbox.d.ts');
});

/** Returns the total size of a folder's files in bytes, excluding packages installed inside it. */
async function bytesOf(path: string): Promise<number> {
  const names = await readdir(path, { recursive: true, withFileTypes: true });
  const own = names.filter((one) => one.isFile() && !one.parentPath.slice(path.length).includes('/node_modules'));
  const sizes = await Promise.all(own.map(async (one) => (await stat(join(one.parentPath, one.name))).size));
  return sizes.reduce((sum, size) => sum + size, 0);
}

it('without Prism, an installation has at most 90 packages and 35 MB', async () => {
  const root = fileURLToPath(new URL('../../', import.meta.url));
  const { stdout } = await execute('npm', ['ls', '--omit=dev', '--omit=optional', '--all', '--parseable'], {
    cwd: root,
  });
  const [, ...dependencies] = stdout.trim().split('\n');
  expect(dependencies.length).toBeGreaterThan(60);
  expect(dependencies.length).toBeLessThanOrEqual(90);
  expect(dependencies.filter((path) => /node-linux|checkout-node|redocly|vitepress|typescript7?$/.test(path))).toEqual(
    [],
  );
  const sizes = await Promise.all([packageFolder, ...dependencies].map(bytesOf));
  expect(sizes.reduce((sum, size) => sum + size, 0) / 2 ** 20).toBeLessThan(35);
});

it('OP-153: a start loads less than half the modules of one from source', async () => {
  const file = join(await temporaryFolder(), 'loaded.json');
  const hook = fileURLToPath(new URL('../cli/loaded-modules.js', import.meta.url));
  const env = { NODE_OPTIONS: `--import ${hook}`, LOADED_MODULES: file, XDG_CACHE_HOME: join(folder, 'cache') };
  const { child, ended } = await ready(['--data', await temporaryFolder()], env, bin);
  child.kill('SIGINT');
  expect(await ended).toMatchObject({ code: 0 });
  const { loaded } = JSON.parse(await readFile(file, 'utf8')) as { loaded: string[] };
  expect(loaded.filter((url) => url.includes(`/${packageName}/dist/`)).length).toBeLessThan(45);
  expect(loaded.length).toBeLessThan(200);
});

it('its sandbox responds, serves its pages with their files, and validates the calls that it logs', async () => {
  const { urls } = await ready(['--data', await temporaryFolder()], {}, bin);
  const page = await (await fetch(urls.dashboard)).text();
  const loads = [...page.matchAll(/(?:src|href)="([^"]+\.(?:js|css|woff2))"/g)].map(
    ([, path]) => new URL(path ?? '', urls.dashboard),
  );
  expect(loads.filter(({ pathname }) => pathname.endsWith('.woff2'))).toHaveLength(1);
  for (const url of loads) expect([url.href, (await fetch(url)).status]).toEqual([url.href, 200]);
  expect((await fetch(`${urls.rewards}/v1/partner/rewards`)).status).toBe(401);
  const findings = await (await fetch(`${urls.sandbox}/findings`)).json();
  expect(findings).toMatchObject({ checked_to: 1, unchecked: 0, items: [{ code: 'request.credential.missing' }] });
});

it('its other commands find their files', async () => {
  const upstream = await ready(['--data', await temporaryFolder()], {}, bin);
  const origin = new URL(upstream.urls.sandbox).origin;
  const proxy = run(['proxy', '--port', '0', '--json', '--quiet', '--sandbox', origin], {}, bin);
  const [line] = await proxy.saw(/^\{.*\}$/m);
  const { url } = JSON.parse(line) as { url: string };
  expect((await fetch(`${url}/rewards/v1/partner/rewards`)).status).toBe(401);
  const report = await fetch(`${url}/__proxy/findings`);
  expect(await report.json()).toMatchObject({ exchanges: { checked: 1 } });
  const target = join(await temporaryFolder(), 'server');
  expect(await run(['init', '--lang', 'node', target], {}, bin).ended).toMatchObject({ code: 0 });
  expect((await run(['certify', '--list'], {}, bin).ended).stdout).toContain('JRN-01');
  expect(await run(['chek'], {}, bin).ended).toMatchObject({ code: 2, stderr: expect.stringContaining('check?') });
});

it('it certifies a server', async () => {
  const { url, settings, close } = await startPartnerServer({ raceMs: 5 });
  closesWithTest(close);
  const server = ['--client-url', url, '--customer', 'CUST0001', '--service-token', settings.serviceToken];
  const { code, stdout } = await run(['certify', ...server, '--only', 'CRD-01', '--allow-partial'], {}, bin).ended;
  expect({ code, stdout }).toEqual({ code: 0, stdout: expect.stringMatching(/\npass: CRD-01\n$/) });
});

it.each(['start', 'check', 'proxy', 'mock', 'certify', 'workflows'])(
  'its help of %s has no npm in it',
  async (name) => {
    const { code, stdout } = await run([name, '--help'], {}, bin).ended;
    expect(code).toBe(0);
    expect(stdout).toMatch(/ {2}(.* )?rewards-sandbox/);
    expect(stdout).not.toMatch(/npm (start|run)/);
  },
);

it('it runs workflows, with @redocly/cli next to it', async () => {
  const { code, stderr } = await run(['workflows', 'earn'], {}, bin).ended;
  expect({ code, stderr }).toEqual({ code: 0, stderr: expect.stringContaining('1 workflow passed.') });
});

it('a program imports it, with its types', async () => {
  const program = join(folder, 'program.mts');
  await writeFile(
    program,
    `import { startSandbox } from '@rewards-sandbox/sandbox';
import { createRewardsClient } from '@rewards-sandbox/sandbox/clients';
const sandbox = await startSandbox();
const { response, data } = await createRewardsClient({
  baseUrl: sandbox.workspace.urls.rewards,
  headers: { Authorization: await sandbox.companyToken() },
}).GET('/v1/partner/rewards');
const page: object | undefined = data;
console.log(response.status, typeof page);
await sandbox.close();
`,
  );
  const { stdout } = await execute(process.execPath, [program]);
  expect(stdout).toBe('200 object\n');
  const compiler = join(packageFolder, 'node_modules/typescript7/bin/tsc');
  const options = '--noEmit --strict --skipLibCheck --module nodenext --target es2024 --types node --typeRoots'.split(
    ' ',
  );
  const types = join(packageFolder, 'node_modules/@types');
  // The compiler accepts no file names in a folder that contains a tsconfig.json.
  await execute(process.execPath, [compiler, ...options, types, program], { cwd: folder });
});

it('the tests that show how other suites use it run: node:test and vitest', async () => {
  const suites = join(folder, 'suites');
  await cp(join(packageFolder, 'examples/testing/package'), suites, { recursive: true });
  const { NODE_TEST_CONTEXT: _, VITEST: __, ...env } = process.env;
  const byNode = await execute(process.execPath, ['--test', 'node.test.js'], { cwd: suites, env });
  expect(byNode.stdout).toMatch(/pass 1$/m);
  await symlink(join(packageFolder, 'node_modules/vitest'), join(folder, 'node_modules/vitest'));
  const vitest = join(packageFolder, 'node_modules/vitest/vitest.mjs');
  const byVitest = await execute(process.execPath, [vitest, 'run', 'vitest.test.js'], { cwd: suites, env });
  expect(stripVTControlCharacters(byVitest.stdout)).toMatch(/Tests +2 passed \(2\)/);
});
