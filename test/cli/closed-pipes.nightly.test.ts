/** Tests that no command crashes or prints a stack trace when the reader of its output stops early, as `| head -1` does. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { ready, run } from '../harness/command.ts';
import { temporaryFolder } from '../harness/folders.ts';
import { closeServers, httpServer } from '../harness/http-server.ts';

it('the sandbox continues to serve, and exits normally', async () => {
  const { child, ended, urls } = await ready(['--data', await temporaryFolder()]);
  child.stdout?.destroy();
  child.stderr?.destroy();
  expect((await fetch(`${urls.sandbox}/health`)).status).toBe(200);
  child.kill('SIGTERM');
  expect((await ended).code).toBe(0);
});

it('the mock continues to serve', async () => {
  const free = await httpServer((_, response) => response.end());
  await closeServers();
  const { child, saw, ended } = run(['mock', 'rewards', '--port', free.port]);
  await saw(/listening/);
  child.stdout?.destroy();
  const call = () => fetch(`http://127.0.0.1:${free.port}/v1/partner/rewards`, { headers: { authorization: 'any' } });
  expect([(await call()).status, (await call()).status]).toEqual([200, 200]);
  child.kill('SIGTERM');
  expect((await ended).stderr).not.toMatch(/ at /);
});

it('the proxy that runs with a sandbox continues to forward', async () => {
  const upstream = await httpServer((_, response) => response.writeHead(418).end());
  const bin = fileURLToPath(new URL('../../sandbox/bin.js', import.meta.url));
  const child = spawn(process.execPath, [bin, 'proxy', '--json', '--port', '0', '--sandbox', upstream.origin]);
  const [line] = await once(child.stdout, 'data');
  const { url } = JSON.parse(line) as { url: string };
  child.stderr.destroy();
  const call = () => fetch(`${url}/rewards/v1/partner/rewards`);
  expect([(await call()).status, (await call()).status, (await call()).status]).toEqual([418, 418, 418]);
  child.kill('SIGTERM');
  expect(await once(child, 'exit')).toEqual([1, null]);
  await closeServers();
});
