/** Tests repeated calls with an `Idempotency-Key` (OP-20). */
import { expect, it } from 'vitest';
import { flat, plain } from '../harness/envelopes.ts';
import { advance, setBalance, voucher } from '../harness/orders.ts';
import { logIn, ok, raw, signIn, type TestSandbox, testSandbox } from '../harness/sandbox.ts';
import { balanceOf, eventsOf } from '../harness/state.ts';

const one = JSON.stringify({ uid: 'CUST0001', line_items: [voucher] });

/** Sends a body with an idempotency key. Returns the bytes of the reply. */
async function send(
  sandbox: TestSandbox,
  key: string | undefined,
  body: string,
  { path = '/v1/partner/redeemptiononskus', token }: { path?: string; token?: string } = {},
) {
  const authorization = token ?? (await sandbox.companyToken());
  const headers = {
    authorization,
    'content-type': 'application/json',
    ...(key !== undefined && { 'idempotency-key': key }),
  };
  const response = await fetch(`${sandbox.urls.rewards}${path}`, { method: 'POST', headers, body });
  return {
    status: response.status,
    text: await response.text(),
    replayed: response.headers.get('idempotent-replayed'),
  };
}

const parsed = ({ status, text }: { status: number; text: string }) => plain({ status, body: JSON.parse(text) });

it.each([2, 20])('OP-20: %i concurrent calls with one key have one effect and one reply', async (count) => {
  const sandbox = await testSandbox();
  const replies = await Promise.all(Array.from({ length: count }, () => send(sandbox, 'key-1', one)));
  expect(new Set(replies.map(({ status, text }) => `${status} ${text}`)).size).toBe(1);
  expect(replies[0]?.status).toBe(200);
  expect(replies.filter(({ replayed }) => replayed === null)).toHaveLength(1);
  expect(await balanceOf(sandbox, 'CUST0001')).toBe(24_500);
  expect(await eventsOf(sandbox)).toMatchObject({ 'order.placed': 1 });
});

it('OP-20: the same key with another body is refused with code 58, even while the first call is in progress', async () => {
  const sandbox = await testSandbox();
  const conflict = flat(409, 58, 'Idempotency-Key was used with another body');
  const bodies = [one, `${one} `, JSON.stringify({ uid: 'CUST0001', line_items: [voucher, voucher] })];
  const replies = await Promise.all(bodies.map((body) => send(sandbox, 'key-1', body)));
  expect(replies.map(({ status }) => status).sort()).toEqual([200, 409, 409]);
  const other = JSON.stringify({ uid: 'CUST0005', line_items: [voucher] });
  expect(parsed(await send(sandbox, 'key-1', other))).toEqual(conflict);
  expect(await balanceOf(sandbox, 'CUST0005')).toBe(5000);
  expect(await eventsOf(sandbox)).toMatchObject({ 'order.placed': 1 });
});

it('OP-20: a stored refusal is returned even if the call could succeed now', async () => {
  const sandbox = await testSandbox();
  const body = JSON.stringify({ uid: 'CUST0003', line_items: [voucher] });
  const first = await send(sandbox, 'key-1', body);
  expect(parsed(first)).toEqual(flat(422, 54, 'Insufficient balance: 500 points needed, 100 available'));
  await setBalance(sandbox, 'CUST0003', 5000);
  expect(await send(sandbox, 'key-1', body)).toEqual({ ...first, replayed: 'true' });
  expect(parsed(await send(sandbox, 'key-2', body))).toMatchObject({ status: 200 });
});

it('OP-20: a key applies to one operation, and calls without a key are independent', async () => {
  const sandbox = await testSandbox();
  const payment = JSON.stringify({
    uid: 'CUST0001',
    eventType: 'DIGITAL_PAYMENT',
    transactionId: 'TXN-1',
    paymentAmount: '100',
  });
  const path = '/v1/partner/events/payment';
  expect((await send(sandbox, 'key-1', one)).status).toBe(200);
  const paid = await send(sandbox, 'key-1', payment, { path });
  expect({ status: paid.status, replayed: paid.replayed }).toEqual({ status: 202, replayed: null });
  expect(await send(sandbox, 'key-1', payment, { path })).toEqual({ ...paid, replayed: 'true' });
  await send(sandbox, undefined, one);
  await send(sandbox, undefined, one);
  expect(await eventsOf(sandbox)).toMatchObject({ 'order.placed': 3, 'payment.accepted': 1 });
});

it('a repeated registration returns the same secret, and registers one address', async () => {
  const sandbox = await testSandbox();
  const body = JSON.stringify({ url: 'https://client.invalid/hooks' });
  const path = '/v1/partner/webhooks';
  const first = await send(sandbox, 'key-1', body, { path });
  expect(first.status).toBe(201);
  expect(await send(sandbox, 'key-1', body, { path })).toEqual({ ...first, replayed: 'true' });
  const { items } = ok(await sandbox.rewards(await sandbox.companyToken()).GET('/v1/partner/webhooks'));
  expect(items).toHaveLength(1);
});

it("a key does not return another customer's reply", async () => {
  const sandbox = await testSandbox();
  const owner = await signIn(sandbox, 'CUST0001');
  const other = await signIn(sandbox, 'CUST0005');
  expect((await send(sandbox, 'key-1', one, { token: owner.customerToken })).status).toBe(200);
  const stolen = await send(sandbox, 'key-1', one, { token: other.customerToken });
  expect(parsed(stolen)).toEqual(flat(400, 53, "Invalid request: /uid must be the session's own customer"));
});

it.each([
  ['empty', ''],
  ['longer than 255', 'x'.repeat(256)],
  ['with a space', 'key 1'],
])('OP-20: a key that is %s is refused', async (_, key) => {
  const sandbox = await testSandbox();
  const problem = expect.stringMatching(/^Invalid request: header parameter Idempotency-Key must /);
  expect(parsed(await send(sandbox, key, one))).toEqual(flat(400, 53, problem));
  expect(await balanceOf(sandbox, 'CUST0001')).toBe(25_000);
});

it('OP-20: keys of two customers never collide, wherever their uids and keys contain colons', async () => {
  const sandbox = await testSandbox();
  ok(await sandbox.control.POST('/customers', { body: { uid: 'CUST0001:a', points: { balance: 1000 } } }));
  const [short, long] = [await logIn(sandbox, 'CUST0001'), await logIn(sandbox, 'CUST0001:a')];
  const send = async (token: string, key: string) => {
    const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json', 'idempotency-key': key };
    const body = JSON.stringify({ line_items: [voucher] });
    const answer = await raw(`${sandbox.urls.general}/v1/orders`, { method: 'POST', headers, body });
    return [answer.status, answer.headers.get('idempotent-replayed')];
  };
  expect(await send(long, 'b')).toEqual([200, null]);
  expect(await send(short, 'a:b')).toEqual([200, null]);
  expect(await balanceOf(sandbox, 'CUST0001')).toBe(24_500);
});

it('OP-20: a reply is stored for at least 24 hours', async () => {
  const sandbox = await testSandbox();
  const first = await send(sandbox, 'key-1', one);
  await advance(sandbox, 24 * 3600);
  expect(await send(sandbox, 'key-1', one)).toEqual({ ...first, replayed: 'true' });
});
