/** Tests the proxy alongside a sandbox. It restarts with its findings after an unexpected exit, and stops with the sandbox (OP-88). */
import { chmod, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { type Beside, proxyBeside } from '../../sandbox/cli/child-processes.ts';
import { temporaryFolder } from '../harness/folders.ts';
import { httpServer } from '../harness/http-server.ts';

/**
 * Starts a proxy in front of a server that violates the contract. The proxy runs in a script that logs its process id
 * and then executes `program`.
 */
async function startBeside(own: Partial<Beside> = {}, program = `exec '${process.execPath}' "$@"`) {
  const folder = await temporaryFolder();
  const [execPath, pidFile] = [join(folder, 'node'), join(folder, 'pids')];
  await writeFile(execPath, `#!/bin/sh\necho $$ >> '${pidFile}'\n${program}\n`);
  await chmod(execPath, 0o700);
  const upstream = await httpServer((_, response) => response.writeHead(203).end());
  const free = await httpServer((_, response) => response.end());
  const warnings: string[] = [];
  const { stop, started } = proxyBeside({
    execPath,
    env: process.env,
    host: '127.0.0.1',
    // A port that is in use on this address is free on another local address.
    port: Number(free.port),
    sandbox: upstream.href,
    warn: (message) => warnings.push(message),
    ...own,
    ...(own.host === undefined && { host: '127.0.0.2' }),
  });
  onTestFinished(stop);
  const pids = async () => (await readFile(pidFile, 'utf8').catch(() => '')).split('\n').filter(Boolean).map(Number);
  return { url: `http://127.0.0.2:${free.port}`, warnings, pids, stop, started };
}

const adminToken = 'a-token-of-the-operator';
const findings = async (url: string, token = adminToken) => {
  const headers = { authorization: `Bearer ${token}` };
  const answer = await fetch(`${url}/__proxy/findings`, { headers }).catch(() => undefined);
  return answer?.ok ? ((await answer.json()) as { exchanges: { checked: number }; findings: object[] }) : undefined;
};
function isRunning(pid = 0): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

it('the proxy has started once it listens, and its environment has no secret of the sandbox', async () => {
  const secret = {
    REWARDS_SANDBOX_KEY: 'canary',
    REWARDS_SANDBOX_STORE: 'canary',
    REWARDS_SANDBOX_CLIENT_TOKEN: 'canary',
    PGPASSWORD: 'canary',
    OTEL_EXPORTER_OTLP_HEADERS: 'authorization=canary',
  };
  const folder = await temporaryFolder();
  const seen = join(folder, 'environment');
  const program = `env > '${seen}'\nexec '${process.execPath}' "$@"`;
  const { url, started } = await startBeside({ adminToken, env: { ...process.env, ...secret } }, program);
  await started;
  expect(await findings(url)).toMatchObject({ findings: [] });
  const environment = (await readFile(seen, 'utf8')).split('\n');
  expect(environment.filter((line) => line.includes('canary') || line.startsWith('REWARDS_SANDBOX_'))).toEqual([
    `REWARDS_SANDBOX_ADMIN_TOKEN=${adminToken}`,
  ]);
});

it('waiting for the start of a proxy that cannot listen ends when its process does', async () => {
  const { started } = await startBeside({}, 'exit 3');
  await started;
});

const soon = { timeout: 25_000, interval: 100 };

it('OP-88: a killed proxy restarts with a warning, and keeps its findings', {
  timeout: 60_000,
}, async () => {
  const { url, warnings, pids, stop } = await startBeside({ adminToken });
  await expect.poll(() => findings(url), soon).toMatchObject({ findings: [] });
  // The proxy hands over the first finding immediately.
  await fetch(`${url}/rewards/v1/partner/rewards`, { headers: { authorization: 't' } });
  const expectedFindings = [{ code: 'reply.status.undocumented', times: 1 }];
  const expected = { exchanges: { checked: 1, outside: 0, unreadable: 0 }, findings: expectedFindings };
  await expect.poll(() => findings(url), soon).toMatchObject(expected);
  const [first] = await pids();
  process.kill(first as number, 'SIGKILL');
  await expect.poll(() => pids().then(({ length }) => length), soon).toBe(2);
  await expect.poll(() => findings(url), soon).toMatchObject(expected);
  expect(warnings).toEqual(['The validation proxy stopped (SIGKILL). Restarting it in 0.2 s. Its findings are kept.']);
  await fetch(`${url}/rewards/v1/partner/rewards`, { headers: { authorization: 't' } });
  await expect.poll(() => findings(url), soon).toMatchObject({ findings: [{ times: 2 }] });
  expect(await findings(url, 'another-token-than-that')).toBeUndefined();
  await stop();
  const [, second] = await pids();
  expect(isRunning(second)).toBe(false);
  expect(warnings).toHaveLength(1);
});

it('the pause before the next restart grows', async () => {
  const { warnings, pids, stop } = await startBeside({}, 'exit 1');
  await expect.poll(() => warnings.length, soon).toBe(4);
  expect(warnings).toEqual(
    ['0.2', '0.4', '0.8', '1.6'].map(
      (pause) => `The validation proxy stopped (code 1). Restarting it in ${pause} s. Its findings are kept.`,
    ),
  );
  await stop();
  expect(await pids()).toHaveLength(4);
});

it.each([2, 3])('a proxy that exits with %d, because it cannot start, is not restarted', async (code) => {
  const { warnings, pids } = await startBeside({}, `exit ${code}`);
  await expect.poll(() => pids().then(({ length }) => length), soon).toBe(1);
  const [pid] = await pids();
  await expect.poll(() => isRunning(pid), soon).toBe(false);
  expect([warnings, await pids()]).toEqual([[], [expect.any(Number)]]);
});

it('a missing program is named in the warning', async () => {
  const { warnings, stop } = await startBeside({ execPath: '/nowhere/node' });
  await expect.poll(() => warnings.length, soon).toBeGreaterThan(0);
  expect(warnings[0]).toMatch(
    /^The validation proxy stopped \(spawn \/nowhere\/node ENOENT\)\. Restarting it in 0\.2 s/,
  );
  await stop();
});

it('the admin token is not among its arguments', async () => {
  const { pids } = await startBeside({ adminToken }, `printf '%s ' "$@" > "$0.args"; sleep 5`);
  await expect.poll(() => pids().then(({ length }) => length), soon).toBe(1);
  const [pid] = await pids();
  expect(await readFile(`/proc/${pid}/cmdline`, 'utf8')).not.toContain(adminToken);
  expect(await readFile(`/proc/${pid}/environ`, 'utf8')).toContain(`REWARDS_SANDBOX_ADMIN_TOKEN=${adminToken}`);
});

it('it runs from compiled code, and writes it to the cache however it ends', async () => {
  const cache = join(await temporaryFolder(), 'cache');
  const env = { ...process.env, XDG_CACHE_HOME: cache, NODE_COMPILE_CACHE: undefined };
  const { url } = await startBeside({ adminToken, env });
  await expect.poll(() => findings(url), soon).toMatchObject({ findings: [] });
  const listCache = () => readdir(join(cache, 'rewards-sandbox'), { recursive: true });
  await expect.poll(async () => (await listCache()).filter((name) => name.includes('/')), soon).not.toEqual([]);
});
