/** Tests the message gateway and its messages in the outbox (OP-164 to OP-168). */
import { expect, it } from 'vitest';
import { flat, plain, refusal } from '../harness/envelopes.ts';
import { ok, raw, type TestSandbox, testSandbox } from '../harness/sandbox.ts';
import { companyTokenOf, workspaceOf } from '../harness/workspaces.ts';

const at = '2026-01-12T04:30:00.000Z';
const to = '+919876543210';
const mobile = '*********3210';
const minimal = { channel: 'sms', to, text: 'Hello.' } as const;
const otp = {
  channel: 'sms',
  to,
  text: '493027 is your code.',
  customer_id: 'PERSON-7',
  reference_id: 'REF-7',
} as const;

/** Returns the outbox, newest message first. */
async function outbox({ control }: Pick<TestSandbox, 'control'>, query = {}) {
  return ok(await control.GET('/messages', { params: { query } }));
}

it('OP-164, OP-167: the outbox has each sent message with its source, number, customer and code', async () => {
  const sandbox = await testSandbox();
  expect(ok(await sandbox.gateway().POST('/v1/messages', { body: otp }))).toEqual({ seq: 1 });
  const body = { channel: 'whatsapp', to, text: 'Your voucher is on its way.' } as const;
  expect(ok(await sandbox.gateway().POST('/v1/messages', { body }))).toEqual({ seq: 2 });
  expect(await outbox(sandbox)).toEqual({
    items: [
      { ...{ seq: 2, source: 'gateway', uid: null, kind: 'other', channel: 'WhatsApp', mobile, at }, text: body.text },
      {
        seq: 1,
        source: 'gateway',
        uid: 'PERSON-7',
        kind: 'otp',
        channel: 'SMS',
        mobile,
        at,
        reference_id: 'REF-7',
        otp: '493027',
        text: otp.text,
      },
    ],
    next: null,
  });
});

it('OP-165: a message without customer_id belongs to the only customer whose number ends in the same ten digits', async () => {
  const sandbox = await testSandbox();
  const { control } = sandbox;
  const send = async (number: string) => {
    ok(await sandbox.gateway().POST('/v1/messages', { body: { ...minimal, to: number } }));
    return (await outbox(sandbox)).items[0]?.uid;
  };
  ok(await control.POST('/customers', { body: { uid: 'ANN', profile: { mobileNo: '98765 00001' } } }));
  expect([await send('+919876500001'), await send('9876500001'), await send('9876500002')]).toEqual([
    'ANN',
    'ANN',
    null,
  ]);
  // If two customers share a number, the message is assigned to neither.
  ok(await control.POST('/customers', { body: { uid: 'BEN', profile: { mobileNo: '+919876500001' } } }));
  expect(await send('9876500001')).toBeNull();
  ok(
    await control.PATCH('/customers/{uid}', { params: { path: { uid: 'BEN' } }, body: { profile: { mobileNo: '' } } }),
  );
  expect(await send('9876500001')).toBe('ANN');
  expect(await send('500001')).toBeNull();
});

it('OP-167: the outbox filters both sources by customer, reference and channel, page by page', async () => {
  const sandbox = await testSandbox();
  const gateway = sandbox.gateway();
  const reply = await sandbox.auth.POST('/api/v1/auth/generate-otp', { body: { customer_id: 'CUST0007' } });
  const { reference_id } = ok(reply);
  ok(await gateway.POST('/v1/messages', { body: { ...otp, customer_id: 'CUST0007', channel: 'whatsapp' } }));
  ok(await gateway.POST('/v1/messages', { body: { ...otp, reference_id } }));
  ok(await gateway.POST('/v1/messages', { body: minimal }));
  const seqs = async (query: object) => {
    const { items, next } = await outbox(sandbox, query);
    return [items.map(({ seq }) => seq), next];
  };
  expect(await seqs({ uid: 'CUST0007' })).toEqual([[2, 1], null]);
  expect(await seqs({ reference_id })).toEqual([[3, 1], null]);
  expect(await seqs({ reference_id, uid: 'CUST0007' })).toEqual([[1], null]);
  expect(await seqs({ channel: 'WhatsApp' })).toEqual([[2], null]);
  expect(await seqs({ channel: 'SMS', limit: 2 })).toEqual([[4, 3], null]);
  expect(await seqs({ channel: 'SMS', limit: 2, after: 0 })).toEqual([[3, 1], 3]);
  expect(await seqs({ channel: 'SMS', limit: 2, after: 3 })).toEqual([[4], null]);
  expect(await seqs({ reference_id: 'NONE' })).toEqual([[], null]);
});

it('OP-167: a caller that waits for the message of a reference gets it when it arrives', async () => {
  const sandbox = await testSandbox();
  const waiting = outbox(sandbox, { reference_id: 'REF-7', wait: 60 });
  ok(await sandbox.gateway().POST('/v1/messages', { body: minimal }));
  ok(await sandbox.gateway().POST('/v1/messages', { body: otp }));
  expect((await waiting).items).toMatchObject([{ seq: 2, otp: '493027' }]);
});

