/** Tests access to a sandbox from another machine on the network, which loopback cannot simulate (OP-65, OP-77, OP-87). */
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { parse } from 'yaml';
import { temporaryFolder } from '../harness/folders.ts';
import { root } from '../harness/sources.ts';
import { addresses, network } from './network.ts';

const examples = join(root, 'examples');

const admin = 'at_sandbox_of_the_network_test';
const json = { 'content-type': 'application/json' };
const authorized = { ...json, authorization: `Bearer ${admin}` };

async function shared(...flags: string[]) {
  const data = await mkdtemp(join(tmpdir(), 'rewards-sandbox-'));
  // Registered first, so that it runs last, after all writes.
  onTestFinished(() => rm(data, { recursive: true, force: true }));
  const hosts = network();
  const baseFlags = ['--data', data, '--host', '0.0.0.0', '--port', '4010', '--insecure-http', '--admin-token', admin];
  const { proxy } = await hosts.serve([...baseFlags, ...flags]);
  expect(proxy).toMatch(/:4011$/);
  const at = (host: string, port = 4010) => `http://${host}:${port}`;
  return { ...hosts, direct: at(addresses.server), proxied: at(addresses.server, 4011), inside: at('127.0.0.1') };
}

/** Returns the demo workspace as its admin sees it. */
function workspaceOf(ask: Awaited<ReturnType<typeof shared>>['ask'], inside: string) {
  return JSON.parse(ask('server', { url: `${inside}/sandbox/v1/workspace`, headers: authorized }).body);
}

it('OP-65: a stranger cannot use the control API, directly or through the validation proxy', async () => {
  const { ask, direct, proxied, inside } = await shared();
  const disguises = [
    {},
    { host: 'localhost:4010' },
    { host: '127.0.0.1:4010' },
    { 'x-forwarded-for': '127.0.0.1' },
    { 'x-forwarded-for': '127.0.0.1', host: 'localhost:4011' },
    { connection: 'x-forwarded-for, via, host' },
  ];
  for (const origin of [direct, proxied]) {
    for (const headers of disguises) {
      const read = ask('stranger', { url: `${origin}/sandbox/v1/workspace`, headers });
      const reset = ask('stranger', { url: `${origin}/sandbox/v1/reset`, method: 'POST', headers });
      const label = `${origin} ${JSON.stringify(headers)}`;
      expect([read.status, reset.status], label).toEqual([401, 401]);
      expect(read.body, label).not.toContain(admin);
    }
    expect(ask('stranger', { url: `${origin}/sandbox/v1/workspace`, headers: authorized }).status).toBe(200);
    // If a token is set, this machine needs it too.
    expect(ask('server', { url: `${inside}/sandbox/v1/workspace` }).status).toBe(401);
  }
});

it("the proxy's own replies follow the same rule", async () => {
  const { ask, proxied } = await shared();
  const url = `${proxied}/__proxy/findings`;
  expect(ask('stranger', { url }).status).toBe(401);
  expect(ask('server', { url }).status).toBe(401);
  expect(ask('stranger', { url, headers: authorized }).status).toBe(200);
});

it('OP-87: the allowlist sees the caller behind the proxy, not the proxy', async () => {
  const { ask, direct, proxied, inside } = await shared();
  const url = '/rewards/v1/partner/rewards';
  const allow = (...allowlist: string[]) => {
    const body = JSON.stringify({ settings: { allowlist } });
    const call = { url: `${inside}/sandbox/v1/workspace`, method: 'PATCH', headers: authorized, body };
    expect(ask('server', call).status).toBe(200);
  };
  const { company_secret: secret } = workspaceOf(ask, inside).credentials;
  const signIn = { url: `${inside}/rewards/v1/company/auth`, method: 'POST', headers: json };
  const { token: authorization } = JSON.parse(ask('server', { ...signIn, body: JSON.stringify({ secret }) }).body);
  const headers = { authorization };
  allow('127.0.0.0/8');
  expect(ask('stranger', { url: `${direct}${url}`, headers }).status).toBe(403);
  expect(ask('stranger', { url: `${proxied}${url}`, headers }).status).toBe(403);
  const disguised = { ...headers, 'x-forwarded-for': '127.0.0.1' };
  expect(ask('stranger', { url: `${proxied}${url}`, headers: disguised }).status).toBe(403);
  expect(ask('server', { url: `${inside}${url}`, headers }).status).toBe(200);
  allow('127.0.0.0/8', `${addresses.stranger}/32`);
  expect(ask('stranger', { url: `${proxied}${url}`, headers }).status).toBe(200);
});

