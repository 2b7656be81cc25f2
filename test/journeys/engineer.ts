/**
 * An engineer opens the dashboard, and asks the control API what its screens ask (OP-66, OP-68, OP-69, OP-75, OP-76).
 */
import { expect, it } from 'vitest';
import { proxiedSandbox } from '../harness/proxied.ts';
import { ok } from '../harness/sandbox.ts';
import { look } from '../harness/visitor.ts';

it('opens the screens, learns what there is to call and to try, and what was not as the contracts say', async () => {
  const sandbox = await proxiedSandbox();
  const { control, urls } = sandbox;
  const dashboard = `${new URL(urls.sandbox).origin}/dashboard`;
  for (const path of ['/', '/traffic?q=CUST0007', '/redemptions/RDM-000001-9K2QX4']) {
    const page = await look(`${dashboard}${path}`);
    expect([page.status, page.text.includes('<title>')]).toEqual([200, true]);
  }

  // What the parties host, what makes them fail, and what the vendors will do.
  const { items: operations } = ok(await control.GET('/operations'));
  expect(operations.find(({ operation }) => operation === 'creditPoints')).toMatchObject({ hosted_by: 'client' });
  const magic = ok(await control.GET('/magic-values')).items.map(({ name }) => name);
  const decided = ok(await control.GET('/vendor-outcomes')).items.map(({ sku_code }) => sku_code);
  expect(decided.filter((sku) => !magic.includes(sku))).toEqual([]);

  // A page that asks for too much is the caller's fault, and the log's check says so too.
  const company = sandbox.rewards(await sandbox.companyToken());
  const refused = await company.GET('/v1/partner/rewards', { params: { query: { limit: 5000 } } });
  expect(refused.response.status).toBe(400);
  const { items } = ok(await control.GET('/findings', { params: { query: { wait: 60 } } }));
  const found = { operation: 'listRewards', party: 'caller', pointer: '/query/limit' };
  expect(items).toMatchObject([found]);
  // Once as it passed the proxy, and once from the log.
  await sandbox.close();
  expect(sandbox.proxy.findings.splice(0)).toMatchObject([found, found]);
});

it('sends what the own server tells its customers through the gateway, waits for the code of a sign-in, and sees it live (OP-164, OP-167)', async () => {
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

it('has a client server certified, follows the run, reads its report, and deletes it (OP-204)', async () => {
  const sandbox = await proxiedSandbox();
  const { control } = sandbox;
  const { id } = ok(await control.POST('/certifications', { body: { customers: ['CUST0001'], only: ['CRD-01'] } }));
  const params = { path: { id } };
  const read = async () => ok(await control.GET('/certifications/{id}', { params }));
  await expect.poll(async () => (await read()).state, { timeout: 100_000, interval: 500 }).toBe('ended');
  expect((await read()).report).toMatchObject({ failures: [], books: 'even' });
  expect(ok(await control.GET('/certifications')).items.map((run) => run.id)).toEqual([id]);
  expect((await control.DELETE('/certifications/{id}', { params })).response.status).toBe(204);
  await sandbox.close();
  expect(sandbox.proxy.findings).toEqual([]);
}, 120_000);

it('has an agent look at the clock over MCP, which needs no session (OP-221)', async () => {
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
