/** Every hostile body receives a reply, and every call appears in the activity log (OP-39, OP-73). */
import { expect, it } from 'vitest';
import { credit } from '../harness/client-requests.ts';
import { flat, plain, wrapped } from '../harness/envelopes.ts';
import { serve } from '../harness/http-server.ts';
import { ok, raw, type TestSandbox, testSandbox } from '../harness/sandbox.ts';
import { post as postTo } from './operations.ts';

const notJson = 'Invalid request: the body is not well-formed JSON';
const nested = (depth: number) => `${'['.repeat(depth)}${']'.repeat(depth)}`;
/** Nested arrays as the activity log shows them, cut off after 32 levels. */
const loggedNested = JSON.parse(`${'['.repeat(32)}"too deep"${']'.repeat(32)}`);
const sku = 'EGV-SPICE-500';

const post = (sandbox: TestSandbox, body: string) => postTo(sandbox, '/rewards/v1/partner/redeemptiononskus', body);

async function loggedStatuses(sandbox: TestSandbox) {
  const { items } = ok(await sandbox.control.GET('/activity'));
  const calls = items.filter((entry) => entry.kind === 'call_in' && entry.operation === 'createRedemptionOrder');
  return calls.map((entry) => (entry.kind === 'call_in' ? entry.status : undefined));
}

it.each([
  ['a number beyond the range of a double', `{"uid":"CUST0001","line_items":[{"sku":"${sku}","quantity":1e400}]}`],
  ['such a number in an unknown field', `{"uid":"CUST0001","x":[-1e999],"line_items":[{"sku":"${sku}"}]}`],
  ['half a character in the name of a field', '{"\\udfff":1}'],
  ['64 KiB of nested arrays', nested(32 * 1024)],
  ['64 KiB of open arrays', '['.repeat(64 * 1024)],
  ['nothing', ''],
])('OP-39: a body with %s is malformed JSON, and the call is logged', async (_, body) => {
  const sandbox = await testSandbox();
  expect(plain(await post(sandbox, body))).toEqual(flat(400, 53, notJson));
  expect(await loggedStatuses(sandbox)).toEqual([400]);
});

it.each([
  ['-0', `{"uid":"A","line_items":[{"sku":"${sku}","quantity":-0}]}`, '/line_items/0/quantity must be at least 1'],
  ['__proto__', '{"__proto__":{"uid":"CUST0001","line_items":[]}}', '/line_items is required; /uid is required'],
  ['a field named twice', '{"uid":1,"uid":"CUST0001"}', '/line_items is required'],
  ['a byte order mark', '\ufeff{}', '/line_items is required; /uid is required'],
])('OP-39: a body with %s is checked like any other, and the call is logged', async (_, body, message) => {
  const sandbox = await testSandbox();
  expect(plain(await post(sandbox, body))).toEqual(flat(400, 53, `Invalid request: ${message}`));
  expect(await loggedStatuses(sandbox)).toEqual([400]);
});

it('OP-39: a number beyond the range of a double is refused in the envelope of the client too', async () => {
  const sandbox = await testSandbox();
  const body = JSON.stringify(credit).replace(`"${credit.paymentAmount}"`, '1e400');
  expect(plain(await postTo(sandbox, '/client/creditPoints', body))).toEqual(wrapped(400, notJson));
});

it.each([
  ['64 KiB of nested arrays', nested(32 * 1024 - 1), loggedNested],
  ['a number beyond the range of a double', '{"success":true,"points":1e400}', { success: true, points: 'Infinity' }],
  ['half a character', '{"success":"\\ud800"}', { success: '\ud800' }],
])('OP-62: a reply of the client with %s is unusable, and the call is logged', async (_, reply, loggedReply) => {
  const sandbox = await testSandbox();
  const url = await serve((_request, _body, response) => {
    response.writeHead(200, { 'content-type': 'application/json' }).end(reply);
  });
  ok(await sandbox.control.PATCH('/workspace', { body: { settings: { client_url: url } } }));
  const answer = await post(sandbox, JSON.stringify({ uid: 'CUST0001', line_items: [{ sku, quantity: 1 }] }));
  expect(plain(answer)).toEqual(flat(502, 57, 'No usable response from the client'));
  const { items } = ok(await sandbox.control.GET('/activity'));
  const calls = items.flatMap((entry) => (entry.kind === 'call_out' ? [entry] : []));
  expect(new Set(calls.map(({ status }) => status))).toEqual(new Set([200]));
  for (const call of calls) expect(call.reply).toEqual(loggedReply);
});

it('OP-277: a refusal lists every invalid field of a body and every invalid parameter, in plain words', async () => {
  const sandbox = await testSandbox();
  const line_items = [{ sku: '', quantity: '1' }];
  const fields = ['/line_items/0/sku must not be empty', '/line_items/0/quantity must be an integer'];
  expect(plain(await post(sandbox, JSON.stringify({ uid: 5, line_items })))).toEqual(
    flat(400, 53, `Invalid request: ${fields.join('; ')}; /uid must be a string`),
  );
  const { body } = await raw(`${sandbox.urls.sandbox}/activity?limit=0&wait=x&surplus=1`);
  const { message } = body as { message: string };
  const parameters = message.replace('Invalid request: ', '').split(/; (?=query)/);
  expect(parameters.toSorted()).toEqual([
    'query parameter limit must be at least 1',
    'query parameter surplus is an unknown parameter; known: `trace`, `redeem_code`, `uid`, `limit`, `after`, `wait`',
    'query parameter wait must be an integer',
  ]);
});
