/** Tests how the platform handles replies that conform to the interface but differ from the reference client's. */
import { expect, it } from 'vitest';
import { type Reaction, stubClient } from '../harness/client-stub.ts';
import { flat, refusal } from '../harness/envelopes.ts';
import { advance, order } from '../harness/orders.ts';
import { ok, signIn, type TestSandbox, testSandbox } from '../harness/sandbox.ts';
import { eventsOf, ledgerOf, opening } from '../harness/state.ts';
import { replyFindings } from './replies-of-the-client.ts';

/** Returns the first customer's profile and points, as the reference client sends them. */
async function profileAndPoints(sandbox: TestSandbox) {
  return ok(await sandbox.client().POST('/getProfileAndPoints', { params: { query: { uid: 'CUST0001' } } }));
}

/** Returns the findings in the client's replies, by operation. */
async function findingsOf(sandbox: TestSandbox) {
  return replyFindings(ok(await sandbox.control.GET('/activity')).items);
}

/** Stubs the client's reply to one operation. The reference client answers all others. */
function stubReply(sandbox: TestSandbox, operation: string, reaction: Reaction) {
  return stubClient(sandbox, (call) => (call.operation === operation ? reaction : 'pass'));
}

it('R8, R9, R10: OP-102: pincode and state are integers and texts may be empty; the platform drops extra fields', async () => {
  const sandbox = await testSandbox();
  const { jwt, companyToken } = await signIn(sandbox, 'CUST0001');
  const { profile, points } = await profileAndPoints(sandbox);
  const texts = Object.entries(profile).filter(([name, value]) => name !== 'uid' && typeof value === 'string');
  const bare = { ...profile, ...Object.fromEntries(texts.map(([name]) => [name, ''])), pincode: 0, state: 0 };
  const debt = { ...points, balance: -20 };
  const body = { profile: { ...bare, tier: 'gold' }, points: { ...debt, held: 7 }, request_id: 'R-1' };
  await stubReply(sandbox, 'getProfileAndPoints', { status: 200, body });
  const credentials = { uid: 'CUST0001', token: jwt };
  const session = await sandbox.rewards(companyToken).POST('/v1/customer/auth', { body: credentials });
  expect(ok(session)).toMatchObject({ profile: bare, points: debt });
  expect(JSON.stringify(session.data)).not.toMatch(/tier|held|request_id/);
  expect(await findingsOf(sandbox)).toEqual([]);
});

it.each([400, 401, 403, 404, 409])(
  'B8, B9: OP-101: %d to saveRedeemDetails is a refusal: the platform calls once, places no order and reports nothing',
  async (status) => {
    const sandbox = await testSandbox();
    const clientCalls = await stubReply(sandbox, 'saveRedeemDetails', { status, body: { error: 'no', at: 'gateway' } });
    expect(refusal(await order(sandbox))).toEqual(flat(422, 56, `Refused by the client: status ${status}`));
    await advance(sandbox, 86_400);
    const operations = clientCalls.map(({ operation }) => operation).filter((id) => id !== 'getProfileAndPoints');
    expect(operations).toEqual(['saveRedeemDetails']);
    // A 401 means that the token is invalid. The interface leaves the status open in this case (B8), and the sandbox expects 422.
    const common = { code: 'reply.status.undocumented', severity: 'warning', basis: 'OP-15' };
    const finding = { ...common, pointer: '/status', expected: '422, because the token is invalid', actual: '401' };
    expect(await findingsOf(sandbox)).toEqual(status === 401 ? [['saveRedeemDetails', [finding]]] : []);
    expect((await ledgerOf(sandbox, 'CUST0001')).entries).toEqual([opening]);
  },
);

it('X1: OP-101: a 422 in another envelope is still a refusal, and the log names the missing fields', async () => {
  const sandbox = await testSandbox();
  const clientCalls = await stubReply(sandbox, 'saveRedeemDetails', {
    status: 422,
    body: { error: 'points have changed' },
  });
  expect(refusal(await order(sandbox))).toEqual(flat(422, 56, 'Refused by the client: status 422'));
  expect(clientCalls.filter(({ operation }) => operation === 'saveRedeemDetails')).toHaveLength(1);
  const missingFields = ['success', 'status', 'data'].map((name) => {
    const common = { code: 'reply.body.required', severity: 'error', basis: 'stated X1 X3' };
    return { ...common, pointer: `/body/${name}`, expected: 'is required', actual: 'nothing' };
  });
  expect(await findingsOf(sandbox)).toEqual([['saveRedeemDetails', missingFields]]);
});

it.each([
  ['30,000 arrays deep', `${'['.repeat(30_000)}${']'.repeat(30_000)}`],
  ['an object', '{"toString":1}'],
])('OP-101: a 422 whose message is %s is a refusal without a message', async (_, message) => {
  const sandbox = await testSandbox();
  const body = `{"success":false,"status":422,"data":{"name":"x","message":${message},"code":0,"status":422,"type":"x"}}`;
  await stubReply(sandbox, 'saveRedeemDetails', { status: 422, body });
  expect(refusal(await order(sandbox))).toEqual(flat(422, 56, 'Refused by the client: status 422'));
});

it.each([408, 425, 429, 500, 503])(
  'OP-101: OP-23: %d to saveRedeemDetails decides nothing: the platform calls three times',
  async (status) => {
    const sandbox = await testSandbox();
    const clientCalls = await stubReply(sandbox, 'saveRedeemDetails', { status, body: '<html>' });
    expect(refusal(await order(sandbox))).toEqual(flat(502, 57, 'No usable response from the client'));
    expect(clientCalls.filter(({ operation }) => operation === 'saveRedeemDetails')).toHaveLength(3);
  },
);

it('OP-101: 403 to redeemPoints of version 2.0 is a refusal too', async () => {
  const sandbox = await testSandbox();
  const clientCalls = await stubReply(sandbox, 'api/v1/orders/redeem', { status: 403, body: '' });
  const body = { customer_id: 'CUST0001', line_items: [{ sku: 'EGV-SPICE-500', quantity: 1 }] };
  const placed = await sandbox.v2Platform(await sandbox.companyToken()).POST('/api/v1/orders', { body });
  expect(refusal(placed)).toEqual(flat(422, 56, 'Refused by the client: status 403'));
  expect(clientCalls.filter(({ operation }) => operation === 'api/v1/orders/redeem')).toHaveLength(1);
});

it.each<[string, Reaction]>([
  ['202 with another body', { status: 202, body: { queued: true } }],
  ['204 without a body', { status: 204, body: '' }],
  ['200 without a body', { status: 200, body: '' }],
  ['200 with a text', { status: 200, body: 'OK' }],
])('B4: OP-102: %s to creditPoints counts as success: the event is sent once', async (_, reaction) => {
  const sandbox = await testSandbox();
  const clientCalls = await stubReply(sandbox, 'creditPoints', reaction);
  const payment = { uid: 'CUST0001', transactionId: 'UPI-1', paymentAmount: '1000' };
  ok(await sandbox.control.POST('/triggers/payment', { body: payment }));
  await advance(sandbox, 86_400);
  expect(clientCalls.filter(({ operation }) => operation === 'creditPoints')).toHaveLength(1);
  expect(await eventsOf(sandbox)).not.toHaveProperty('delivery.postponed');
});
