/**
 * Tests the linux-x64 executable in an empty folder, as a user without Node (decision 112). PATH contains no programs,
 * and the home folder is separate. Releases build the executables for other platforms, which no test runs.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { createReadStream } from 'node:fs';
import { chmod, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { createInterface } from 'node:readline';
import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest';
import { version } from '../../sandbox/version.ts';
import { buildExecutables } from '../../tools/package/build-executables.ts';
import { pack } from '../../tools/package/install.ts';
import { entry, har } from '../harness/captures.ts';
import { example } from '../harness/exchanges.ts';
import { execute } from '../harness/shell.ts';

let workFolder: string;
let executable: string;
let home: string;

beforeAll(async () => {
  workFolder = await mkdtemp(join(tmpdir(), 'executable-'));
  home = join(workFolder, 'home');
  await mkdir(home);
  const [path = ''] = await buildExecutables(pack(workFolder), join(workFolder, 'release'), ['linux-x64']);
  executable = path;
}, 600_000);

afterAll(() => rm(workFolder, { recursive: true, force: true }));

/** Returns the working folder and environment for the executable. */
const options = () => ({ cwd: home, env: { HOME: home, PATH: '/nowhere' } });

const run = (...args: readonly string[]) => execute(executable, args, options());

/** Starts a sandbox. Resolves with the line that announces its readiness. */
async function startSandbox(
  ...args: readonly string[]
): Promise<{ urls: Record<string, string>; child: ChildProcess }> {
  const child = spawn(executable, ['start', '--json', ...args], { ...options(), stdio: ['ignore', 'pipe', 'inherit'] });
  onTestFinished(() => void child.kill('SIGKILL'));
  const [line] = await once(createInterface(child.stdout), 'line');
  return { ...JSON.parse(line as string), child };
}

const unpackedFolders = () => readdir(join(home, '.cache/rewards-sandbox'));

it('it is one file, named by version and platform, and SHA256SUMS has it, the bill of materials and the package', async () => {
  const folder = join(workFolder, 'release');
  const names = [
    `rewards-sandbox-${version}-linux-x64`,
    `rewards-sandbox-${version}.cdx.json`,
    `rewards-sandbox-sandbox-${version}.tgz`,
  ];
  expect((await readdir(folder)).sort()).toEqual(['SHA256SUMS', ...names]);
  const sums = await Promise.all(
    names.map(async (name) => {
      const hash = createHash('sha256');
      for await (const chunk of createReadStream(join(folder, name))) hash.update(chunk as Buffer);
      return `${hash.digest('hex')}  ${name}\n`;
    }),
  );
  expect(await readFile(join(folder, 'SHA256SUMS'), 'utf8')).toBe(sums.join(''));
});

it('it unpacks itself at its first start, also when several start together, and never again', async () => {
  const first = await Promise.all([run('--version'), run('--version'), run('--version')]);
  expect(first.map(({ code, stdout }) => ({ code, stdout }))).toEqual(
    first.map(() => ({ code: 0, stdout: `${version}\n` })),
  );
  const unpacked = (await unpackedFolders()).filter((name) => !name.startsWith('v'));
  expect(unpacked).toEqual([expect.stringMatching(/^executable-[0-9a-f]{16}$/)]);
  expect(await run('--version')).toMatchObject({ code: 0, stdout: `${version}\n` });
  expect((await unpackedFolders()).filter((name) => !name.startsWith('v'))).toEqual(unpacked);
  // The executable writes nothing else to its working folder.
  expect(await readdir(home)).toEqual(['.cache']);
});

it('it runs from a temporary folder where others may write the cache directory, and removes it', async () => {
  const open = join(workFolder, 'open');
  await mkdir(join(open, 'cache'), { recursive: true });
  await chmod(join(open, 'cache'), 0o777);
  const env = { HOME: open, XDG_CACHE_HOME: join(open, 'cache'), TMPDIR: open, PATH: '/nowhere' };
  const outcome = await execute(executable, ['--version'], { cwd: open, env });
  expect(outcome).toMatchObject({ code: 0, stdout: `${version}\n` });
  expect(await readdir(open)).toEqual(['cache']);
});

it('start: a sandbox serves APIs, pages and documentation, and its proxy; certify certifies its reference client', async () => {
  const { urls, child } = await startSandbox('--port', '0', '--data', join(home, 'data'));
  const { origin } = new URL(urls.sandbox ?? '');
  const status = async (path: string) => (await fetch(origin + path)).status;
  for (const path of ['/sandbox/v1/health', '/dashboard/', '/microsite', '/docs/', '/docs/reference/rewards'])
    expect([path, await status(path)]).toEqual([path, 200]);
  expect(await status('/rewards/v1/partner/rewards')).toBe(401);
  const { credentials } = await (await fetch(`${urls.sandbox}/workspace`)).json();
  const server = ['--client-url', `${origin}/client`, '--service-token', credentials.service_token];
  const flags = ['--customer', 'CUST0001', '--only', 'CRD-01', '--allow-partial', '--report', 'junit=certify.xml'];
  expect(await run('certify', ...server, ...flags)).toMatchObject({ code: 0 });
  expect(await readFile(join(home, 'certify.xml'), 'utf8')).toMatch(/<testcase [^>]*CRD-01/);
  const proxy = spawn(executable, ['proxy', '--port', '0', '--json', '--quiet', '--sandbox', origin], {
    ...options(),
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  onTestFinished(() => void proxy.kill('SIGKILL'));
  const [line] = await once(createInterface(proxy.stdout), 'line');
  const { url } = JSON.parse(line as string);
  expect((await fetch(`${url}/rewards/v1/partner/rewards`)).status).toBe(401);
  child.kill('SIGINT');
  expect(await once(child, 'exit')).toEqual([0, null]);
});

it('check: a capture is checked, by the exit codes of the package', async () => {
  const wrong = example('listRewards', 200);
  (wrong.reply.body as { has_more: unknown }).has_more = 'no';
  await writeFile(join(home, 'right.har'), har([entry(example('listRewards', 200))]));
  await writeFile(join(home, 'wrong.har'), har([entry(wrong)]));
  expect(await run('check', 'right.har')).toMatchObject({ code: 0 });
  expect(await run('check', 'wrong.har')).toMatchObject({ code: 1, stdout: expect.stringContaining('/body/has_more') });
});

it('mcp: a session is opened over standard input and output', async () => {
  const child = spawn(executable, ['mcp'], { ...options(), stdio: ['pipe', 'pipe', 'ignore'] });
  onTestFinished(() => void child.kill('SIGKILL'));
  const params = { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'test', version: '1' } };
  child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'initialize', params })}\n`);
  const [line] = await once(createInterface(child.stdout), 'line');
  expect(JSON.parse(line as string)).toMatchObject({
    id: 1,
    result: { serverInfo: { name: 'rewards-sandbox', version } },
  });
});

it('init: a client server is copied', async () => {
  expect(await run('init', '--lang', 'python', 'points')).toMatchObject({ code: 0 });
  expect(await readdir(join(home, 'points'))).toContain('server.py');
});

it('mock: the executable has no Prism, and says how to install it', async () => {
  const { code, stderr } = await run('mock', 'rewards');
  expect({ code, stderr }).toEqual({ code: 3, stderr: expect.stringContaining('npm install @stoplight/prism-http') });
  expect(basename(executable)).toBe(`rewards-sandbox-${version}-linux-x64`);
});