it('OP-164: the gateway token of a workspace writes to its outbox and opens nothing else; no other credential opens the gateway', async () => {
  const sandbox = await testSandbox();
  const own = await workspaceOf(sandbox);
  ok(await own.gateway().POST('/v1/messages', { body: minimal }));
  expect([(await outbox(own)).items.length, (await outbox(sandbox)).items.length]).toEqual([1, 0]);

  const { credentials, urls, workspace } = sandbox;
  const { basic, gateway_token, service_token, company_secret } = credentials;
  const others = [
    ...[service_token, company_secret, workspace.admin_token, await companyTokenOf(sandbox)].map(
      (one) => `Bearer ${one}`,
    ),
    ...[
      `Basic ${btoa(`${basic.username}:${basic.password}`)}`,
      `Basic ${btoa(`x:${gateway_token}`)}`,
      gateway_token,
      '',
    ],
  ];
  for (const authorization of others) {
    const headers = { 'content-type': 'application/json', ...(authorization !== '' && { authorization }) };
    const response = await raw(`${urls.gateway}/v1/messages`, { method: 'POST', headers, body: '{}' });
    expect(plain(response)).toEqual(flat(401, 40, 'Missing or invalid token'));
  }
  const asSender = { headers: { authorization: `Bearer ${gateway_token}` } };
  const otherUrls = [`${urls.sandbox}/messages`, `${urls.rewards}/v1/partner/rewards`];
  expect(await Promise.all(otherUrls.map(async (url) => (await raw(url, asSender)).status))).toEqual([401, 401]);
});

const form = '^\\+?[0-9]{6,15}$ (The phone number in digits, with or without country code)';

it.each([
  ['another channel', { channel: 'email' }, '/channel must be one of "sms", "whatsapp"'],
  ['too short a number', { to: '12345' }, `/to must match ${form}`],
  ['a number with spaces', { to: '+91 98765 43210' }, `/to must match ${form}`],
  ['an empty text', { text: '' }, '/text must not be empty'],
  ['a text of more than 1600 characters', { text: 'x'.repeat(1601) }, '/text must have at most 1,600 characters'],
  ['an empty customer_id', { customer_id: '' }, '/customer_id must not be empty'],
  ['too long a reference_id', { reference_id: 'x'.repeat(65) }, '/reference_id must have at most 64 characters'],
])('OP-164: %s is refused with the reason, and the outbox stays empty', async (_, wrong, problem) => {
  const sandbox = await testSandbox();
  const body = { ...otp, ...wrong } as typeof otp;
  const answer = await sandbox.gateway().POST('/v1/messages', { body });
  expect(refusal(answer)).toEqual(flat(400, 53, `Invalid request: ${problem}`));
  expect((await outbox(sandbox)).items).toEqual([]);
});

it('OP-164: messages do not count toward the quota or need an allowed address', async () => {
  const sandbox = await testSandbox();
  const rewards = sandbox.rewards(await companyTokenOf(sandbox));
  ok(await sandbox.control.PATCH('/workspace', { body: { settings: { rate_limit: 2 } } }));
  for (let times = 0; times < 5; times += 1) {
    const { response } = await sandbox.gateway().POST('/v1/messages', { body: minimal });
    expect([response.status, response.headers.get('ratelimit')]).toEqual([201, null]);
  }
  expect((await rewards.GET('/v1/partner/rewards')).response.status).toBe(200);
  ok(await sandbox.control.PATCH('/workspace', { body: { settings: { allowlist: ['10.0.0.0/8'] } } }));
  expect((await sandbox.gateway().POST('/v1/messages', { body: minimal })).response.status).toBe(201);
});

it('OP-168: the log has each message once, with masked text and number, in the trace of its caller', async () => {
  const sandbox = await testSandbox();
  const trace = '0af7651916cd43dd8448eb211c80319c';
  const headers = { traceparent: `00-${trace}-b7ad6b7169203331-01` };
  ok(await sandbox.gateway().POST('/v1/messages', { body: otp, headers }));
  const { items } = ok(await sandbox.control.GET('/activity', { params: { query: { trace } } }));
  const ours = { trace, party: 'sandbox', uid: 'PERSON-7', redeem_codes: [], at };
  const span = items[1] !== undefined && 'span' in items[1] ? items[1].span : undefined;
  expect(items).toEqual([
    {
      ...ours,
      seq: expect.any(Number),
      parent: span,
      kind: 'state',
      event: 'message.accepted',
      detail: { seq: 1, channel: 'SMS', reference_id: 'REF-7' },
    },
    expect.objectContaining({
      ...{
        ...ours,
        parent: 'b7ad6b7169203331',
        kind: 'call_in',
        operation: 'sendMessage',
        status: 201,
        reply: { seq: 1 },
      },
      request: {
        ...otp,
        to: 'string of 13 (masked, ends in 3210)',
        text: 'string of 20 (masked)',
      },
    }),
  ]);
  expect(ok(await sandbox.control.GET('/findings')).items).toEqual([]);
});

it('OP-168: the text of a refused message is masked too', async () => {
  const sandbox = await testSandbox();
  await sandbox.gateway().POST('/v1/messages', { body: { ...otp, channel: 'pigeon' as 'sms' } });
  const { items } = ok(await sandbox.control.GET('/activity'));
  expect(items).toMatchObject([{ operation: 'sendMessage', status: 400 }]);
  expect(JSON.stringify(items)).not.toMatch(/493027|9876543210/);
});
