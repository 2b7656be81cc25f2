/** Tests the findings that the control API reports when it validates the activity log against the contracts (OP-66). */
import { expect, it } from 'vitest';
import { stubClient } from '../harness/client-stub.ts';
import { temporaryFolder } from '../harness/folders.ts';
import { advance, kettle, order, vendorWill, voucher } from '../harness/orders.ts';
import { type Clients, ok, raw, signIn, testSandbox } from '../harness/sandbox.ts';
import { workspaceOf } from '../harness/workspaces.ts';

type Query = {
  seq?: number;
  trace?: string;
  after?: number;
  limit?: number;
  wait?: number;
  severity?: 'error' | 'warning';
};

const read = async ({ control }: Clients, query: Query = {}) =>
  ok(await control.GET('/findings', { params: { query: { wait: 60, ...query } } }));

const entries = async ({ control }: Clients) =>
  ok(await control.GET('/activity', { params: { query: { limit: 10_000 } } })).items;

/** Signs in with an empty secret. Returns the trace id of the refusal. */
async function breach({ urls }: Clients): Promise<string> {
  const headers = { 'content-type': 'application/json' };
  const response = await raw(`${urls.rewards}/v1/company/auth`, { method: 'POST', headers, body: '{"secret":""}' });
  expect(response.status).toBe(400);
  return response.headers.get('x-trace-id') ?? '';
}

it('OP-66: the normal traffic of a redemption has no findings, even if the sandbox refuses a call before it reads the body', async () => {
  const sandbox = await testSandbox();
  const { companyToken } = await signIn(sandbox, 'CUST0001');
  const rewards = sandbox.rewards(companyToken);
  ok(await rewards.GET('/v1/partner/rewards', { params: { query: { limit: 200 } } }));
  await vendorWill(sandbox, 'PHY-KETTLE-01', { outcome: 'reject', reason: 'Not sold here' });
  const address = { shipping_address: '1 Test Street' };
  ok(await order(sandbox, { line_items: [voucher, kettle], ...address }));
  await advance(sandbox, 10);
  ok(
    await sandbox.v2Platform(await sandbox.companyToken()).POST('/api/v1/orders', {
      body: { customer_id: 'CUST0001', line_items: [voucher] },
    }),
  );
  await advance(sandbox, 10);
  const body = { uid: 'CUST0001', line_items: [voucher] };
  const refused = await sandbox.rewards('forged').POST('/v1/partner/redeemptiononskus', { body });
  expect(refused.response.status).toBe(401);
  const log = await entries(sandbox);
  const newest = log.at(-1)?.seq ?? 0;
  // The sandbox refused the last order without reading its body.
  expect(log.at(-1)).toMatchObject({ request: { omitted: expect.stringMatching(/^\d+ bytes, not read$/) } });
  expect(await read(sandbox)).toEqual({ items: [], checked_from: 1, checked_to: newest, newest, unchecked: 1 });
});

it('OP-66: a finding in a request is the fault of the caller, in a reply that of the host; each workspace has its own findings', async () => {
  const sandbox = await testSandbox();
  const other = await workspaceOf(sandbox);
  const trace = await breach(sandbox);
  const seq = (await entries(sandbox)).find((entry) => entry.trace === trace)?.seq ?? 0;
  const caller = await read(sandbox);
  expect(caller).toEqual({
    items: [
      {
        seq,
        code: 'request.body.minLength',
        severity: 'warning',
        basis: 'OP-106',
        party: 'caller',
        hosted_by: 'platform',
        direction: 'request',
        api: 'rewards',
        operation: 'companyAuth',
        method: 'POST',
        url: '/rewards/v1/company/auth',
        status: 400,
        pointer: '/body/secret',
        expected: 'must not be empty',
        actual: '""',
        contract: { file: 'openapi/rewards.yaml', line: expect.any(Number) },
        trace,
      },
    ],
    checked_from: 1,
    checked_to: seq,
    newest: seq,
    unchecked: 0,
  });

  // The checker follows the log and validates later calls as they arrive.
  await stubClient(sandbox, () => ({ status: 200, body: { profile: {}, points: 7 } }));
  await order(sandbox);
  const followUp = await read(sandbox, { after: seq });
  const clientCall = (await entries(sandbox)).find(({ kind }) => kind === 'call_out');
  expect(new Set(followUp.items.map((item) => [item.seq, item.party, item.operation, item.trace].join()))).toEqual(
    new Set([[clientCall?.seq, 'host', 'getProfileAndPoints', clientCall?.trace].join()]),
  );
  expect(followUp.items.find(({ pointer }) => pointer === '/body/points')).toMatchObject({
    code: 'reply.body.type',
    hosted_by: 'client',
    actual: '7',
  });
  expect((await read(sandbox, { seq })).items).toEqual(caller.items);
  expect((await read(sandbox, { trace })).items).toEqual(caller.items);
  expect((await read(sandbox, { limit: 1 })).items).toEqual(followUp.items);
  expect(await read(other)).toMatchObject({ items: [], checked_to: 0 });
  // The empty secret violates an assumption. The number in place of the points object violates a statement.
  expect((await read(sandbox, { severity: 'warning' })).items).toEqual(caller.items);
  expect((await read(sandbox, { severity: 'error' })).items).toEqual(followUp.items);

  // A reset restarts the sequence numbers and clears the findings.
  ok(await sandbox.control.POST('/reset'));
  const again = await breach(sandbox);
  expect((await read(sandbox)).items.map((item) => [item.seq < seq + 2, item.trace])).toEqual([[true, again]]);
});

