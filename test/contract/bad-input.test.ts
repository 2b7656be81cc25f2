/** Tests that the sandbox refuses malformed bodies, hostile or accidental, as the contract states, without any effect. */
import { expect, it } from 'vitest';
import { credit } from '../harness/client-requests.ts';
import { flat, plain, refusal, wrapped } from '../harness/envelopes.ts';
import { ok, raw, signIn, testSandbox } from '../harness/sandbox.ts';
import { refusing } from '../harness/state.ts';
import { invalid, operations, payment, post } from './operations.ts';

const invalidNumbers = ['1e9', '-5', '+5', '1.5', ' 5', '5 ', '5\n', '05', '５', '٥', '0x10', '1'.repeat(16), ''];
const notStrings = [5, 0, true, null, [], ['5'], {}];
const invalidPoints = ['5', -1, 1.5, 1e15, true, null, [], {}];
const invalidArrays = [5, true, null, [], {}, 'text'];

it.each(operations)('$path: malformed JSON is refused', async ({ path }) => {
  const sandbox = await testSandbox();
  const expectNoEffect = await refusing(sandbox);
  const message = 'Invalid request: the body is not well-formed JSON';
  const expected = path.startsWith('/client') ? wrapped(400, message) : flat(400, 53, message);
  const latin1 = new Uint8Array([...Buffer.from('{"uid":"'), 0xe9, ...Buffer.from('"}')]);
  const bodies = ['', '{', '{"a":1,}', "{'a':1}", '{"a":1}{', '{"a":NaN}', '{"a":01}', 'uid=CUST0001', latin1];
  const answers = await expectNoEffect(Promise.all(bodies.map((body) => post(sandbox, path, body))));
  expect(answers.map(plain)).toEqual(bodies.map(() => expected));
});

it.each(operations)('$path: a body that is not an object is refused', async ({ path, bad }) => {
  const sandbox = await testSandbox();
  const expectNoEffect = await refusing(sandbox);
  const bodies = ['[]', '[{}]', 'null', '5', '"text"', 'true'];
  const answers = await expectNoEffect(Promise.all(bodies.map((body) => post(sandbox, path, body))));
  expect(answers.map(plain)).toEqual(bodies.map(() => bad('body')));
});

it.each(operations)('$path: a field of the wrong type is refused', async ({ path, good, bad }) => {
  const sandbox = await testSandbox();
  const expectNoEffect = await refusing(sandbox);
  for (const [field, value] of Object.entries(good)) {
    const wrong = typeof value === 'string' ? notStrings : typeof value === 'number' ? invalidPoints : invalidArrays;
    const bodies = wrong.map((other) => JSON.stringify({ ...good, [field]: other }));
    const answers = await expectNoEffect(Promise.all(bodies.map((body) => post(sandbox, path, body))));
    expect(answers.map(plain), field).toEqual(bodies.map(() => bad(`/${field}`)));
  }
});

it.each(operations.filter(({ amounts, numbers }) => amounts.length + numbers.length > 0))(
  'OP-09: $path: text that is not a number in the documented form is refused',
  async ({ path, good, bad, amounts, numbers }) => {
    const sandbox = await testSandbox();
    const expectNoEffect = await refusing(sandbox);
    const invalidAmounts = [...invalidNumbers.filter((text) => text !== '1.5'), '1.555', '1.', '.5', '1,5'];
    for (const field of [...numbers, ...amounts]) {
      const texts = amounts.includes(field) ? invalidAmounts : invalidNumbers;
      const bodies = texts.map((text) => JSON.stringify({ ...good, [field]: text }));
      const answers = await expectNoEffect(Promise.all(bodies.map((body) => post(sandbox, path, body))));
      expect(answers.map(plain), field).toEqual(bodies.map(() => bad(`/${field}`)));
      if (!path.startsWith('/client')) continue;
      for (const { headers } of answers) expect(headers.get('x-problem')).toContain(`/${field} must match`);
    }
  },
);

it('OP-39: a body may nest 16 deep and no deeper', async () => {
  const sandbox = await testSandbox();
  const nested = (depth: number, inner: string) => `${'['.repeat(depth - 1)}${inner}${']'.repeat(depth - 1)}`;
  const send = (depth: number, inner: string) =>
    post(sandbox, '/client/creditPoints', `{"x":${nested(depth, inner)},${JSON.stringify(credit).slice(1)}`);
  const expectNoEffect = await refusing(sandbox);
  const tooDeep = wrapped(400, 'Invalid request: the body is not well-formed JSON');
  for (const sent of [send(17, '1'), send(17, ''), send(5000, '')])
    expect(plain(await expectNoEffect(sent))).toEqual(tooDeep);
  expect((await send(16, '1')).status).toBe(200);
});

