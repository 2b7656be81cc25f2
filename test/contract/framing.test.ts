/** Tests the checks that precede every operation: heads, paths, methods, sizes and content types (OP-03, OP-37, OP-39, OP-41, OP-42). */
import { gzipSync } from 'node:zlib';
import { expect, it } from 'vitest';
import { credit } from '../harness/client-requests.ts';
import { flat, mandatory, notFound, plain, tokenInvalid, wrapped } from '../harness/envelopes.ts';
import { ok, raw, testSandbox } from '../harness/sandbox.ts';
import { exchange } from '../harness/socket.ts';
import { look, words } from '../harness/visitor.ts';

const closing = ['Host: localhost', 'Connection: close'];
const head = (line: string, ...headers: string[]) => [`${line} HTTP/1.1`, ...closing, ...headers];
const malformed = 'Invalid request: the request is not well-formed HTTP';
const traceId = /^[0-9a-f]{32}$/;

it('OP-03: two Authorization headers are refused in the envelope of each party, even if both are valid', async () => {
  const sandbox = await testSandbox();
  const { service_token, basic } = sandbox.credentials;
  const company = await sandbox.companyToken();
  const pair = btoa(`${basic.username}:${basic.password}`);
  const message = 'Invalid request: more than one Authorization header';
  const cases = [
    ['GET /rewards/v1/partner/rewards', company, flat(400, 53, message)],
    ['GET /rewards/getwalletdetail?uid=CUST0001', `Bearer ${company}`, flat(400, 53, message)],
    ['POST /rewards/v1/company/auth', 'Required', flat(400, 53, message)],
    ['POST /client/getProfileAndPoints?uid=CUST0001', `Bearer ${service_token}`, wrapped(400, message)],
    ['POST /client/api/v1/auth/generate-otp', `Basic ${pair}`, wrapped(400, message)],
    ['GET /sandbox/v1/health', 'anything', flat(400, 53, message)],
  ] as const;
  for (const [line, authorization, expected] of cases) {
    const two = [`Authorization: ${authorization}`, `authorization: ${authorization}`];
    expect(plain(await exchange(sandbox.origin, [...head(line, ...two), '', ''])), line).toEqual(expected);
  }
});

it('OP-42: every reply has X-Content-Type-Options: nosniff, also one that comes from no operation', async () => {
  const sandbox = await testSandbox({ operations: { port: 0 } });
  const { origin, operations = '' } = sandbox;
  const served = ['GET /sandbox/v1/health', 'GET /rewards/v1/partner/rewards', 'POST /client/getProfileAndPoints'];
  const lines = [...served, 'GET /nowhere', 'GET /portal/signin', 'GET //rewards', 'nonsense'];
  for (const server of [origin, operations]) {
    for (const line of lines) {
      const { headers } = await exchange(server, [...head(line), '', '']);
      expect([line, headers['x-content-type-options']]).toEqual([line, 'nosniff']);
    }
  }
});

it('OP-41: a path outside the contracts is 404, in the envelope of its API', async () => {
  const sandbox = await testSandbox();
  const cases = {
    '/nowhere': notFound('Path /nowhere'),
    '/rewards': notFound('Path /rewards'),
    '/rewards/nowhere': notFound('Path /rewards/nowhere'),
    '/rewards/v1/getwalletdetail?uid=CUST0001': notFound('Path /rewards/v1/getwalletdetail'),
    '/rewards/v1/partner/redemptiononskus': notFound('Path /rewards/v1/partner/redemptiononskus'),
    '/rewardsx/v1/partner/rewards': notFound('Path /rewardsx/v1/partner/rewards'),
    '/client/nowhere': wrapped(404, 'Path /client/nowhere does not exist'),
    '/client/v1/getProfileAndPoints': wrapped(404, 'Path /client/v1/getProfileAndPoints does not exist'),
    '/sandbox/v1/nowhere': notFound('Path /sandbox/v1/nowhere'),
    '/sandbox/nowhere': notFound('Path /sandbox/nowhere'),
  };
  for (const [path, expected] of Object.entries(cases)) {
    const answer = await raw(`${sandbox.origin}${path}`);
    expect(plain(answer), path).toEqual(expected);
    expect(answer.headers.get('content-type'), path).toMatch(/^application\/json/);
    expect(answer.headers.get('x-trace-id'), path).toMatch(traceId);
  }
});

