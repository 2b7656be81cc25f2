/** Tests the reference client's messages to its customers, including channels and phone numbers (OP-36, OP-160). */
import { expect, it } from 'vitest';
import { redemption } from '../harness/client-requests.ts';
import { advance, kettle, order, pay, redeem, vendorWill, voucher } from '../harness/orders.ts';
import { ok, type TestSandbox, testSandbox } from '../harness/sandbox.ts';

const uid = 'CUST0001';
const source = 'reference_client';

/** Returns the messages to a customer, oldest first. */
async function messagesOf({ control }: TestSandbox, customer = uid) {
  const { items } = ok(await control.GET('/messages', { params: { query: { uid: customer } } }));
  return items.toReversed();
}

/** Returns the customer's phone number, masked as in a message. */
async function numberOf({ control }: TestSandbox) {
  const { items } = ok(await control.GET('/customers'));
  return `******${items.find((customer) => customer.uid === uid)?.profile.mobileNo.slice(-4)}`;
}

const start = '2026-01-12T04:30:00.000Z';
const later = '2026-01-12T04:30:02.000Z';

it('G5, D4, M7: OP-160: each message has its channel and the masked number: passwords, points, vouchers and products', async () => {
  const sandbox = await testSandbox();
  const mobile = await numberOf(sandbox);
  const reply = await sandbox.auth.POST('/api/v1/auth/generate-otp', { body: { customer_id: uid } });
  const { reference_id } = ok(reply);
  ok(await pay(sandbox, { transactionId: 'TXN-7', paymentAmount: '2500' }));
  await advance(sandbox, 0);
  const line_items = [voucher, kettle];
  const { lines } = ok(await order(sandbox, { line_items, shipping_address: '12 Lake View Road' }));
  await advance(sandbox, 2);
  const [otp, credit, voucherMessage, delivery, ...more] = await messagesOf(sandbox);
  expect(otp).toEqual({
    seq: 1,
    source,
    uid,
    kind: 'otp',
    channel: 'SMS',
    mobile,
    reference_id,
    at: start,
    otp: expect.stringMatching(/^\d{6}$/),
    text: `${otp?.otp} is your one-time password. It is valid for 5 minutes.`,
  });
  expect(credit).toEqual({
    seq: 2,
    source,
    uid,
    kind: 'credited',
    channel: 'SMS',
    mobile,
    at: start,
    text: '25 points were credited for your payment TXN-7. Your balance is 25025 points.',
  });
  expect(voucherMessage).toMatchObject({ seq: 3, uid, kind: 'voucher', channel: 'WhatsApp', mobile, at: later });
  expect(delivery).toEqual({
    seq: 4,
    source,
    uid,
    kind: 'delivered',
    channel: 'WhatsApp',
    mobile,
    at: later,
    text: `Your order ${lines[1]?.redeemCode} was delivered.`,
  });
  expect(more).toEqual([]);
});

it('S6, S8, B12: OP-160: the customer gets a rejection with its reason, then a message about the refund', async () => {
  const sandbox = await testSandbox();
  const mobile = await numberOf(sandbox);
  await vendorWill(sandbox, voucher.sku, { outcome: 'reject', reason: 'Not sold in this region' });
  const code = await redeem(sandbox);
  await advance(sandbox, 2);
  expect(await messagesOf(sandbox)).toEqual([
    {
      seq: 1,
      source,
      uid,
      kind: 'rejected',
      channel: 'WhatsApp',
      mobile,
      at: later,
      text: `Your order ${code} was rejected. Reason: Not sold in this region`,
    },
    {
      seq: 2,
      source,
      uid,
      kind: 'reversed',
      channel: 'SMS',
      mobile,
      at: later,
      text: `500 points of your order ${code} were refunded. Your balance is 25000 points.`,
    },
  ]);
});

it('S9: OP-160: a refund by the client itself sends a refund message and no rejection', async () => {
  const sandbox = await testSandbox();
  const settings = { on_timeout: 'reverse', pending_timeout: 60 } as const;
  ok(await sandbox.control.PATCH('/workspace', { body: { settings } }));
  ok(await sandbox.client().POST('/saveRedeemDetails', { body: redemption }));
  await advance(sandbox, 60);
  expect((await messagesOf(sandbox)).map(({ kind, text }) => [kind, text])).toEqual([
    ['reversed', `500 points of your order ${redemption.redeemCode} were refunded. Your balance is 25000 points.`],
  ]);
});

it('OP-21, OP-16, OP-160: a repeated report, a repeated credit and a credit of 0 points send no message', async () => {
  const sandbox = await testSandbox();
  const client = sandbox.client();
  ok(await client.POST('/saveRedeemDetails', { body: redemption }));
  const { redeemCode } = redemption;
  const rejection = { status: 'Rejected', orderStatus: 'Rejected', remark: '', projectCode: 'DEMO01' } as const;
  for (let times = 0; times < 2; times += 1) {
    ok(await client.POST('/updateRedeemStatus', { body: { redeemCode, ...rejection } }));
    ok(await pay(sandbox, { transactionId: 'TXN-1' }));
    ok(await pay(sandbox, { transactionId: 'TXN-2', paymentAmount: '0.01' }));
    await advance(sandbox, 0);
  }
  const messages = (await messagesOf(sandbox)).map(({ kind, text }) => [kind, text]);
  expect(messages).toEqual([
    ['rejected', `Your order ${redeemCode} was rejected.`],
    ['reversed', `500 points of your order ${redeemCode} were refunded. Your balance is 25000 points.`],
    ['credited', '10 points were credited for your payment TXN-1. Your balance is 25010 points.'],
  ]);
});

it('OP-161: the message of a voucher stays, and is marked when the voucher expires', async () => {
  const sandbox = await testSandbox();
  await redeem(sandbox);
  await advance(sandbox, 2);
  const [message] = await messagesOf(sandbox);
  expect(message).toMatchObject({ kind: 'voucher', expired: false });
  await advance(sandbox, 365 * 86_400 - 1);
  expect(await messagesOf(sandbox)).toEqual([message]);
  await advance(sandbox, 1);
  expect(await messagesOf(sandbox)).toEqual([{ ...message, expired: true }]);
});
