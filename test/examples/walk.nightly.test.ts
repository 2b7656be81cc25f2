/** Tests the README's promises to newcomers. Runs the quickstart commands from the tarball in an empty folder, and measures the time. */
import { execFile, spawn } from 'node:child_process';
import { copyFile, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest';
import { blocksOf, shellScript, starts } from '../harness/blocks.ts';
import { temporaryFolder } from '../harness/folders.ts';
import { packPackage } from '../harness/installed-package.ts';
import { root } from '../harness/sources.ts';

const run = promisify(execFile);
const seconds = (since: number) => (performance.now() - since) / 1000;
let packed: string;
let tarball: string;

beforeAll(async () => {
  packed = await mkdtemp(join(tmpdir(), 'rewards-sandbox-'));
  tarball = await packPackage(packed);
}, 120_000);

afterAll(() => rm(packed, { recursive: true, force: true }));

/** Variables of npm and test runners, except the ones that npm needs to reach its registry. */
const ofThisRun = /^(VITEST|NODE_(OPTIONS|TEST_CONTEXT|ENV)$|npm_(?!config_)|npm_config_(local_|global_)?prefix$)/;

/** Returns the environment of a newcomer's shell, with the Node executable of this run. */
function env(own: NodeJS.ProcessEnv = {}): NodeJS.ProcessEnv {
  const inherited = Object.entries(process.env).filter(([name]) => !ofThisRun.test(name));
  return { ...Object.fromEntries(inherited), PATH: `${dirname(process.execPath)}:${process.env.PATH}`, ...own };
}

/** Creates a folder that contains only the tarball. */
async function newcomer(): Promise<string> {
  const folder = await temporaryFolder();
  await copyFile(tarball, join(folder, basename(tarball)));
  return folder;
}

/** Starts the sandbox with npx, which installs it first. Resolves with its URL once it is ready. */
async function startWithNpx(folder: string): Promise<string> {
  const args = ['--yes', '--prefer-offline', `./${basename(tarball)}`, '--port', '0', '--json'];
  const npx = spawn('npx', args, { cwd: folder, env: env(), stdio: ['ignore', 'pipe', 'inherit'] });
  let output = '';
  npx.stdout.on('data', (chunk) => (output += chunk));
  const readable = new Promise((resolve) => npx.stdout.once('close', resolve));
  // The sandbox holds the pipe open while it runs, and it exits after npx.
  onTestFinished(async () => {
    npx.kill('SIGTERM');
    await readable;
  });
  await expect.poll(() => output, { timeout: 120_000 }).toContain('"ready":true');
  return new URL(JSON.parse(output).urls.sandbox).origin;
}

it('less than 60 s from npx to the first redemption: the calls of the quickstart order, deliver and read it', async () => {
  const folder = await newcomer();
  const begun = performance.now();
  const origin = await startWithNpx(folder);
  const ready = seconds(begun);
  const blocks = blocksOf(join(root, 'docs/guides/quickstart.md')).filter(({ language }) => language === 'sh');
  const untilDelivered = blocks.filter((block) => !starts(block)).slice(0, 5);
  const script = shellScript(untilDelivered).replaceAll('http://127.0.0.1:4010', origin);
  const { stdout } = await run('bash', ['-c', script], { cwd: folder, env: env() });
  expect(stdout).toContain('"label":"Redeemed"');
  const orders = await (await fetch(`${origin}/sandbox/v1/orders`)).json();
  expect(orders).toMatchObject({ items: [{ order: { status: 'Delivered' } }] });
  const duration = seconds(begun);
  console.log(`npx: ready after ${ready.toFixed(1)} s, the first redemption seen after ${duration.toFixed(1)} s`);
  expect(duration).toBeLessThan(60);
});