it.each<[title: string, body: string, headers: Record<string, string>, status: number, finding: object]>([
  ['a secret that is a number', '{"secret":7}', {}, 400, bodyTypeFinding('number (masked)')],
  ['a secret that is a list', '{"secret":["a"]}', {}, 400, bodyTypeFinding('array of 1 (masked)')],
  [
    'half a body',
    '{"secret":',
    {},
    400,
    requestFinding('body.malformed', '/body', 'a body of 10 characters that is not JSON'),
  ],
  ['no body', '', {}, 400, requestFinding('body.missing', '/body', 'nothing')],
  [
    'a form',
    'secret=7',
    { 'content-type': 'application/x-www-form-urlencoded' },
    415,
    requestFinding('media-type.undocumented', '/headers/content-type', '"application/x-www-form-urlencoded"'),
  ],
])(
  'OP-152: the reason for a refusal is a finding of the caller: %s',
  async (_title, body, headers, status, finding) => {
    const sandbox = await testSandbox();
    const allHeaders = { 'content-type': 'application/json', ...headers };
    const response = await raw(`${sandbox.urls.rewards}/v1/company/auth`, {
      method: 'POST',
      headers: allHeaders,
      body,
    });
    expect(response.status).toBe(status);
    const { items } = await read(sandbox);
    expect(items).toMatchObject([{ ...finding, party: 'caller', operation: 'companyAuth', severity: 'error', status }]);
  },
);

function bodyTypeFinding(actual: string) {
  return requestFinding('body.type', '/body/secret', actual);
}

function requestFinding(code: string, pointer: string, actual: string) {
  return { code: `request.${code}`, pointer, actual };
}

it('OP-152: a missing token is a finding too, if the client answers 422', async () => {
  const sandbox = await testSandbox();
  const init = { method: 'POST', headers: { 'content-type': 'application/json' }, body: '{}' };
  const response = await raw(`${sandbox.urls.client}/getProfileAndPoints?uid=CUST0001`, { method: 'POST' });
  expect(response.status).toBe(422);
  expect((await raw(`${sandbox.urls.client}/creditPoints`, init)).status).toBe(422);
  const { items } = await read(sandbox);
  expect(items.map(({ operation, code }) => `${operation} ${code}`)).toEqual([
    'getProfileAndPoints request.credential.missing',
    'creditPoints request.credential.missing',
  ]);
});

it('OP-66: findings survive a restart', async () => {
  const folder = await temporaryFolder();
  const first = await testSandbox({ dataDir: folder });
  const headers = { 'content-type': 'application/json' };
  for (const body of ['{"secret":7}', '{"secret":"']) {
    await raw(`${first.urls.rewards}/v1/company/auth`, { method: 'POST', headers, body });
  }
  const findings = await read(first);
  expect(findings.items.map(({ code }) => code)).toEqual(['request.body.type', 'request.body.malformed']);
  await first.close();
  const second = await testSandbox({ dataDir: folder });
  expect(await read(second)).toEqual(findings);
});

it('OP-118: a response that a malformed fault broke has no findings, so a job that injects one passes', async () => {
  const sandbox = await testSandbox();
  const fault = { target: 'listRewards', fault: 'malformed', times: 1 } as const;
  expect((await sandbox.control.POST('/faults', { body: fault })).response.status).toBe(201);
  const headers = { authorization: await sandbox.companyToken() };
  await expect(raw(`${sandbox.urls.rewards}/v1/partner/rewards`, { headers })).rejects.toThrow(SyntaxError);
  const { items, unchecked } = await read(sandbox, { severity: 'error' });
  expect({ items, unchecked }).toEqual({ items: [], unchecked: 0 });
});

it('OP-26: an address that is registered twice is a warning, unless it was deleted in between', async () => {
  const sandbox = await testSandbox();
  const codes = async () => (await read(sandbox)).items.map(({ code, severity }) => [code, severity]);
  const rewards = sandbox.rewards(await sandbox.companyToken());
  const register = async (url: string) => ok(await rewards.POST('/v1/partner/webhooks', { body: { url } })).webhook_id;
  const webhook_id = await register('http://127.0.0.1:9/one');
  await register('http://127.0.0.1:9/two');
  await rewards.DELETE('/v1/partner/webhooks', { params: { query: { webhook_id } } });
  await register('http://127.0.0.1:9/one');
  expect(await codes()).toEqual([]);
  await register('http://127.0.0.1:9/one');
  expect(await codes()).toEqual([['request.trace.webhook-registered-once', 'warning']]);
});
