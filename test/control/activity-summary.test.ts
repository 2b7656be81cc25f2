/** Tests the control API's call statistics over the activity log (OP-255). */
import { expect, it } from 'vitest';
import { stubClient } from '../harness/client-stub.ts';
import { failing } from '../harness/faults.ts';
import { closedPort } from '../harness/http-server.ts';
import { advance, order } from '../harness/orders.ts';
import { PartnerServer } from '../harness/partner-server.ts';
import { type Clients, ok, raw, testSandbox } from '../harness/sandbox.ts';
import { look } from '../harness/visitor.ts';
import { workspaceOf } from '../harness/workspaces.ts';

const summaryOf = async ({ control }: Clients) => ok(await control.GET('/activity/summary'));
const connect = async ({ control }: Clients, client_url: string | null) =>
  ok(await control.PATCH('/workspace', { body: { settings: { client_url } } }));

it('OP-255: an empty log counts nothing, and the reference client has no health', async () => {
  expect(await summaryOf(await testSandbox())).toEqual({
    from: 1,
    to: 0,
    calls: 0,
    failed: 0,
    minutes: [],
    operations: [],
    validated: { calls: 0, violating: 0 },
    client: null,
  });
});

it('OP-255: API calls of others are counted by minute and operation; page loads are not, and both ends of a call are one', async () => {
  const sandbox = await testSandbox();
  const rewards = sandbox.rewards(await sandbox.companyToken());
  for (const limit of [10, 20, 5000]) await rewards.GET('/v1/partner/rewards', { params: { query: { limit } } });
  for (const page of [sandbox.urls.microsite, sandbox.urls.dashboard, `${sandbox.origin}/robots.txt`]) await look(page);
  await advance(sandbox, 60);
  await rewards.POST('/v1/partner/redeemptiononskus', {
    body: { uid: 'CUST0001', line_items: [{ sku: 'EGV-SPICE-500', quantity: 1 }] },
  });
  const summary = await summaryOf(sandbox);
  const log = ok(await sandbox.control.GET('/activity', { params: { query: { limit: 10_000 } } })).items;
  expect(log.filter(({ kind }) => kind === 'call_out')).toHaveLength(2);
  expect(summary).toMatchObject({ from: 1, to: log.at(-1)?.seq, calls: 5, failed: 1, client: null });
  expect(summary.minutes.map(({ calls, failed }) => [calls, failed])).toEqual([
    [3, 1],
    [2, 0],
  ]);
  expect(summary.operations).toEqual([
    { operation: 'listRewards', calls: 3, failed: 1, p50: 0, p95: 0 },
    { operation: 'advanceClock', calls: 1, failed: 0, p50: null, p95: null },
    { operation: 'createRedemptionOrder', calls: 1, failed: 0, p50: 0, p95: 0 },
  ]);
  // The two calls to the client are validated too. The request for 5,000 items is the one violation.
  expect(summary.validated).toMatchObject({ calls: 7, violating: 1 });
});

it('OP-255: each workspace counts its own calls, also at its own address', async () => {
  const sandbox = await testSandbox();
  const other = await workspaceOf(sandbox);
  const body = JSON.stringify({ secret: other.credentials.company_secret });
  const headers = { 'content-type': 'application/json' };
  expect((await raw(`${other.urls.rewards}/v1/company/auth`, { method: 'POST', headers, body })).status).toBe(200);
  expect(await summaryOf(other)).toMatchObject({ calls: 1, operations: [{ operation: 'companyAuth' }] });
});

it('OP-255: an own server has not been called, answers, refuses, or is silent, since the first call with that result', async () => {
  const sandbox = await testSandbox();
  await new PartnerServer().standIn(sandbox);
  const health = (state: string, since: unknown, answered = false, reason: unknown = null) => ({
    state,
    since,
    answered,
    reason,
  });
  const none = health('not_called', null);
  expect((await summaryOf(sandbox)).client).toEqual(none);
  ok(await order(sandbox));
  const answering = health('answers', expect.any(String), true);
  expect((await summaryOf(sandbox)).client).toEqual(answering);
  // A fault that this sandbox injects is no evidence against the server.
  const id = await failing(sandbox, { target: 'getProfileAndPoints', fault: 'status', status: 503 });
  await order(sandbox);
  expect((await summaryOf(sandbox)).client).toEqual(answering);
  await sandbox.control.DELETE('/faults/{id}', { params: { path: { id } } });

  const data = { name: 'Unprocessable entity', message: 'Token Invalid', code: 0, status: 422, type: 'X' };
  await stubClient(sandbox, () => ({ status: 422, body: { success: false, status: 422, data } }));
  await order(sandbox);
  const refusing = health('refuses', expect.any(String), false, '422 Token Invalid');
  expect((await summaryOf(sandbox)).client).toEqual(refusing);

  // A new address counts as a new server. Of two calls without a response, the first determines `since`.
  await connect(sandbox, await closedPort());
  expect((await summaryOf(sandbox)).client).toEqual(none);
  const { now } = ok(await sandbox.control.GET('/clock'));
  await order(sandbox);
  await advance(sandbox, 10);
  await order(sandbox);
  const silent = health('silent', now, false, expect.stringContaining('ECONNREFUSED'));
  expect((await summaryOf(sandbox)).client).toEqual(silent);
  await connect(sandbox, null);
  expect((await summaryOf(sandbox)).client).toBe(null);
});
