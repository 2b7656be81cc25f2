/** Tests that stopping npm also stops its script. npm signals its shell, which does not forward the signal. */
import { spawn } from 'node:child_process';
import { dirname } from 'node:path';
import { expect, it } from 'vitest';
import { isWaitedFor } from '../../sandbox/cli/io.ts';
import { temporaryFolder } from '../harness/folders.ts';
import { root } from '../harness/sources.ts';

const { VITEST: _, ...outer } = process.env;
// npm starts the Node executable on the PATH, which must be the one running this test.
const env = { ...outer, PATH: `${dirname(process.execPath)}:${outer.PATH}` };

/** Runs a script of the project with npm until the command is ready. Returns npm and the command's process. */
async function startWithNpm(...args: readonly string[]) {
  const npm = spawn('npm', args, { cwd: root, env, stdio: ['ignore', 'pipe', 'inherit'] });
  let output = '';
  npm.stdout.on('data', (chunk) => (output += chunk));
  const ready = () => /"ready":true.*"pid":(\d+)/.exec(output)?.[1];
  await expect.poll(ready, { timeout: 30_000 }).toBeDefined();
  return { npm, pid: Number(ready()) };
}

function runs(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

it.each([
  ['npm start', async () => ['start', '--', '--port', '0', '--json', '--no-docs', '--data', await temporaryFolder()]],
  ['npm run proxy', async () => ['run', 'proxy', '--', '--port', '0', '--json']],
])('%s ends with npm', async (_, args) => {
  const { npm, pid } = await startWithNpm(...(await args()));
  try {
    expect(runs(pid)).toBe(true);
    npm.kill('SIGTERM');
    await expect.poll(() => runs(pid), { timeout: 15_000 }).toBe(false);
  } finally {
    npm.kill('SIGKILL');
    if (runs(pid)) process.kill(pid, 'SIGKILL');
  }
});

it.each([
  ['node sandbox/bin.js', true],
  ['node sandbox/bin.js proxy', true],
  ["'rewards-sandbox'", true],
  ['rewards-sandbox --port 4020', true],
  ['rewards-sandbox & node test.js', false],
  ['rewards-sandbox-tools', false],
  ['vitest run', false],
  [undefined, false],
])('npm waits for the script %s: %s', (script, waits) => {
  expect(isWaitedFor(script)).toBe(waits);
});
