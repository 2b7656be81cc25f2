/** Tests command-line options that select a partner's client server. */
import { expect, it } from 'vitest';
import { readyInProcess } from '../harness/command.ts';
import { temporaryFolder } from '../harness/folders.ts';

type Ready = Awaited<ReturnType<typeof readyInProcess>>;

async function settingsOf({ urls }: Ready): Promise<unknown> {
  const workspace = (await (await fetch(`${urls.sandbox}/workspace`)).json()) as { settings: object };
  return workspace.settings;
}

/** Stops a sandbox with the same signal as Ctrl+C. */
async function stop(sandbox: Ready): Promise<void> {
  sandbox.stop();
  await sandbox.ended;
}

it('--client-url and --client-token are stored with the data, override it, and a reset restores them', async () => {
  const data = await temporaryFolder();
  const first = await readyInProcess(['--data', data, '--client-url', 'http://localhost:1', '--client-token', 'one']);
  expect(await settingsOf(first)).toMatchObject({ client_url: 'http://localhost:1', client_token: 'one' });
  await stop(first);
  const second = await readyInProcess(['--data', data]);
  expect(await settingsOf(second)).toMatchObject({ client_url: 'http://localhost:1', client_token: 'one' });
  await stop(second);
  const env = { REWARDS_SANDBOX_CLIENT_URL: 'https://partner.example/points', REWARDS_SANDBOX_CLIENT_TOKEN: 'two' };
  const third = await readyInProcess(['--data', data], env);
  const settings = { client_url: 'https://partner.example/points', client_token: 'two' };
  expect(await settingsOf(third)).toMatchObject(settings);
  expect((await fetch(`${third.urls.sandbox}/reset`, { method: 'POST' })).status).toBe(200);
  expect(await settingsOf(third)).toMatchObject(settings);
});

it('--allow-address adds to loopback, and can be repeated', async () => {
  const ranges = ['--allow-address', '10.0.0.0/8', '--allow-address', 'fd00::/8'];
  const sandbox = await readyInProcess(['--data', await temporaryFolder(), ...ranges]);
  const statuses: number[] = [];
  for (const client_url of [
    'https://10.1.2.3/',
    'https://[fd00::1]/',
    'http://127.0.0.1:8080/',
    'https://192.168.1.1/',
  ]) {
    const headers = { 'content-type': 'application/json' };
    const body = JSON.stringify({ settings: { client_url } });
    statuses.push((await fetch(`${sandbox.urls.sandbox}/workspace`, { method: 'PATCH', headers, body })).status);
  }
  expect(statuses).toEqual([200, 200, 200, 400]);
});
