/** Tests signing in with a one-time password (D2 to D6; OP-18, OP-36). */
import { decodeJwt, decodeProtectedHeader } from 'jose';
import { expect, it } from 'vitest';
import { plain, refusal, wrapped } from '../harness/envelopes.ts';
import { temporaryFolder } from '../harness/folders.ts';
import { advance } from '../harness/orders.ts';
import { ok, raw, type TestSandbox, testSandbox } from '../harness/sandbox.ts';

const uid = 'CUST0005';
const wrong = wrapped(422, 'Incorrect OTP.');
const locked = wrapped(422, 'Customer is locked. Try again later.');

async function requestCode({ auth }: TestSandbox, customer_id = uid) {
  return auth.POST('/api/v1/auth/generate-otp', { body: { customer_id } });
}

/** Requests a code and reads it from the outbox. Also returns a wrong code as `miss`. */
async function code(sandbox: TestSandbox, customer_id = uid) {
  const { reference_id } = ok(await requestCode(sandbox, customer_id));
  const { items } = ok(await sandbox.control.GET('/messages', { params: { query: { uid: customer_id } } }));
  const otp = items[0]?.otp ?? '';
  return { reference_id, otp, miss: otp === '000000' ? '000001' : '000000' };
}

async function verify({ auth }: TestSandbox, reference_id: string, otp: string, customer_id = uid) {
  return auth.POST('/api/v1/auth/verify-otp', { body: { customer_id, otp, reference_id } });
}

it('D2, D4: OP-18: a code is sent to the registered number, and the reply does not contain it', async () => {
  const sandbox = await testSandbox();
  const { items } = ok(await sandbox.control.GET('/customers'));
  const mobileNo = items.find((customer) => customer.uid === uid)?.profile.mobileNo ?? '';
  const reply = ok(await requestCode(sandbox));
  expect(reply).toEqual({
    success: true,
    status: 200,
    reference_id: expect.stringMatching(/^OTP-000001-[2-9A-Z]{8}$/),
    expires_in: 300,
    mobile: `******${mobileNo.slice(-4)}`,
  });
  const { items: messages } = ok(await sandbox.control.GET('/messages'));
  const otp = messages[0]?.otp ?? '';
  const text = `${otp} is your one-time password. It is valid for 5 minutes.`;
  const { mobile, reference_id } = reply;
  expect(messages).toEqual([
    {
      seq: 1,
      source: 'reference_client',
      uid,
      kind: 'otp',
      channel: 'SMS',
      mobile,
      reference_id,
      otp,
      text,
      at: '2026-01-12T04:30:00.000Z',
    },
  ]);
  expect(otp).toMatch(/^\d{6}$/);
});

it("D6, T4: OP-19: the right code signs the customer in: a JWT for the platform, and the customer's points", async () => {
  const sandbox = await testSandbox();
  const { reference_id, otp } = await code(sandbox);
  const session = ok(await verify(sandbox, reference_id, otp));
  expect(session).toEqual({
    success: true,
    status: 200,
    token: expect.any(String),
    token_type: 'Bearer',
    expires_in: 1800,
    points: { totalEarned: 5000, balance: 5000, totalRedeemed: 0 },
  });
  const iat = Date.UTC(2026, 0, 12, 4, 30) / 1000;
  expect(decodeProtectedHeader(session.token)).toEqual({ alg: 'HS256', typ: 'JWT', kid: 'demo' });
  expect(decodeJwt(session.token)).toEqual({
    iss: 'client',
    aud: 'rewards-platform',
    sub: uid,
    jti: expect.stringMatching(/^[0-9a-f]{32}$/),
    iat,
    exp: iat + 1800,
  });
});

it('OP-18: a code works once: of ten concurrent uses, one signs in', async () => {
  const sandbox = await testSandbox();
  const { reference_id, otp } = await code(sandbox);
  const answers = await Promise.all(Array.from({ length: 10 }, () => verify(sandbox, reference_id, otp)));
  const used = answers.filter(({ response }) => response.status !== 200).map(refusal);
  expect(used).toEqual(Array(9).fill(wrapped(422, 'OTP has already been used.')));
});

it('OP-18: a code is valid for 300 s of sandbox time', async () => {
  const sandbox = await testSandbox();
  const [first, second] = [await code(sandbox), await code(sandbox, 'CUST0001')];
  await advance(sandbox, 299);
  ok(await verify(sandbox, first.reference_id, first.otp));
  await advance(sandbox, 1);
  const late = await verify(sandbox, second.reference_id, second.otp, 'CUST0001');
  expect(refusal(late)).toEqual(wrapped(422, 'OTP has expired.'));
});

