/** Tests command-line options that select a partner's client server. */
import { expect, it } from 'vitest';
import { inProcess, readyInProcess } from '../harness/command.ts';
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

const refusedAddress = 'must be a public address or one allowed with --allow-address.\n';

it.each([
  [['--client-url', 'https://10.0.0.1/'], `The client address https://10.0.0.1/ ${refusedAddress}`],
  [['--client-url', 'https://0xa9fea9fe/'], `The client address https://0xa9fea9fe/ ${refusedAddress}`],
  [
    ['--client-url', 'http://partner.example/'],
    'The client address http://partner.example/ must be an https URL, or http on loopback or in a private range allowed with --allow-address.\n',
  ],
  [
    ['--client-url', 'https://user:canary@partner.example/'],
    'The client address https://***@partner.example/ must be an https URL, or http on loopback or in a private range allowed with --allow-address.\n',
  ],
  [['--client-url', 'nonsense'], 'The client address nonsense must be a URL such as https://example.com/path.\n'],
  [['--allow-address', '10.0.0.0'], '10.0.0.0 is not an address range such as 10.0.0.0/8.\n'],
  [['--allow-address', '10.0.0.0/8', '--allow-address', 'x'], 'x is not an address range such as 10.0.0.0/8.\n'],
  [['--client-token', 'x'.repeat(4097)], 'The client token must have at most 4,096 characters.\n'],
])('2: %j is refused with one line', async (args, line) => {
  const { code, stdout, stderr } = await inProcess(['--port', '0', '--data', await temporaryFolder(), ...args]).ended;
  expect({ code, stdout, stderr }).toEqual({ code: 2, stdout: '', stderr: line });
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
