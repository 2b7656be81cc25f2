/** What the platform makes of replies that are as the interface has them, but not as the reference client's are. */
import { expect, it } from 'vitest';
import { type Reaction, stubClient } from '../harness/client-stub.ts';
import { flat, refusal } from '../harness/envelopes.ts';
import { advance, order } from '../harness/orders.ts';
import { ok, signIn, type TestSandbox, testSandbox } from '../harness/sandbox.ts';
import { eventsOf, ledgerOf } from '../harness/state.ts';

const opening = { kind: 'credit', points: 25_000, reference: 'opening', label: 'Earned' };

/** Profile and points of the first customer, as the reference client tells them. */
async function told(sandbox: TestSandbox) {
  return ok(await sandbox.client().POST('/getProfileAndPoints', { params: { query: { uid: 'CUST0001' } } }));
}

/** Where replies broke the contract, by operation. */
async function deviationsOf(sandbox: TestSandbox) {
  const { items } = ok(await sandbox.control.GET('/activity'));
  return items.flatMap((item) =>
    'deviations' in item && item.deviations !== undefined ? [[item.operation, item.deviations]] : [],
  );
}

/** Has the client answer one operation so, and the others as the reference client does. */
function answering(sandbox: TestSandbox, operation: string, reaction: Reaction) {
  return stubClient(sandbox, (call) => (call.operation === operation ? reaction : 'pass'));
}

it('R8, R9, R10: OP-102: pincode and state are integers and texts may be empty; extra fields go no further', async () => {
  const sandbox = await testSandbox();
  const { jwt, companyToken } = await signIn(sandbox, 'CUST0001');
  const { profile, points } = await told(sandbox);
  const texts = Object.entries(profile).filter(([name, value]) => name !== 'uid' && typeof value === 'string');
  const bare = { ...profile, ...Object.fromEntries(texts.map(([name]) => [name, ''])), pincode: 0, state: 0 };
  const debt = { ...points, balance: -20 };
  const body = { profile: { ...bare, tier: 'gold' }, points: { ...debt, held: 7 }, request_id: 'R-1' };
  await answering(sandbox, 'getProfileAndPoints', { status: 200, body });
  const credentials = { uid: 'CUST0001', token: jwt };
  const session = await sandbox.rewards(companyToken).POST('/v1/customer/auth', { body: credentials });
  expect(ok(session)).toMatchObject({ profile: bare, points: debt });
  expect(JSON.stringify(session.data)).not.toMatch(/tier|held|request_id/);
  expect(await deviationsOf(sandbox)).toEqual([]);
});

it.each([400, 401, 403, 404, 409])(
  'B8, B9: OP-101: %d to saveRedeemDetails is a refusal: it is asked once, no order stands and nothing is reported',
  async (status) => {
    const sandbox = await testSandbox();
    const heard = await answering(sandbox, 'saveRedeemDetails', { status, body: { error: 'no', at: 'gateway' } });
    expect(refusal(await order(sandbox))).toEqual(flat(422, 56, `Refused by the client: status ${status}`));
    await advance(sandbox, 86_400);
    const asked = heard.map(({ operation }) => operation).filter((id) => id !== 'getProfileAndPoints');
    expect(asked).toEqual(['saveRedeemDetails']);
    // A 401 says that the token is invalid, and the interface answers that with 422.
    const told = { code: 'reply.status.undocumented', severity: 'error', basis: 'stated X1 X3' };
    const due = { ...told, pointer: '/status', expected: '422, because the token is invalid', actual: '401' };
    expect(await deviationsOf(sandbox)).toEqual(status === 401 ? [['saveRedeemDetails', [due]]] : []);
    expect((await ledgerOf(sandbox, 'CUST0001')).entries).toEqual([opening]);
  },
);

it('X1: OP-101: a 422 in another envelope is a refusal all the same, and the log tells what the envelope lacks', async () => {
  const sandbox = await testSandbox();
  const heard = await answering(sandbox, 'saveRedeemDetails', { status: 422, body: { error: 'points have changed' } });
  expect(refusal(await order(sandbox))).toEqual(flat(422, 56, 'Refused by the client: status 422'));
  expect(heard.filter(({ operation }) => operation === 'saveRedeemDetails')).toHaveLength(1);
  const lacks = ['success', 'status', 'data'].map((name) => {
    const rests = { code: 'reply.body.required', severity: 'error', basis: 'stated X1 X3' };
    return { ...rests, pointer: `/body/${name}`, expected: 'is required', actual: 'nothing' };
  });
  expect(await deviationsOf(sandbox)).toEqual([['saveRedeemDetails', lacks]]);
});

it.each([
  ['30,000 arrays deep', `${'['.repeat(30_000)}${']'.repeat(30_000)}`],
  ['an object', '{"toString":1}'],
])('OP-101: a 422 whose message is %s is a refusal without words', async (_, message) => {
  const sandbox = await testSandbox();
  const body = `{"success":false,"status":422,"data":{"name":"x","message":${message},"code":0,"status":422,"type":"x"}}`;
  await answering(sandbox, 'saveRedeemDetails', { status: 422, body });
  expect(refusal(await order(sandbox))).toEqual(flat(422, 56, 'Refused by the client: status 422'));
});

it.each([408, 425, 429, 500, 503])(
  'OP-101: OP-23: %d to saveRedeemDetails decides nothing: it is asked three times',
  async (status) => {
    const sandbox = await testSandbox();
    const heard = await answering(sandbox, 'saveRedeemDetails', { status, body: '<html>' });
    expect(refusal(await order(sandbox))).toEqual(flat(502, 57, 'No usable response from the client'));
    expect(heard.filter(({ operation }) => operation === 'saveRedeemDetails')).toHaveLength(3);
  },
);

it('OP-101: 403 to redeemPoints of version 2.0 is a refusal too', async () => {
  const sandbox = await testSandbox();
  const heard = await answering(sandbox, 'api/v1/orders/redeem', { status: 403, body: '' });
  const body = { customer_id: 'CUST0001', line_items: [{ sku: 'EGV-SPICE-500', quantity: 1 }] };
  const placed = await sandbox.v2Platform(await sandbox.companyToken()).POST('/api/v1/orders', { body });
  expect(refusal(placed)).toEqual(flat(422, 56, 'Refused by the client: status 403'));
  expect(heard.filter(({ operation }) => operation === 'api/v1/orders/redeem')).toHaveLength(1);
});

it.each<[string, Reaction]>([
  ['202 with another body', { status: 202, body: { queued: true } }],
  ['204 without a body', { status: 204, body: '' }],
  ['200 without a body', { status: 200, body: '' }],
  ['200 with a text', { status: 200, body: 'OK' }],
])('B4: OP-102: %s to creditPoints is a yes: the event is sent once', async (_, reaction) => {
  const sandbox = await testSandbox();
  const heard = await answering(sandbox, 'creditPoints', reaction);
  const payment = { uid: 'CUST0001', transactionId: 'UPI-1', paymentAmount: '1000' };
  ok(await sandbox.control.POST('/triggers/payment', { body: payment }));
  await advance(sandbox, 86_400);
  expect(heard.filter(({ operation }) => operation === 'creditPoints')).toHaveLength(1);
  expect(await eventsOf(sandbox)).not.toHaveProperty('delivery.postponed');
});