it('OP-41: a method that a path does not have is 405, and Allow lists the methods it has', async () => {
  const sandbox = await testSandbox();
  const cases = [
    ['GET', '/rewards/v1/company/auth', 'POST', flat(405, 60, 'Method not allowed')],
    ['POST', '/rewards/v1/partner/rewards', 'GET, HEAD', flat(405, 60, 'Method not allowed')],
    ['PUT', '/rewards/v1/partner/webhooks', 'DELETE, GET, HEAD, POST', flat(405, 60, 'Method not allowed')],
    ['OPTIONS', '/rewards/v1/partner/rewards', 'GET, HEAD', flat(405, 60, 'Method not allowed')],
    ['GET', '/client/getProfileAndPoints?uid=CUST0001', 'POST', wrapped(405, 'Method not allowed')],
    ['DELETE', '/client/api/v1/auth/generate-otp', 'POST', wrapped(405, 'Method not allowed')],
    ['DELETE', '/sandbox/v1/customers', 'GET, HEAD, POST', flat(405, 60, 'Method not allowed')],
    ['GET', '/sandbox/v1/customers/CUST0001', 'PATCH', flat(405, 60, 'Method not allowed')],
  ] as const;
  for (const [method, path, allow, expected] of cases) {
    const answer = await raw(`${sandbox.origin}${path}`, { method });
    expect({ ...plain(answer), allow: answer.headers.get('allow') }, path).toEqual({ ...expected, allow });
    expect(answer.headers.get('x-trace-id'), path).toMatch(traceId);
  }
});

it('HEAD answers as GET does, without the body (RFC 9110)', async () => {
  const sandbox = await testSandbox();
  const headers = { authorization: await sandbox.companyToken() };
  const url = `${sandbox.urls.rewards}/v1/partner/rewards?limit=1`;
  const [get, head] = [await raw(url, { headers }), await raw(url, { method: 'HEAD', headers })];
  expect({ status: head.status, body: head.body }).toEqual({ status: 200, body: undefined });
  for (const name of ['content-type', 'content-length']) expect(head.headers.get(name)).toBe(get.headers.get(name));
  const headRefusal = await raw(url, { method: 'HEAD' });
  expect({ status: headRefusal.status, body: headRefusal.body }).toEqual({ status: 401, body: undefined });
});

it.each([
  ...['application/json', 'APPLICATION/JSON', 'application/json; charset=utf-8', 'application/json;charset=UTF-8'],
  ...['application/json; charset="utf-8"', 'application/json; profile="x; charset=utf-16"'],
])('L4: OP-39: a body declared as %s is accepted', async (type) => {
  const { urls, credentials } = await testSandbox();
  const headers = { authorization: `Bearer ${credentials.service_token}`, 'content-type': type };
  const answer = await raw(`${urls.client}/creditPoints`, { method: 'POST', headers, body: JSON.stringify(credit) });
  expect(plain(answer)).toEqual({ status: 200, body: { success: true, status: 200 } });
});

it.each([
  ...['text/plain', 'text/json', 'application/jsonp', 'application/vnd.api+json', 'application/json, text/plain'],
  ...['application/x-www-form-urlencoded', 'multipart/form-data; boundary=x'],
  ...['application/json; charset=iso-8859-1', 'application/json; charset=utf-16'],
])('L4: OP-39: a body declared as %s is refused with 415', async (type) => {
  const { urls, credentials, companyToken } = await testSandbox();
  const message = 'Content-Type must be application/json';
  const send = (url: string, authorization: string) => {
    const headers = { authorization, 'content-type': type };
    return raw(url, { method: 'POST', headers, body: JSON.stringify(credit) });
  };
  const credited = await send(`${urls.client}/creditPoints`, `Bearer ${credentials.service_token}`);
  expect(plain(credited)).toEqual(wrapped(415, message));
  const paid = await send(`${urls.rewards}/v1/partner/events/payment`, await companyToken());
  expect(plain(paid)).toEqual(flat(415, 62, message));
});

