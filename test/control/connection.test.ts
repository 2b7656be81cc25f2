/** Tests the connection check of the client, and the credentials that the microsite sends to it. */
import { expect, it } from 'vitest';
import { closedPort } from '../harness/http-server.ts';
import { PartnerServer } from '../harness/partner-server.ts';
import { ok, type TestSandbox, testSandbox } from '../harness/sandbox.ts';

/** Returns the results of the client checks, by name. */
async function checks({ control }: TestSandbox) {
  const { items } = ok(await control.GET('/connection', { params: { query: { uid: 'CUST0001' } } }));
  return Object.fromEntries(items.map(({ name, state, change }) => [name, change === null ? state : change]));
}

it('checks the reference client and a server of the own, and says what to change', async () => {
  const sandbox = await testSandbox();
  expect(await checks(sandbox)).toEqual({
    Connection: 'ok',
    Path: 'ok',
    'Token and customer': 'ok',
    JSON: 'ok',
    'Time to answer': 'ok',
    Clock: 'ok',
    'Wrong token': 'ok',
    'Basic credentials': 'ok',
  });
  await new PartnerServer().standIn(sandbox);
  expect(await checks(sandbox)).toMatchObject({ Connection: 'ok', Path: 'ok', 'Token and customer': 'ok' });
  const { control } = sandbox;
  ok(await control.PATCH('/workspace', { body: { settings: { client_url: await closedPort() } } }));
  expect(await checks(sandbox)).toEqual({
    Connection: 'Start the server, and check host and port. In a container, localhost is the container itself.',
  });
});

it('OP-60: the check reaches no address that the sandbox may not call', async () => {
  const sandbox = await testSandbox({ resolve: async () => [{ address: '10.0.0.1', family: 4 }] });
  ok(await sandbox.control.PATCH('/workspace', { body: { settings: { client_url: 'https://client.example' } } }));
  const { items } = ok(await sandbox.control.GET('/connection', { params: { query: { uid: 'CUST0001' } } }));
  expect(items).toMatchObject([{ name: 'Connection', state: 'wrong' }]);
});

/** Requests a code with these credentials, as the microsite does, and returns the status. */
async function askedBy({ urls }: TestSandbox, pair: string): Promise<number> {
  const headers = { authorization: `Basic ${btoa(pair)}`, 'content-type': 'application/json' };
  const body = '{"customer_id":"CUST0001"}';
  const { status } = await fetch(`${urls.client}/api/v1/auth/generate-otp`, { method: 'POST', headers, body });
  return status;
}

it('client_basic sets the credentials that the microsite sends; null restores those of the workspace', async () => {
  const sandbox = await testSandbox();
  const { control, credentials } = sandbox;
  const own = `${credentials.basic.username}:${credentials.basic.password}`;
  const set = async (client_basic: string | null) =>
    ok(await control.PATCH('/workspace', { body: { settings: { client_basic } } })).credentials.basic;
  expect(await set('partner:with:colons')).toEqual({ username: 'partner', password: 'with:colons' });
  expect([await askedBy(sandbox, 'partner:with:colons'), await askedBy(sandbox, own)]).toEqual([200, 401]);
  expect(await set(null)).toEqual(credentials.basic);
  expect(await askedBy(sandbox, own)).toBe(200);
  const refused = await control.PATCH('/workspace', { body: { settings: { client_basic: 'no colon' } } });
  expect(refused.response.status).toBe(400);
});

it('clientBasic gives them at the start; a reset restores them', async () => {
  const sandbox = await testSandbox({ clientBasic: 'partner:secret' });
  expect(sandbox.workspace.credentials.basic).toEqual({ username: 'partner', password: 'secret' });
  ok(await sandbox.control.PATCH('/workspace', { body: { settings: { client_basic: null } } }));
  expect(ok(await sandbox.control.POST('/reset')).credentials.basic).toEqual({
    username: 'partner',
    password: 'secret',
  });
  await expect(testSandbox({ clientBasic: 'secret' })).rejects.toThrow(
    '--client-basic must be user:password, in visible characters.',
  );
});