it('OP-60, OP-78: beyond loopback, neither this machine nor any address of the sandbox is an allowed target', async () => {
  const { ask, direct, inside } = await shared('--allow-address', '10.99.0.0/24');
  const set = (client_url: string) => {
    const body = JSON.stringify({ settings: { client_url } });
    return ask('server', { url: `${inside}/sandbox/v1/workspace`, method: 'PATCH', headers: authorized, body }).status;
  };
  expect(set('http://127.0.0.1:8080/client')).toBe(400);
  expect(set(`https://${addresses.server}:4010/sandbox/v1`)).toBe(400);
  expect(set(`https://${addresses.server}:4011/sandbox/v1`)).toBe(400);
  expect(set(`https://${addresses.stranger}:4010/client`)).toBe(200);
  expect(direct).toContain(addresses.server);
});

it('OP-77: over plain HTTP a browser sends no Sec-Fetch-Site, and the pages still work by the origin or inside a session', async () => {
  const { ask, direct, inside } = await shared();
  const microsite = new URL(workspaceOf(ask, inside).urls.microsite).pathname;
  const form = { 'content-type': 'application/x-www-form-urlencoded' };
  const post = (headers: Record<string, string>) =>
    ask('stranger', {
      url: `${direct}${microsite}/codes`,
      method: 'POST',
      headers: { ...form, ...headers },
      body: 'customer_id=CUST0001',
    }).status;
  expect(post({ origin: direct })).toBe(303);
  expect(post({ origin: 'null' })).toBe(400);
  expect(post({ origin: 'http://elsewhere.example' })).toBe(400);
});

it('OP-60: with the compose file, the platform calls a client server on another host by its name, over plain HTTP', async () => {
  const data = await temporaryFolder();
  const { services, networks } = parse(await readFile(join(examples, 'container/compose.own-server.yaml'), 'utf8'));
  const hosts = network();
  hosts.nameStranger('app');
  await hosts.program(
    `import { clientServer } from ${JSON.stringify(join(examples, 'node/server.js'))};
     clientServer(process.env).listen(8080, '0.0.0.0', () => console.log('ready'));`,
    { SERVICE_TOKEN: 'token-of-the-server', BASIC_USER: 'microsite', BASIC_PASSWORD: 'password' },
  );
  const subnet = networks['own-server'].ipam.config[0].subnet;
  const env = services.sandbox.environment;
  expect(env.REWARDS_SANDBOX_ALLOW_ADDRESS).toBe(subnet);
  const flags = ['--data', data, '--host', '0.0.0.0', '--insecure-http', '--port', '4010', '--no-proxy'];
  // The test network uses another subnet than the compose file, so the test sets these variables itself.
  await hosts.serve(flags, {
    ...env,
    REWARDS_SANDBOX_ALLOW_ADDRESS: '10.99.0.0/24',
    REWARDS_SANDBOX_ADMIN_TOKEN: admin,
    REWARDS_SANDBOX_CLIENT_TOKEN: 'token-of-the-server',
  });
  const call = (path: string, authorization: string, body?: object) => {
    const method = body === undefined ? 'GET' : 'POST';
    const sent = { ...(body && { body: JSON.stringify(body) }), headers: { ...json, authorization } };
    return JSON.parse(hosts.ask('server', { url: `http://127.0.0.1:4010${path}`, method, ...sent }).body);
  };
  const { credentials } = call('/sandbox/v1/workspace', `Bearer ${admin}`);
  const { token } = call('/rewards/v1/company/auth', '', { secret: credentials.company_secret });
  const line_items = [{ sku: 'EGV-SPICE-500', quantity: 1 }];
  const order = call('/rewards/v1/partner/redeemptiononskus', token, { uid: 'CUST0001', line_items });
  expect(order).toMatchObject({ status: 'Pending' });
  const { items } = call('/sandbox/v1/activity', `Bearer ${admin}`) as { items: { kind: string; url: string }[] };
  expect(items.filter(({ kind }) => kind === 'call_out')).toMatchObject([
    { url: 'http://app:8080/getProfileAndPoints?uid=CUST0001', status: 200, notices: [] },
    { url: 'http://app:8080/saveRedeemDetails', status: 200, notices: [] },
  ]);
});