it('OP-18: a code allows five tries; after five wrong ones the right one is refused too', async () => {
  const sandbox = await testSandbox();
  const { reference_id, otp, miss } = await code(sandbox);
  for (let tries = 1; tries <= 5; tries += 1) {
    expect(refusal(await verify(sandbox, reference_id, miss))).toEqual(wrong);
  }
  const tooManyTries = wrapped(422, 'Too many attempts for this OTP. Request a new one.');
  expect(refusal(await verify(sandbox, reference_id, otp))).toEqual(tooManyTries);
  const fresh = await code(sandbox);
  ok(await verify(sandbox, fresh.reference_id, fresh.otp));
});

it('the fifth try can succeed', async () => {
  const sandbox = await testSandbox();
  const { reference_id, otp, miss } = await code(sandbox);
  for (let tries = 1; tries <= 4; tries += 1) expect(refusal(await verify(sandbox, reference_id, miss))).toEqual(wrong);
  ok(await verify(sandbox, reference_id, otp));
});

it('OP-18: 20 failures in a row lock the customer, and no other, for 15 minutes; new codes do not clear the count', async () => {
  const sandbox = await testSandbox();
  const first = await code(sandbox);
  for (let codes = 0; codes < 4; codes += 1) {
    const { reference_id, miss } = await code(sandbox);
    for (let tries = 0; tries < 5; tries += 1) {
      expect(refusal(await verify(sandbox, reference_id, miss))).toEqual(wrong);
    }
  }
  expect(refusal(await verify(sandbox, first.reference_id, first.otp))).toEqual(locked);
  expect(refusal(await requestCode(sandbox))).toEqual(locked);
  const other = await code(sandbox, 'CUST0001');
  ok(await verify(sandbox, other.reference_id, other.otp, 'CUST0001'));
  await advance(sandbox, 899);
  expect(refusal(await requestCode(sandbox))).toEqual(locked);
  await advance(sandbox, 1);
  const { reference_id, otp } = await code(sandbox);
  ok(await verify(sandbox, reference_id, otp));
});

it('OP-18: 19 failures do not lock, and a success clears the count; an unknown reference counts too', async () => {
  const sandbox = await testSandbox();
  for (let round = 0; round < 2; round += 1) {
    const first = await code(sandbox);
    for (let tries = 0; tries < 19; tries += 1) await verify(sandbox, 'OTP-NOBODY', '123456');
    ok(await verify(sandbox, first.reference_id, first.otp));
  }
  for (let tries = 0; tries < 20; tries += 1) await verify(sandbox, 'OTP-NOBODY', '123456');
  expect(refusal(await requestCode(sandbox))).toEqual(locked);
});

it('D5: OP-18: a code is bound to its reference and its customer', async () => {
  const sandbox = await testSandbox();
  const [mine, other] = [await code(sandbox), await code(sandbox, 'CUST0001')];
  const unknown = wrapped(422, 'Unknown reference_id.');
  expect(refusal(await verify(sandbox, 'OTP-NOBODY', mine.otp))).toEqual(unknown);
  expect(refusal(await verify(sandbox, mine.reference_id, mine.otp, 'CUST0001'))).toEqual(unknown);
  expect(refusal(await verify(sandbox, other.reference_id, other.otp))).toEqual(unknown);
  expect(refusal(await verify(sandbox, mine.reference_id, mine.otp, 'CUST9999'))).toEqual(unknown);
  if (other.otp !== mine.otp) expect(refusal(await verify(sandbox, mine.reference_id, other.otp))).toEqual(wrong);
  ok(await verify(sandbox, mine.reference_id, mine.otp));
});

it('OP-125: a new code voids the older codes of the same customer only', async () => {
  const sandbox = await testSandbox();
  const other = await code(sandbox, 'CUST0001');
  const [first, second, third] = [await code(sandbox), await code(sandbox), await code(sandbox)];
  const replaced = wrapped(422, 'A newer OTP was sent. Use that one.');
  for (const { reference_id, otp } of [first, second]) {
    expect(refusal(await verify(sandbox, reference_id, otp))).toEqual(replaced);
  }
  ok(await verify(sandbox, third.reference_id, third.otp));
  ok(await verify(sandbox, other.reference_id, other.otp, 'CUST0001'));
});