it('OP-39: a body without a declared type, or a compressed one, is refused with 415', async () => {
  const { urls, credentials } = await testSandbox();
  const authorization = `Bearer ${credentials.service_token}`;
  const url = `${urls.client}/creditPoints`;
  const bytes = new Uint8Array(Buffer.from(JSON.stringify(credit)));
  const undeclared = await raw(url, { method: 'POST', headers: { authorization }, body: bytes });
  expect(plain(undeclared)).toEqual(wrapped(415, 'Content-Type must be application/json'));
  const headers = { authorization, 'content-type': 'application/json', 'content-encoding': 'gzip' };
  const zipped = await raw(url, { method: 'POST', headers, body: new Uint8Array(gzipSync(bytes)) });
  expect(plain(zipped)).toEqual(wrapped(415, 'Content-Type must be application/json'));
});

it('OP-39, OP-42: a head of more than 16 KiB, in a header or in the URL, is 431, with a trace id', async () => {
  const { origin } = await testSandbox();
  const long = 'x'.repeat(17 * 1024);
  const message = 'Request headers or URL are larger than 16 KiB';
  const cases = [
    [head('GET /rewards/v1/partner/rewards', `X-Long: ${long}`), flat(431, 63, message)],
    [head(`GET /rewards/v1/partner/rewards?cursor=${long}`), flat(431, 63, message)],
    [head('POST /client/getProfileAndPoints?uid=CUST0001', `X-Long: ${long}`), wrapped(431, message)],
    [head(`POST /client/getProfileAndPoints?uid=${long}`), wrapped(431, message)],
  ] as const;
  for (const [lines, expected] of cases) {
    const answer = await exchange(origin, [...lines, '', '']);
    expect(plain(answer)).toEqual(expected);
    expect(answer.headers['x-trace-id']).toMatch(traceId);
  }
});

it('OP-39, OP-95: a request to a page that cannot be parsed is answered with a page', async () => {
  const { origin } = await testSandbox();
  const long = head('GET /portal/ended', `X-Long: ${'x'.repeat(17 * 1024)}`);
  const smuggled = head('POST /microsite/codes', 'Content-Length: 5', 'Transfer-Encoding: chunked', '', '0');
  for (const [lines, status] of [[long, 431] as const, [smuggled, 400] as const]) {
    const answer = await exchange(origin, [...lines, '', '']);
    expect([answer.status, answer.body]).toEqual([status, expect.stringMatching(/^<!doctype html>.*is not valid/is)]);
    expect(answer.headers).toMatchObject({
      'content-type': 'text/html; charset=utf-8',
      'content-security-policy': expect.stringMatching(/^default-src 'none'; /),
      'cache-control': 'no-store',
      'x-trace-id': expect.stringMatching(traceId),
    });
  }
});

it('OP-39: a form of 64 fields is read, and one of more is refused with a page, repeated names counted', async () => {
  const { urls, control } = await testSandbox();
  const form = (names: readonly string[]) => names.map((name) => `${name}=CUST0001`).join('&');
  const others = (count: number) => Array.from({ length: count }, (_, at) => `f${at}`);
  const post = (names: readonly string[]) => {
    const headers = { 'content-type': 'application/x-www-form-urlencoded' };
    return look(`${urls.microsite}/codes`, { method: 'POST', headers, body: form(names) });
  };
  expect((await post(['customer_id', ...others(63)])).status).toBe(303);
  for (const names of [['customer_id', ...others(64)], Array.from({ length: 65 }, () => 'customer_id')]) {
    const reply = await post(names);
    expect([reply.status, words(reply)]).toEqual([400, expect.stringMatching(/^This link is incomplete /)]);
  }
  const { items } = ok(await control.GET('/activity'));
  const logged = items.flatMap((entry) =>
    'url' in entry && entry.url.endsWith('/codes') ? [[entry.status, entry.unchecked ?? false]] : [],
  );
  expect(logged).toEqual([
    [303, false],
    [400, true],
    [400, true],
  ]);
});

const type = 'Content-Type: application/json';

