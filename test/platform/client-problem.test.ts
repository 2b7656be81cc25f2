/** Tests the `X-Problem` header, which tells callers that the partner's server is at fault (OP-150). */
import { expect, it } from 'vitest';
import { type Reaction, stubClient } from '../harness/client-stub.ts';
import { flat } from '../harness/envelopes.ts';
import { order, voucher } from '../harness/orders.ts';
import { ok, signIn, testSandbox } from '../harness/sandbox.ts';

const page = 'see /docs/errors#client_no_answer';

it.each<[title: string, reaction: Reaction, problem: string]>([
  [
    'an answer that breaks its contract',
    { status: 200, body: { profile: {}, points: 7 } },
    'response /profile/uid is required',
  ],
  ['an answer that is not JSON', { status: 200, body: '<html>' }, 'the response is not JSON'],
  ['an answer with an undocumented status', { status: 202, body: {} }, 'status 202 is not in the contract'],
  ['a failure in a custom format', { status: 500, body: { error: 'x' } }, 'status 500'],
  ['no answer', 'drop', 'UND_ERR_SOCKET'],
])('OP-150: X-Problem and the log name the problem and the help page: %s', async (_title, reaction, problem) => {
  const sandbox = await testSandbox();
  await stubClient(sandbox, () => reaction);
  const { response, error } = await order(sandbox);
  expect({ status: response.status, body: error }).toEqual(flat(502, 57, 'No usable response from the client'));
  const header = `the client's server: ${problem}; ${page}`;
  expect(response.headers.get('x-problem')).toBe(header);
  const trace = response.headers.get('x-trace-id') ?? '';
  const { items } = ok(await sandbox.control.GET('/activity', { params: { query: { trace } } }));
  const call = items.find((item) => item.kind === 'call_in' && item.operation === 'createRedemptionOrder');
  expect(call).toMatchObject({ notices: [header] });
});

it('OP-150: X-Problem is also set for a session, in version 2.0, at the login of the general API and on pages', async () => {
  const sandbox = await testSandbox();
  const { jwt, companyToken } = await signIn(sandbox, 'CUST0001');
  await stubClient(sandbox, () => ({ status: 200, body: '<html>' }));
  const header = `the client's server: the response is not JSON; ${page}`;
  const session = await sandbox
    .rewards(companyToken)
    .POST('/v1/customer/auth', { body: { uid: 'CUST0001', token: jwt } });
  const body = { customer_id: 'CUST0001', line_items: [voucher] };
  const second = await sandbox.v2Platform(companyToken).POST('/api/v1/orders', { body });
  const { password } = sandbox.credentials.general;
  const login = await sandbox.general().POST('/v1/auth/login', { body: { username: 'CUST0001', password } });
  for (const { response } of [session, second, login]) {
    expect([response.status, response.headers.get('x-problem')]).toEqual([502, header]);
  }
  const portal = await fetch(`${sandbox.urls.portal}/signin?uid=CUST0001&token=${jwt}`, { redirect: 'manual' });
  expect([portal.status, portal.headers.get('x-problem')]).toEqual([502, header]);
});

it('OP-150: a repeat with the same Idempotency-Key has the same X-Problem', async () => {
  const sandbox = await testSandbox();
  await stubClient(sandbox, () => ({ status: 200, body: '<html>' }));
  const authorization = `Bearer ${await sandbox.companyToken()}`;
  const headers = { authorization, 'content-type': 'application/json', 'idempotency-key': 'K-1' };
  const body = JSON.stringify({ uid: 'CUST0001', line_items: [voucher] });
  const address = `${sandbox.urls.rewards}/v1/partner/redeemptiononskus`;
  for (const replayed of [null, 'true']) {
    const answer = await fetch(address, { method: 'POST', headers, body });
    const reply = [answer.status, answer.headers.get('idempotent-replayed'), answer.headers.get('x-problem')];
    expect(reply).toEqual([502, replayed, `the client's server: the response is not JSON; ${page}`]);
  }
});

it('OP-150: a message from the server is truncated, and encoded for a header', async () => {
  const sandbox = await testSandbox();
  const data = { name: 'N', message: `Später… ${'x'.repeat(1000)}`, code: 0, status: 500, type: 'T' };
  await stubClient(sandbox, () => ({ status: 500, body: { success: false, status: 500, data } }));
  const { response } = await order(sandbox);
  const problem = response.headers.get('x-problem') ?? '';
  expect(problem).toMatch(/^the client's server: status 500: Sp\?ter\? x+\.\.\.; see \/docs\/errors#client_no_answer$/);
  expect(problem.length).toBeLessThan(400);
});
