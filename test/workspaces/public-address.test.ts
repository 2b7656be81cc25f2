/** Tests a sandbox whose public address differs from its local address (OP-228). */
import { expect, it } from 'vitest';
import { inProcess } from '../harness/command.ts';
import { temporaryFolder } from '../harness/folders.ts';
import { clientsOf, ok, signIn, testSandbox } from '../harness/sandbox.ts';
import { exchange } from '../harness/socket.ts';

const publicOrigin = 'https://sandbox.example:8443';

/** Requests a path with a Host header. */
const getWithHost = (name: string, path: string, origin: string) =>
  exchange(origin, [`GET ${path} HTTP/1.1`, `Host: ${name}`, 'Connection: close', '', '']);

/** Starts a sandbox with a public address. Returns clients that use its local address. */
async function withPublicUrl(publicUrl: string) {
  const { origin, workspace, warnings } = await testSandbox({ publicUrl });
  expect(warnings.splice(0)).toEqual([expect.stringContaining('The secrets of the demo workspace are private')]);
  const urls = JSON.parse(JSON.stringify(workspace.urls).replaceAll(publicOrigin, origin)) as typeof workspace.urls;
  return { clients: clientsOf({ ...workspace, urls }, workspace.admin_token), origin };
}

it('OP-228: workspaces show the public address, and calls may use its host name', async () => {
  const { clients: sandbox, origin } = await withPublicUrl(`${publicOrigin}/`);
  const { id, urls, settings } = ok(await sandbox.control.GET('/workspace'));
  const keyed = (api: string) => expect.stringMatching(new RegExp(`^${publicOrigin}/w/[0-9a-f]{32}/${api}$`));
  expect({ id, urls, client: settings.client_url }).toEqual({
    id: 'demo',
    urls: {
      rewards: keyed('rewards'),
      client: keyed('client'),
      portal: keyed('portal'),
      microsite: keyed('microsite'),
      dashboard: `${publicOrigin}/dashboard`,
      general: keyed('general'),
      sandbox: `${publicOrigin}/sandbox/v1`,
      gateway: `${publicOrigin}/gateway`,
    },
    client: urls.client,
  });
  const made = ok(await sandbox.control.POST('/workspaces', { body: {} }));
  const own = expect.stringMatching(/^https:\/\/sandbox\.example:8443\/w\/[0-9a-f]{32}\/rewards$/);
  expect([made.urls.rewards, made.settings.client_url]).toEqual([own, made.urls.client]);
  const health = { status: 200, body: { status: 'ok' } };
  expect(await getWithHost('sandbox.example:8443', '/sandbox/v1/health', origin)).toMatchObject(health);
  expect((await getWithHost('other.example', '/sandbox/v1/health', origin)).status).toBe(400);
});

it('OP-228: settings can be written back as read, and the platform still calls the reference client', async () => {
  const { clients: sandbox } = await withPublicUrl(publicOrigin);
  const { settings } = ok(await sandbox.control.GET('/workspace'));
  const changed = ok(await sandbox.control.PATCH('/workspace', { body: { settings } }));
  expect(changed.settings).toEqual(settings);
  const { customerToken } = await signIn(sandbox, 'CUST0001');
  expect(customerToken).toMatch(/./);
});

it('OP-55, OP-65: a sandbox with a public address needs an admin token and unguessable secrets on loopback too', async () => {
  const { clients } = await withPublicUrl(publicOrigin);
  const { credentials } = ok(await clients.control.GET('/workspace'));
  const plain = await testSandbox();
  expect(credentials.company_secret).not.toBe(plain.credentials.company_secret);
  expect((await fetch(`${clients.urls.sandbox}/workspace`)).status).toBe(401);
  await expect(testSandbox({ publicUrl: publicOrigin, seed: 'short' })).rejects.toThrow(
    `Secrets are derived from --seed, and other machines can reach ${publicOrigin}`,
  );
  const settings = { client_url: 'http://127.0.0.1:9' };
  const refused = await clients.control.PATCH('/workspace', { body: { settings } });
  expect(refused.response.status).toBe(400);
});

it('the command names both addresses', async () => {
  const { saw } = inProcess(['--port', '0', '--public-url', publicOrigin, '--data', await temporaryFolder()]);
  const [, local, rewards] = await saw(/ {2}Listens on {4}(http:\/\/127\.0\.0\.1:\d+) .*\n {2}Platform API {2}(\S+)\n/);
  expect(local).not.toBe('');
  expect(rewards).toBe(`${publicOrigin}/rewards`);
});

it.each(['sandbox.example', 'ftp://sandbox.example', 'https://sandbox.example/x', 'https://a@sandbox.example'])(
  '2: %s is refused in one line',
  async (url) => {
    const flags = ['--port', '0', '--data', await temporaryFolder(), '--public-url', url];
    const { code, stdout, stderr } = await inProcess(flags).ended;
    const line = 'The public URL must consist of protocol and host, such as https://sandbox.example.\n';
    expect({ code, stdout, stderr }).toEqual({ code: 2, stdout: '', stderr: line });
  },
);
