import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { clientServer } from '../server.js';

const settings = { SERVICE_TOKEN: 'service', BASIC_USER: 'user', BASIC_PASSWORD: 'password', OTP_LIMIT: '0' };
const server = clientServer(settings);
let address;

before(async () => {
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  address = `http://127.0.0.1:${server.address().port}`;
});
after(() => server.close());

async function call(path, body, authorization = 'Bearer service') {
  const headers = { Authorization: authorization, 'Content-Type': 'application/json' };
  const reply = await fetch(address + path, { method: 'POST', headers, body: body && JSON.stringify(body) });
  return { status: reply.status, ...(await reply.json()) };
}

async function balance(uid = 'CUST0001') {
  return (await call(`/getProfileAndPoints?uid=${uid}`)).points.balance;
}

function record(redeemCode, points) {
  const total = String(points);
  return {
    ...{ uid: 'CUST0001', scheme: 'DEMO01', redeemCode, redeemPoints: total, shippingAddress: '', processingFee: '0' },
    ...{
      productCode: 'EGV-1',
      productName: 'Voucher',
      quantity: '1',
      redeemStatus: 'pending',
      email: '',
      mobileNo: '',
    },
    ...{ totalpoints: total, totalPointWithProcessingFee: total, tdsSingleItem: '0' },
  };
}

function report(redeemCode, status) {
  return call('/updateRedeemStatus', { redeemCode, status, orderStatus: status, remark: '', projectCode: 'DEMO01' });
}

test('points are credited once for each transactionId', async () => {
  const before = await balance();
  const event = {
    uid: 'CUST0001',
    eventType: 'DIGITAL_PAYMENT',
    transactionId: 'T1',
    paymentAmount: '10',
    points: '7',
  };
  assert.equal((await call('/creditPoints', event)).status, 200);
  assert.equal((await call('/creditPoints', event)).status, 200);
  assert.equal((await call('/creditPoints', { ...event, points: '8' })).status, 422);
  assert.equal(await balance(), before + 7);
});

test('a deduction is made once, and refunded once on Rejected', async () => {
  const before = await balance();
  assert.equal((await call('/saveRedeemDetails', record('R1', 500))).status, 200);
  assert.equal((await call('/saveRedeemDetails', record('R1', 500))).status, 200);
  assert.equal(await balance(), before - 500);
  assert.equal((await report('R1', 'Rejected')).status, 200);
  assert.equal((await report('R1', 'Rejected')).status, 200);
  assert.equal(await balance(), before);
  assert.equal((await report('R1', 'Delivered')).data.message, 'Order already Rejected.');
});

test('a deduction that comes after its rejection is refused', async () => {
  assert.equal((await report('R2', 'Rejected')).data.message, 'Unknown redeemCode.');
  assert.equal((await call('/saveRedeemDetails', record('R2', 1))).data.message, 'Order already Rejected.');
});

test('deductions at the same time never go below zero', async () => {
  const each = Math.floor((await balance()) / 3);
  const calls = ['A', 'B', 'C', 'D', 'E'].map((code) => call('/saveRedeemDetails', record(code, each)));
  const statuses = (await Promise.all(calls)).map(({ status }) => status).sort();
  assert.deepEqual(statuses, [200, 200, 200, 422, 422]);
});

test('a token that does not hold is 422 Token Invalid', async () => {
  for (const authorization of ['', 'Bearer x', 'Bearer a.b.c']) {
    const { status, data } = await call('/getProfileAndPoints?uid=CUST0001', undefined, authorization);
    assert.deepEqual([status, data.message, data.name], [422, 'Token Invalid', 'Unprocessable entity']);
  }
});

test('a one-time password that nobody was sent does not sign in', async () => {
  const basic = `Basic ${Buffer.from('user:password').toString('base64')}`;
  const body = { customer_id: 'CUST0001', otp: '000000', reference_id: 'x' };
  assert.equal((await call('/api/v1/auth/verify-otp', body, basic)).status, 422);
  assert.equal((await call('/api/v1/auth/verify-otp', body, 'Basic x')).status, 401);
});