it('OP-126: a customer is sent five codes in ten minutes; the sixth is refused and voids nothing', async () => {
  const sandbox = await testSandbox();
  await code(sandbox);
  await advance(sandbox, 400);
  for (let codes = 2; codes <= 4; codes += 1) await code(sandbox);
  const fifth = await code(sandbox);
  const tooMany = await requestCode(sandbox);
  expect(refusal(tooMany)).toEqual(wrapped(422, 'Too many OTP requests. Try again later.'));
  expect(tooMany.response.headers.get('x-problem')).toBe('the next code can be sent in 200 s');
  ok(await requestCode(sandbox, 'CUST0001'));
  const { items } = ok(await sandbox.control.GET('/messages', { params: { query: { uid } } }));
  expect(items).toHaveLength(5);
  await advance(sandbox, 199);
  expect(refusal(await requestCode(sandbox))).toEqual(wrapped(422, 'Too many OTP requests. Try again later.'));
  ok(await verify(sandbox, fifth.reference_id, fifth.otp));
});

it('OP-126: the limit ends with the window, and the window slides', async () => {
  const sandbox = await testSandbox();
  for (let codes = 1; codes <= 5; codes += 1) {
    await code(sandbox);
    await advance(sandbox, 100);
  }
  expect((await requestCode(sandbox)).response.headers.get('x-problem')).toBe('the next code can be sent in 100 s');
  await advance(sandbox, 100);
  ok(await requestCode(sandbox));
  expect((await requestCode(sandbox)).response.headers.get('x-problem')).toBe('the next code can be sent in 100 s');
});

it('OP-126: a sign-in restarts the count; a failure does not', async () => {
  const sandbox = await testSandbox();
  for (let signIns = 0; signIns < 7; signIns += 1) {
    const { reference_id, otp } = await code(sandbox);
    ok(await verify(sandbox, reference_id, otp));
  }
  for (let codes = 0; codes < 5; codes += 1) {
    const { reference_id, miss } = await code(sandbox);
    expect(refusal(await verify(sandbox, reference_id, miss))).toEqual(wrong);
  }
  expect((await requestCode(sandbox)).response.status).toBe(422);
});

it('OP-126: the count survives a restart', async () => {
  const dataDir = await temporaryFolder();
  const first = await testSandbox({ dataDir });
  for (let codes = 0; codes < 5; codes += 1) ok(await requestCode(first));
  await first.close();
  const second = await testSandbox({ dataDir });
  expect((await requestCode(second)).response.status).toBe(422);
  ok(await requestCode(second, 'CUST0001'));
});

it('OP-126: of ten concurrent calls, five get a code', async () => {
  const sandbox = await testSandbox();
  const answers = await Promise.all(Array.from({ length: 10 }, () => requestCode(sandbox)));
  expect(answers.map(({ response }) => response.status).sort()).toEqual([...Array(5).fill(200), ...Array(5).fill(422)]);
});

it('D3: OP-44: an unknown customer gets no code', async () => {
  const sandbox = await testSandbox();
  expect(refusal(await requestCode(sandbox, 'CUST9999'))).toEqual(wrapped(422, 'Unknown customer.'));
  expect(ok(await sandbox.control.GET('/messages'))).toEqual({ items: [], next: null });
});

it('D1: OP-37: missing or wrong Basic credentials get 401 before the body is read', async () => {
  const { urls, credentials } = await testSandbox();
  const { username, password } = credentials.basic;
  const encode = (text: string) => `Basic ${Buffer.from(text).toString('base64')}`;
  const headers = [
    {},
    { authorization: 'Basic' },
    { authorization: 'Basic !' },
    { authorization: `Bearer ${credentials.service_token}` },
    { authorization: encode(`${username}:wrong`) },
    { authorization: encode(`wrong:${password}`) },
    { authorization: encode(`${username}${password}`) },
    { authorization: encode(`${username}:${password} `) },
    { authorization: encode(':') },
  ];
  for (const path of ['generate-otp', 'verify-otp']) {
    for (const header of headers) {
      const answer = await raw(`${urls.client}/api/v1/auth/${path}`, { method: 'POST', headers: header, body: '{' });
      expect(plain(answer)).toEqual(wrapped(401, 'Missing or invalid Basic credentials'));
      expect(answer.headers.get('www-authenticate')).toBe('Basic realm="rewards-client", charset="UTF-8"');
    }
  }
});
