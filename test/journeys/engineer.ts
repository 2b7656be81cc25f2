/** Sends the control API the requests that the dashboard's screens make for an engineer (OP-66, OP-68, OP-69, OP-75, OP-76). */
import { generateKeyPairSync } from 'node:crypto';
import { expect, it } from 'vitest';
import { issueCertificate, privateKey } from '../../sandbox/certification/certificate.ts';
import { proxiedSandbox } from '../harness/proxied.ts';
import { reported } from '../harness/reported.ts';
import { clientsOf, ok } from '../harness/sandbox.ts';
import { look } from '../harness/visitor.ts';

it('opens the screens, lists operations, magic values and vendor outcomes, and reads a finding', async () => {
  const sandbox = await proxiedSandbox();
  const { control, urls } = sandbox;
  const dashboard = `${new URL(urls.sandbox).origin}/dashboard`;
  for (const path of ['/', '/traffic?q=CUST0007', '/redemptions/RDM-000001-9K2QX4']) {
    const page = await look(`${dashboard}${path}`);
    expect([page.status, page.text.includes('<title>')]).toEqual([200, true]);
  }

  // Read the operations of the parties, the magic values and the vendor outcomes.
  const { items: operations } = ok(await control.GET('/operations'));
  expect(operations.find(({ operation }) => operation === 'creditPoints')).toMatchObject({ hosted_by: 'client' });
  const magic = ok(await control.GET('/magic-values')).items.map(({ name }) => name);
  const decided = ok(await control.GET('/vendor-outcomes')).items.map(({ sku_code }) => sku_code);
  expect(decided.filter((sku) => !magic.includes(sku))).toEqual([]);

  // An excessive limit is the caller's mistake. The check of the log reports it too.
  const company = sandbox.rewards(await sandbox.companyToken());
  const refused = await company.GET('/v1/partner/rewards', { params: { query: { limit: 5000 } } });
  expect(refused.response.status).toBe(400);
  const { items } = ok(await control.GET('/findings', { params: { query: { wait: 60 } } }));
  const found = { operation: 'listRewards', party: 'caller', pointer: '/query/limit' };
  expect(items).toMatchObject([found]);
  expect(ok(await control.GET('/activity/summary'))).toMatchObject({ failed: 1, validated: { violating: 1 } });
  // Read the open points that the calls so far rely on.
  const query = { relied_on: 'yes', blocks: 'yes' } as const;
  const open = ok(await control.GET('/open-points', { params: { query } })).items.map(({ id }) => id);
  expect(open).toContain('OP-13');
  // The platform agrees to one of these points.
  const answers = { 'OP-13': { answer: 'agreed', by: 'Jane Doe', date: '2026-11-28' } } as const;
  ok(await control.PUT('/open-points/answers', { body: { answers } }));
  expect(ok(await control.GET('/open-points/answers'))).toEqual({ answers });
  // No item of the go-live checklist is proven yet.
  expect(ok(await control.GET('/checklist'))).toMatchObject({ ready: false, shown: 0 });
  // The proxy and the log each have one finding.
  await sandbox.close();
  expect(sandbox.proxy.findings.splice(0)).toMatchObject([found, found]);
});

it('sends a customer message through the gateway, waits for the code of a sign-in, and sees it live (OP-164, OP-167)', async () => {
  const sandbox = await proxiedSandbox();
  const { control, urls } = sandbox;
  const watching = new AbortController();
  const headers = { authorization: `Bearer ${sandbox.workspace.admin_token}` };
  const live = await fetch(`${urls.sandbox}/activity/stream`, { headers, signal: watching.signal });
  const sent = { channel: 'sms', to: '+919876543210', reference_id: 'SIGN-IN-7' } as const;
  const query = { reference_id: sent.reference_id, wait: 60 };
  const waiting = control.GET('/messages', { params: { query } });
  const text = 'Your OTP is 493027, valid till 14:35. Do not share it with anyone.';
  expect(ok(await sandbox.gateway().POST('/v1/messages', { body: { ...sent, text } }))).toEqual({ seq: 1 });
  expect(ok(await waiting).items).toMatchObject([{ seq: 1, source: 'gateway', uid: null, kind: 'otp', otp: '493027' }]);
  const reader = live.body?.pipeThrough(new TextDecoderStream()).getReader();
  let seen = '';
  while (!seen.includes('sendMessage')) seen += (await reader?.read())?.value ?? 'the stream ended: sendMessage';
  watching.abort();
  expect(seen).not.toMatch(/the stream ended|493027/);
});

