/** In a sandbox that other machines can reach, callers without a registered credential cannot see or change any workspace (OP-63). */
import { expect, it } from 'vitest';
import { type Clients, ok, raw, testSandbox } from '../harness/sandbox.ts';
import { look, send, words } from '../harness/visitor.ts';
import { companyTokenOf, workspaceOf } from '../harness/workspaces.ts';

const reachable = { host: '0.0.0.0', warn: () => {} };
const noKey = 'the URL of this page begins with the key of a workspace; copy it from urls of GET /sandbox/v1/workspace';

/** Returns calls as the control API shows them: those in the log, and those with findings. */
async function callsIn({ control }: Clients) {
  const { items } = ok(await control.GET('/activity', { params: { query: { limit: 500 } } }));
  const findings = ok(await control.GET('/findings'));
  return { calls: items.filter(({ kind }) => kind === 'call_in'), findings: findings.items };
}

/** Makes calls without a credential, with an unknown one and with an unsigned token, each with an invalid query. */
async function callUnregistered(origin: string, kid: string): Promise<number[]> {
  const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
  const forged = `${part({ alg: 'HS256', kid })}.${part({ sub: 'CUST0001' })}.c2lnbmF0dXJl`;
  const statuses: number[] = [];
  for (const headers of [{}, { authorization: 'made-up' }, { authorization: forged }] as Record<string, string>[])
    statuses.push((await raw(`${origin}/rewards/v1/partner/rewards?limit=none`, { headers })).status);
  const body = JSON.stringify({ secret: forged });
  const json = { 'content-type': 'application/json' };
  statuses.push((await raw(`${origin}/rewards/v1/company/auth`, { method: 'POST', headers: json, body })).status);
  statuses.push((await look(`${origin}/portal/s/${'0'.repeat(16)}.${'x'.repeat(43)}/rewards`)).status);
  return statuses;
}

it("OP-63: the demo workspace's pages are below its key, and elsewhere a page says so", async () => {
  const sandbox = await testSandbox(reachable);
  const { origin, urls } = sandbox;
  const { pathname } = new URL(urls.microsite);
  expect(pathname).toMatch(/^\/w\/[0-9a-f]{32}\/microsite$/);
  expect((await look(urls.microsite)).status).toBe(200);
  const sent = await send(`${urls.microsite}/codes`, { customer_id: 'CUST0001' });
  expect([sent.status, (await look(new URL(sent.headers.get('location') ?? '', origin).href)).status]).toEqual([
    303, 200,
  ]);
  const before = await callsIn(sandbox);
  const replies = [
    await look(`${origin}/microsite`),
    await look(`${origin}/microsite/`),
    await send(`${origin}/microsite/codes`, { customer_id: 'CUST0001' }),
    await look(`${origin}/portal/signin?token=x&uid=CUST0001`),
  ];
  for (const reply of replies) {
    expect([reply.status, reply.headers.get('x-problem'), words(reply)]).toEqual([
      404,
      noKey,
      expect.stringContaining(`For developers: ${noKey}.`),
    ]);
  }
  const start = await raw(`${origin}/`);
  expect(JSON.stringify(start.body)).not.toContain('/w/');
  expect(ok(await sandbox.control.GET('/messages')).items).toHaveLength(1);
  expect(await callsIn(sandbox)).toEqual(before);
});

it('OP-63: their calls are in no log and no findings, and leave the status as it is', async () => {
  const sandbox = await testSandbox(reachable);
  const own = await workspaceOf(sandbox);
  const logs = async () => [await callsIn(sandbox), await callsIn(own)];
  const before = await logs();
  for (const kid of ['demo', own.details.id, 'ws_0123456789abcdef'])
    expect(await callUnregistered(sandbox.origin, kid)).toEqual([401, 401, 401, 401, 410]);
  expect(await logs()).toEqual(before);
});

it('OP-63: a registered credential leads to its workspace with and without the key', async () => {
  const sandbox = await testSandbox(reachable);
  const token = await companyTokenOf(sandbox);
  for (const url of [`${sandbox.origin}/rewards`, sandbox.urls.rewards]) {
    const headers = { authorization: token };
    expect((await raw(`${url}/v1/partner/rewards?limit=1`, { headers })).status).toBe(200);
  }
  expect(await raw(`${sandbox.origin}/sandbox/v1/health`)).toMatchObject({ status: 200, body: { status: 'ok' } });
});

it('OP-63: on loopback the demo workspace logs them, and lists what is wrong with them', async () => {
  const sandbox = await testSandbox();
  const own = await workspaceOf(sandbox);
  const before = await callsIn(own);
  expect(await callUnregistered(sandbox.origin, own.details.id)).toEqual([401, 401, 401, 401, 410]);
  const { calls, findings } = await callsIn(sandbox);
  expect([calls.slice(-5).map((call) => 'status' in call && call.status), findings.length]).toEqual([
    [401, 401, 401, 401, 410],
    expect.any(Number),
  ]);
  expect(findings.length).toBeGreaterThan(0);
  expect(await callsIn(own)).toEqual(before);
});