it.each([
  ['a length and chunks', ['Content-Length: 5', 'Transfer-Encoding: chunked', '', '0', '', '']],
  ['two lengths', ['Content-Length: 5', 'Content-Length: 6', '', '{"a":1']],
  ...['gzip, chunked', 'identity, chunked', 'chunked, chunked'].map((coding): [string, string[]] => {
    return [coding, [`Transfer-Encoding: ${coding}`, '', '2', '{}', '0', '', '']];
  }),
])(
  'OP-39: a body with %s is refused with 400, and its connection ends (RFC 9112, 6.1, request smuggling)',
  async (_, rest) => {
    const { origin } = await testSandbox();
    const send = (path: string) => exchange(origin, [`POST ${path} HTTP/1.1`, 'Host: localhost', type, ...rest]);
    expect(plain(await send('/client/creditPoints'))).toEqual(wrapped(400, malformed));
    expect(plain(await send('/rewards/v1/partner/events/payment'))).toEqual(flat(400, 53, malformed));
  },
);

it('OP-42: nonsense is refused with a trace id', async () => {
  const { origin } = await testSandbox();
  const answer = await exchange(origin, ['nonsense', '', '']);
  expect(plain(answer)).toEqual(flat(400, 53, malformed));
  expect(answer.headers['x-trace-id']).toMatch(traceId);
});

it("OP-42: a reply has its trace id: the caller's if it sends one, otherwise a new one", async () => {
  const sandbox = await testSandbox();
  const trace = '4bf92f3577b34da6a3ce929d0e0e4736';
  const traceOf = async (traceparent?: string) => {
    const headers = traceparent === undefined ? {} : { traceparent };
    return (await raw(`${sandbox.urls.rewards}/v1/partner/rewards`, { headers })).headers.get('x-trace-id') ?? '';
  };
  expect(await traceOf(`00-${trace}-00f067aa0ba902b7-01`)).toBe(trace);
  const generated = [await traceOf(), await traceOf(), await traceOf('nonsense'), await traceOf(`00-${trace}-x-01`)];
  for (const id of generated) expect(id).toMatch(traceId);
  expect(new Set([trace, ...generated]).size).toBe(5);
});

it('OP-37: a challenge names the required scheme, and an error only if a token was sent', async () => {
  const { urls } = await testSandbox();
  const challenge = async (url: string, method: string, headers = {}) => {
    const answer = await raw(url, { method, headers });
    return { ...plain(answer), challenge: answer.headers.get('www-authenticate') };
  };
  const invalid = 'Bearer error="invalid_token"';
  const unauthorized = flat(401, 40, 'Missing or invalid token');
  const tokenHeaders = { authorization: 'Bearer nobody' };
  const [credits, rewards] = [`${urls.client}/creditPoints`, `${urls.rewards}/v1/partner/rewards`];
  expect(await challenge(credits, 'POST', tokenHeaders)).toEqual({ ...tokenInvalid, challenge: invalid });
  expect(await challenge(rewards, 'GET', tokenHeaders)).toEqual({ ...unauthorized, challenge: invalid });
  expect(await challenge(credits, 'POST')).toEqual({ ...tokenInvalid, challenge: 'Bearer realm="rewards-client"' });
  expect(await challenge(rewards, 'GET')).toEqual({ ...unauthorized, challenge: 'Bearer realm="rewards-sandbox"' });
  expect(await challenge(`${urls.client}/api/v1/auth/verify-otp`, 'POST')).toEqual({
    ...wrapped(401, 'Missing or invalid Basic credentials'),
    challenge: 'Basic realm="rewards-client", charset="UTF-8"',
  });
});

it('OP-42: where the message is fixed, X-Problem names the field and the constraint', async () => {
  const { urls, credentials } = await testSandbox();
  const headers = { authorization: `Bearer ${credentials.service_token}`, 'content-type': 'application/json' };
  const problem = async (body: object) => {
    const answer = await raw(`${urls.client}/creditPoints`, { method: 'POST', headers, body: JSON.stringify(body) });
    expect(plain(answer)).toEqual(mandatory);
    return answer.headers.get('x-problem');
  };
  expect(await problem({ ...credit, uid: '' })).toBe('/uid must not be empty');
  expect(await problem({ ...credit, eventType: 'CASH' })).toBe('/eventType must be "DIGITAL_PAYMENT"');
  expect(await problem({ ...credit, points: '-5' })).toMatch(/^\/points must match \^\(0\|\[1-9\]/);
  expect(await problem({ ...credit, uid: 5, eventType: 'CASH' })).toBe(
    '/uid must be a string; /eventType must be "DIGITAL_PAYMENT"',
  );
});