it('listens for the calls to a server of its own, and replies to them (OP-247)', async () => {
  const sandbox = await proxiedSandbox();
  const { control, urls } = sandbox;
  const leaving = new AbortController();
  const line = await fetch(`${urls.sandbox}/listener`, {
    method: 'POST',
    headers: { authorization: `Bearer ${sandbox.workspace.admin_token}`, 'content-type': 'application/json' },
    body: '{"forward_to":"http://localhost:8080"}',
    signal: leaving.signal,
  });
  const reader = line.body?.pipeThrough(new TextDecoderStream()).getReader();
  let seen = '';
  const next = async (event: string) => {
    const pattern = new RegExp(`^event: ${event}\ndata: (.*)\n\n`, 'm');
    while (!pattern.test(seen)) seen += (await reader?.read())?.value ?? `event: ${event}\ndata: null\n\n`;
    return JSON.parse(pattern.exec(seen)?.[1] ?? '');
  };
  const path = { listener: (await next('open')).listener };
  const company = sandbox.rewards(await sandbox.companyToken());
  const line_items = [{ sku: 'EGV-SPICE-500', quantity: 1 }];
  const ordering = company.POST('/v1/partner/redeemptiononskus', { body: { uid: 'CUST0001', line_items } });
  const { id } = await next('call');
  const data = { name: 'Unprocessable entity', message: 'Token Invalid', code: 0, status: 422 };
  const failure = { ...data, type: 'UnprocessableEntityHttpException' };
  const body = btoa(JSON.stringify({ success: false, status: 422, data: failure }));
  const reply = { id, status: 422, headers: { 'content-type': ['application/json'] }, body };
  expect((await control.POST('/listener/{listener}/replies', { params: { path }, body: reply })).response.status).toBe(
    204,
  );
  expect((await ordering).response.status).toBe(422);
  expect(await next('entry')).toMatchObject({ via: 'listener', operation: 'getProfileAndPoints', status: 422 });
  leaving.abort();
});

it('certifies a client server, follows the run, reads its report, and deletes it (OP-204)', async () => {
  const sandbox = await proxiedSandbox();
  const { control } = sandbox;
  const { id } = ok(await control.POST('/certifications', { body: { customers: ['CUST0001'], only: ['CRD-01'] } }));
  const params = { path: { id } };
  const read = async () => ok(await control.GET('/certifications/{id}', { params }));
  await expect.poll(async () => (await read()).state, { timeout: 100_000, interval: 500 }).toBe('ended');
  expect((await read()).report).toMatchObject({ failures: [], balances: 'restored' });
  expect(ok(await control.GET('/certifications')).items.map((run) => run.id)).toEqual([id]);
  expect((await control.DELETE('/certifications/{id}', { params })).response.status).toBe(204);
  await sandbox.close();
  expect(sandbox.proxy.findings).toEqual([]);
}, 120_000);

it('shows the board of partners, as a list and as CSV, and takes a certificate and trusted keys (OP-261, OP-262, OP-263)', async () => {
  const sandbox = await proxiedSandbox();
  const { control } = sandbox;
  const { publicKey, privateKey: secret } = generateKeyPairSync('ed25519');
  const key = await privateKey(secret.export({ type: 'pkcs8', format: 'pem' }).toString(), 'key.pem');
  const public_key = publicKey.export({ type: 'spki', format: 'pem' }).toString();
  const items = [{ name: 'Auditor', public_key }];
  expect(ok(await control.PUT('/trusted-keys', { body: { items } }))).toEqual({ items });
  expect(ok(await control.GET('/trusted-keys'))).toEqual({ items });
  const certificate = await issueCertificate(reported(), { key });
  const { id } = ok(await control.POST('/certificates', { body: { certificate } }));
  expect(ok(await control.GET('/certificates')).items.map((each) => each.id)).toEqual([id]);
  const board = ok(await control.GET('/partners')).items;
  expect(board).toMatchObject([{ workspace: { id: 'demo' }, certification: { id, key_name: 'Auditor' } }]);
  expect(ok(await control.GET('/partners.csv', { parseAs: 'text' }))).toContain('\r\ndemo,');
  const forged = await control.POST('/certificates', { body: { certificate: `${certificate}A` } });
  expect(forged.response.status).toBe(400);
  const made = ok(await control.POST('/workspaces', { body: {} }));
  const { control: partner } = clientsOf({ ...made, urls: sandbox.urls }, made.admin_token);
  expect((await partner.GET('/trusted-keys')).response.status).toBe(404);
  expect((await partner.PUT('/trusted-keys', { body: { items } })).response.status).toBe(404);
  await sandbox.close();
  expect(sandbox.proxy.findings).toEqual([]);
});

it('lets an agent read the clock over MCP, without a session (OP-221)', async () => {
  const sandbox = await proxiedSandbox();
  const { control } = sandbox;
  const called = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'getClock' } } as const;
  const reply = ok(await control.POST('/mcp', { body: called }));
  expect(reply?.result).toMatchObject({
    isError: false,
    content: [{ text: JSON.stringify(ok(await control.GET('/clock'))) }],
  });
  const notified = { jsonrpc: '2.0', method: 'notifications/initialized' } as const;
  expect((await control.POST('/mcp', { body: notified })).response.status).toBe(202);
  await sandbox.close();
  expect(sandbox.proxy.findings).toEqual([]);
});