const tooLarge = 'Request body is larger than 64 KiB';

it.each([
  { path: '/client/creditPoints', expected: wrapped(413, tooLarge), good: credit },
  { path: '/rewards/v1/partner/events/payment', expected: flat(413, 61, tooLarge), good: payment },
])('OP-39: $path: a body of 64 KiB is accepted, one of 70 KiB is refused', async ({ path, expected, good }) => {
  const sandbox = await testSandbox();
  const expectNoEffect = await refusing(sandbox);
  const padded = (bytes: number) => JSON.stringify(good).padEnd(bytes, ' ');
  expect(plain(await expectNoEffect(post(sandbox, path, padded(70 * 1024))))).toEqual(expected);
  expect(plain(await expectNoEffect(post(sandbox, path, padded(64 * 1024 + 1))))).toEqual(expected);
  expect((await post(sandbox, path, padded(64 * 1024))).status).toBeLessThan(300);
});

it('OP-81: half of a surrogate pair, in a text or a name, is malformed JSON in every operation', async () => {
  const sandbox = await testSandbox();
  const expectNoEffect = await refusing(sandbox);
  const message = 'Invalid request: the body is not well-formed JSON';
  const bodies = ['{"uid":"\\ud800"}', '{"uid":["\\uDC00x"]}', '{"\\ud83d":1}'];
  const send = ({ path }: (typeof operations)[number]) => Promise.all(bodies.map((body) => post(sandbox, path, body)));
  const answers = await expectNoEffect(Promise.all(operations.map(send)));
  const refusal = ({ path }: (typeof operations)[number]) =>
    bodies.map(() => (path.startsWith('/client') ? wrapped(400, message) : flat(400, 53, message)));
  expect(answers.map((some) => some.map(plain))).toEqual(operations.map(refusal));
});

it('OP-80: a token in a body is refused if no header can carry it', async () => {
  const sandbox = await testSandbox();
  const expectNoEffect = await refusing(sandbox);
  const rewards = sandbox.rewards(await sandbox.companyToken());
  for (const token of ['two words', 'é', '\n', '汉']) {
    const body = { uid: 'CUST0001', token };
    expect(refusal(await expectNoEffect(rewards.POST('/v1/customer/auth', { body })))).toEqual(invalid('/token'));
    const settings = { client_token: token };
    const changed = sandbox.control.PATCH('/workspace', { body: { settings } });
    expect(refusal(await expectNoEffect(changed))).toEqual(invalid('/settings/client_token'));
  }
});

it('OP-38: unknown fields of a body are ignored, never stored, and reported as notices', async () => {
  const sandbox = await testSandbox();
  const { companyToken } = await signIn(sandbox, 'CUST0001');
  const text = `{"x":"surplus-1","__proto__":{"uid":"surplus-2"},"line_items":[{"sku":"EGV-SPICE-500","quantity":1,"y":"surplus-3"}],"uid":"CUST0001"}`;
  const headers = { authorization: companyToken, 'content-type': 'application/json' };
  const url = `${sandbox.urls.rewards}/v1/partner/redeemptiononskus`;
  const { status, headers: sent } = await raw(url, { method: 'POST', headers, body: text });
  expect(status).toBe(200);
  await sandbox.control.POST('/clock/advance', { body: { seconds: 2 } });
  const all = ok(await sandbox.control.GET('/activity', { params: { query: { limit: 10_000 } } }));
  expect(JSON.stringify(all)).not.toContain('surplus');
  const trace = sent.get('x-trace-id') ?? '';
  const { items } = ok(await sandbox.control.GET('/activity', { params: { query: { trace } } }));
  const call = items.find((item) => item.kind === 'call_in' && item.operation === 'createRedemptionOrder');
  expect(call).toMatchObject({
    request: { uid: 'CUST0001', line_items: [{ sku: 'EGV-SPICE-500', quantity: 1 }] },
    notices: ['unknown field /x ignored', 'unknown field /__proto__ ignored', 'unknown field /line_items/0/y ignored'],
  });
});
