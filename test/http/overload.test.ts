/** Tests overload over HTTP (OP-83). */
import { expect, it, vi } from 'vitest';
import { stubClient } from '../harness/client-stub.ts';
import { plain, unavailable } from '../harness/envelopes.ts';
import { order } from '../harness/orders.ts';
import { ok, raw, testSandbox } from '../harness/sandbox.ts';
import { converse, statusesIn } from '../harness/socket.ts';

const mostInService = 8;
it('OP-83: of a burst, calls succeed in turn or get a complete 503 with Retry-After, and the next order is served', async () => {
  const sandbox = await testSandbox({ mostInService });
  const token = await sandbox.companyToken();
  const body = JSON.stringify({ uid: 'CUST0001', line_items: [{ sku: 'EGV-CHAI-100', quantity: 1 }] });
  const headers = { authorization: token, 'content-type': 'application/json' };
  const url = `${sandbox.urls.rewards}/v1/partner/redeemptiononskus`;
  const answers = await Promise.all(Array.from({ length: 60 }, () => raw(url, { method: 'POST', headers, body })));
  const admitted = answers.filter(({ status }) => status === 200);
  const refused = answers.filter(({ status }) => status === 503);
  // An order calls the client, and its slot covers that call. No admitted order failed because a slot was missing.
  expect(admitted.length + refused.length).toBe(60);
  expect(admitted.length).toBeGreaterThan(0);
  for (const one of refused) {
    expect(plain(one)).toEqual(unavailable);
    expect(one.headers.get('retry-after')).toBe('1');
    expect(one.headers.get('x-problem')).toBe('the server is overloaded');
    expect(one.headers.get('x-trace-id')).toMatch(/^[0-9a-f]{32}$/);
  }
  expect((await order(sandbox)).response.status).toBe(200);
  const { items } = ok(await sandbox.control.GET('/orders'));
  expect(items).toHaveLength(admitted.length + 1);
  // The log contains no refused calls.
  const log = ok(await sandbox.control.GET('/activity')).items;
  expect(log.filter((entry) => entry.kind === 'call_in' && entry.status === 503)).toEqual([]);
  sandbox.warnings.splice(0);
});

it('OP-83: waiting callers and incomplete bodies use no slot', async () => {
  const sandbox = await testSandbox({ mostInService });
  const { urls, origin } = sandbox;
  const waiting = Array.from({ length: 20 }, () => raw(`${urls.sandbox}/messages?uid=CUST0009&wait=30`));
  const slow = Array.from({ length: 20 }, () => {
    const talk = converse(origin);
    talk.send('POST /rewards/v1/company/auth HTTP/1.1', 'Host: localhost', 'Content-Type: application/json');
    talk.send('', 'Content-Length: 50', '', '{"sec');
    return talk;
  });
  expect((await order(sandbox)).response.status).toBe(200);
  expect((await raw(`${urls.sandbox}/messages`)).status).toBe(200);
  ok(await sandbox.auth.POST('/api/v1/auth/generate-otp', { body: { customer_id: 'CUST0009' } }));
  const replies = await Promise.all(waiting);
  expect(replies.map(({ status }) => status)).toEqual(replies.map(() => 200));
  for (const talk of slow) talk.close();
});

it('OP-83: while orders occupy half of the slots, only small reads of the workspace and callers without a credential are served', async () => {
  const sandbox = await testSandbox({ mostInService });
  const release = Promise.withResolvers<void>();
  const requests = await stubClient(sandbox, () => release.promise.then(() => ({ status: 422, body: {} })));
  const headers = { authorization: await sandbox.companyToken() };
  const uids = ['CUST0001', 'CUST0002', 'CUST0003', 'CUST0004'];
  const orders = uids.map((uid) => order(sandbox, { uid }));
  await vi.waitFor(() => expect(requests).toHaveLength(4), 30_000);
  // The four orders occupy half of the slots, which is the workspace's maximum.
  const waiting = order(sandbox);
  const listing = `${sandbox.urls.rewards}/v1/partner/rewards`;
  const large = raw(listing, { headers });
  const small = ['clock', 'workspace', 'health'].map((path) => raw(`${sandbox.urls.sandbox}/${path}`));
  const strangers = [{}, { authorization: 'nonsense' }].map((unknown) => raw(listing, { headers: unknown }));
  const statuses = (await Promise.all([...small, ...strangers])).map(({ status }) => status);
  expect(statuses).toEqual([200, 200, 200, 401, 401]);
  expect([(await waiting).response.status, (await large).status]).toEqual([503, 503]);
  release.resolve();
  expect((await Promise.all(orders)).map(({ response }) => response.status)).toEqual([422, 422, 422, 422]);
  sandbox.warnings.splice(0);
});

it('OP-83: with no free slot, /health still answers, and each API refuses in its own envelope', async () => {
  const sandbox = await testSandbox({ mostInService: 0 });
  const { origin, urls } = sandbox;
  expect((await raw(`${urls.sandbox}/health`)).status).toBe(200);
  expect(plain(await raw(`${urls.rewards}/v1/partner/rewards`))).toEqual(unavailable);
  expect((await raw(`${urls.client}/getProfileAndPoints`, { method: 'POST' })).body).toMatchObject({ success: false });
  const page = await fetch(`${origin}/portal/signin`);
  expect([page.status, page.headers.get('content-type')]).toEqual([503, 'text/html; charset=utf-8']);
  expect(await page.text()).toContain('Temporarily unavailable');
  // The sandbox prints a warning about refused calls.
  expect(sandbox.warnings.splice(0)).toEqual(['Overload: some calls are refused with 503 (OP-83)']);
});

it('OP-83: a call that waits for its refusal when the sandbox stops gets a complete 503, and the sandbox exits', async () => {
  const sandbox = await testSandbox({ mostInService: 0, stopMilliseconds: 50 });
  const talk = converse(sandbox.origin);
  talk.send('GET /rewards/v1/partner/rewards HTTP/1.1', 'Host: localhost', '', '');
  // The reply to this later request shows that the call has arrived.
  await raw(`${sandbox.urls.sandbox}/health`);
  await sandbox.close();
  expect(statusesIn(await talk.ended)).toEqual([503]);
  sandbox.warnings.splice(0);
});

it('OP-83: a call that waits for its refusal, and whose body is not HTTP, gets one reply', async () => {
  const sandbox = await testSandbox({ mostInService: 0 });
  const talk = converse(sandbox.origin);
  const broken = ['Transfer-Encoding: chunked', '', 'nonsense', ''];
  talk.send('POST /rewards/v1/company/auth HTTP/1.1', 'Host: localhost', ...broken);
  expect(statusesIn(await talk.ended)).toEqual([400]);
  expect((await raw(`${sandbox.urls.rewards}/v1/partner/rewards`)).status).toBe(503);
  sandbox.warnings.splice(0);
});

it('OP-83: the calls of an order to the sandbox itself need no slot', async () => {
  const sandbox = await testSandbox({ mostInService: 1 });
  expect((await order(sandbox)).response.status).toBe(200);
});

it('OP-82: 32 calls can wait on a connection behind one; one more gets a 503 and ends the connection', async () => {
  const sandbox = await testSandbox();
  const talk = converse(sandbox.origin);
  const get = ['GET /sandbox/v1/health HTTP/1.1', 'Host: localhost', '', ''].join('\r\n');
  talk.send(get.repeat(50));
  expect(statusesIn(await talk.ended)).toEqual([...Array.from({ length: 33 }, () => 200), 503]);
});
