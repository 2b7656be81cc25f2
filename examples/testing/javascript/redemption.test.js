/** An example for node:test in which each test uses its own workspace. Your tests would drive your server. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { accepted, call, startSandbox } from './rewards-sandbox.js';

let sandbox;
before(async () => {
  sandbox = await startSandbox();
});
after(() => sandbox.stop());

/** Signs in at the reference client with a one-time password from the outbox. Returns the customer's token. */
async function signIn(workspace, uid) {
  const { client, rewards } = workspace.urls;
  const { username, password } = workspace.credentials.basic;
  const basic = { Authorization: `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}` };
  const sent = await accepted('POST', `${client}/api/v1/auth/generate-otp`, { customer_id: uid }, basic);
  const { items } = await workspace.control('GET', `/messages?uid=${uid}`);
  const code = { customer_id: uid, otp: items[0].otp, reference_id: sent.reference_id };
  const { token } = await accepted('POST', `${client}/api/v1/auth/verify-otp`, code, basic);
  const company = { Authorization: await workspace.companyToken() };
  return (await accepted('POST', `${rewards}/v1/customer/auth`, { uid, token }, company)).token;
}

async function order(workspace, uid, sku) {
  const Authorization = await signIn(workspace, uid);
  const body = { uid, line_items: [{ sku, quantity: 1 }] };
  return call('POST', `${workspace.urls.rewards}/v1/partner/redeemptiononskus`, body, { Authorization });
}

test('a delivered voucher is redeemed', () =>
  sandbox.withWorkspace(async (workspace) => {
    assert.equal((await order(workspace, 'CUST0001', 'EGV-SPICE-500')).status, 200);
    await workspace.advance(2);
    const { items } = await workspace.ledger('CUST0001');
    assert.deepEqual(
      items.filter(({ kind }) => kind === 'deduct').map(({ label }) => label),
      ['Redeemed'],
    );
    await workspace.assertContractsKept();
  }));

test('a rejected voucher gives the points back', () =>
  sandbox.withWorkspace(async (workspace) => {
    const before = await workspace.ledger('CUST0001');
    const outcome = { outcome: 'reject', reason: 'Not sold here' };
    await workspace.control('PUT', '/vendor-outcomes/EGV-SPICE-500', outcome);
    assert.equal((await order(workspace, 'CUST0001', 'EGV-SPICE-500')).status, 200);
    await workspace.advance(2);
    assert.equal((await workspace.ledger('CUST0001')).balance, before.balance);
  }));
