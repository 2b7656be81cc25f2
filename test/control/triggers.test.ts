/** Tests events of the flows that are triggered manually (M2 to M8; OP-21, OP-22, OP-26, OP-35, OP-71). */
import { Webhook as Signer } from 'standardwebhooks';
import { expect, it } from 'vitest';
import { stubClient } from '../harness/client-stub.ts';
import { flat, refusal } from '../harness/envelopes.ts';
import { failing } from '../harness/faults.ts';
import { serve } from '../harness/http-server.ts';
import { advance, redeem } from '../harness/orders.ts';
import { ok, testSandbox } from '../harness/sandbox.ts';
import { ledgerOf, opening } from '../harness/state.ts';

it('OP-71: payment: the client sends an event, the platform accepts it, and the points are credited', async () => {
  const sandbox = await testSandbox();
  const body = { uid: 'CUST0002', paymentAmount: '2499.50', transactionId: 'UPI-1' };
  expect(ok(await sandbox.control.POST('/triggers/payment', { body }))).toEqual({
    transactionId: 'UPI-1',
    uid: 'CUST0002',
    points: 24,
    answer: { outcome: 'accepted', message: '' },
  });
  ok(await sandbox.control.POST('/settle'));
  expect(await ledgerOf(sandbox, 'CUST0002')).toEqual({
    balance: 24,
    entries: [{ kind: 'credit', points: 24, reference: 'UPI-1', label: 'Earned' }],
  });
});

it('payment: by default, each trigger is a new payment of 1000 INR by the first customer', async () => {
  const sandbox = await testSandbox();
  const ids: string[] = [];
  for (const _ of 'ab') {
    const result = ok(await sandbox.control.POST('/triggers/payment', { body: {} }));
    const transactionId = expect.stringMatching(/^TRG-[0-9A-Z]{12}$/);
    const answer = { outcome: 'accepted', message: '' };
    expect(result).toEqual({ transactionId, uid: 'CUST0001', points: 10, answer });
    ids.push(result.transactionId);
  }
  expect(new Set(ids).size).toBe(2);
  ok(await sandbox.control.POST('/settle'));
  expect((await ledgerOf(sandbox, 'CUST0001')).balance).toBe(25_020);
});

it('payment: the reply reports a refusal by the platform, and a missing answer', async () => {
  const sandbox = await testSandbox();
  const pay = async (paymentAmount: string) =>
    ok(await sandbox.control.POST('/triggers/payment', { body: { transactionId: 'UPI-1', paymentAmount } }));
  await pay('100');
  const result = { transactionId: 'UPI-1', uid: 'CUST0001', points: null };
  const refusedAnswer = { outcome: 'refused', message: 'transactionId was used with other values' };
  expect(await pay('200')).toEqual({ ...result, answer: refusedAnswer });
  await failing(sandbox, { target: 'sendPaymentEvent', fault: 'status', status: 503, times: 1 });
  const unavailable = { outcome: 'no_answer', message: 'Temporarily unavailable' };
  expect(await pay('100')).toEqual({ ...result, answer: unavailable });
  await failing(sandbox, { target: 'sendPaymentEvent', fault: 'reset', times: 1 });
  const reset = { outcome: 'no_answer', message: expect.stringMatching(/./) };
  expect(await pay('100')).toEqual({ ...result, answer: reset });
});

it('OP-71: catalogue_change: a registered webhook gets the item', async () => {
  const sandbox = await testSandbox();
  const events: unknown[] = [];
  const url = await serve((_, body, response) => {
    events.push(JSON.parse(body));
    response.end();
  });
  const rewards = sandbox.rewards(await sandbox.companyToken());
  const { webhook_id } = ok(await rewards.POST('/v1/partner/webhooks', { body: { url } }));
  const body = { sku_code: 'EGV-CHAI-250', item: { stock: 0 } };
  const result = { sku_code: 'EGV-CHAI-250', webhook_ids: [webhook_id] };
  expect(ok(await sandbox.control.POST('/triggers/catalogue_change', { body }))).toEqual(result);
  expect(ok(await sandbox.control.POST('/triggers/catalogue_change', { body: {} }))).toEqual({
    sku_code: 'EGV-SPICE-100',
    webhook_ids: [webhook_id],
  });
  ok(await sandbox.control.POST('/settle'));
  const items = events.map((event) => (event as { data: { items: unknown[] } }).data.items);
  expect(items).toEqual([
    [{ change: 'updated', item: expect.objectContaining({ sku_code: 'EGV-CHAI-250', qty: '0', status: 2 }) }],
    [{ change: 'updated', item: expect.objectContaining({ sku_code: 'EGV-SPICE-100', status: 1 }) }],
  ]);
});

it('status_update: a status that was not reported yet is accepted, one that contradicts is refused (OP-21)', async () => {
  const sandbox = await testSandbox();
  const redeemCode = await redeem(sandbox);
  const clientCalls = await stubClient(sandbox, () => 'pass');
  const update = async (status: 'Pending' | 'Delivered' | 'Rejected', orderStatus = status) =>
    ok(
      await sandbox.control.POST('/triggers/status_update', {
        body: { redeemCode, status, orderStatus, remark: 'By hand' },
      }),
    );
  const answer = (outcome: string, message: string) => ({ outcome, message });
  expect(await update('Delivered')).toEqual({ redeemCode, status: 'Delivered', answer: answer('accepted', '') });
  expect(await update('Rejected')).toEqual({
    redeemCode,
    status: 'Rejected',
    answer: answer('refused', 'Order already Delivered.'),
  });
  expect(await update('Delivered', 'Rejected')).toEqual({
    redeemCode,
    status: 'Delivered',
    answer: answer('refused', 'status and orderStatus differ.'),
  });
  const sent = { redeemCode, remark: 'By hand', projectCode: 'DEMO01' };
  expect(clientCalls.map(({ body }) => body)).toEqual([
    { ...sent, status: 'Delivered', orderStatus: 'Delivered' },
    { ...sent, status: 'Rejected', orderStatus: 'Rejected' },
    { ...sent, status: 'Delivered', orderStatus: 'Rejected' },
  ]);
  expect((await ledgerOf(sandbox, 'CUST0001')).balance).toBe(24_500);
});

it('status_update: nothing changes on the platform, which reports the real status later', async () => {
  const sandbox = await testSandbox();
  const redeemCode = await redeem(sandbox);
  ok(await sandbox.control.POST('/triggers/status_update', { body: { redeemCode, status: 'Rejected' } }));
  expect((await ledgerOf(sandbox, 'CUST0001')).balance).toBe(25_000);
  const clientCalls = await stubClient(sandbox, () => 'pass');
  await advance(sandbox, 2);
  expect(clientCalls.map(({ body }) => body.status)).toEqual(['Delivered']);
});

it('status_update: the reply says when the client does not answer', async () => {
  const sandbox = await testSandbox();
  const redeemCode = await redeem(sandbox);
  await stubClient(sandbox, () => 'drop');
  const result = ok(await sandbox.control.POST('/triggers/status_update', { body: { redeemCode, status: 'Pending' } }));
  const answer = { outcome: 'no_answer', message: expect.stringMatching(/./) };
  expect(result).toEqual({ redeemCode, status: 'Pending', answer });
});

it.each([
  ['wait', undefined, 'Pending', 24_500],
  ['reverse', undefined, 'Rejected', 25_000],
  ['wait', 'reverse', 'Rejected', 25_000],
  ['reverse', 'wait', 'Pending', 24_500],
] as const)(
  'timeout: with %s in the workspace and %s in the body, the redemption is %s',
  async (setting, on_timeout, state, balance) => {
    const sandbox = await testSandbox();
    ok(await sandbox.control.PATCH('/workspace', { body: { settings: { on_timeout: setting } } }));
    const redeemCode = await redeem(sandbox);
    const body = { redeemCode, ...(on_timeout !== undefined && { on_timeout }) };
    expect(ok(await sandbox.control.POST('/triggers/timeout', { body }))).toEqual({ redeemCode, state });
    expect((await ledgerOf(sandbox, 'CUST0001')).balance).toBe(balance);
  },
);

it('OP-71: timeout: takes effect once; a redemption that has ended does not change', async () => {
  const sandbox = await testSandbox();
  ok(await sandbox.control.PATCH('/workspace', { body: { settings: { on_timeout: 'reverse' } } }));
  const redeemCode = await redeem(sandbox);
  const stuck = { redeemCode, outcome: 'never' } as const;
  ok(await sandbox.control.POST('/triggers/vendor_outcome', { body: stuck }));
  ok(await sandbox.control.POST('/triggers/timeout', { body: { redeemCode, on_timeout: 'wait' } }));
  await advance(sandbox, 2 * 86_400);
  expect((await ledgerOf(sandbox, 'CUST0001')).balance).toBe(24_500);

  const deliveredCode = await redeem(sandbox);
  await advance(sandbox, 2);
  const result = ok(await sandbox.control.POST('/triggers/timeout', { body: { redeemCode: deliveredCode } }));
  expect(result).toEqual({ redeemCode: deliveredCode, state: 'Delivered' });
});

it.each([
  ['deliver', undefined, 'Redeemed', 24_500],
  ['reject', 'Not here', 'Reversed', 25_000],
  ['out_of_stock', undefined, 'Reversed', 25_000],
] as const)('vendor_outcome: %s is due immediately, without the delay', async (outcome, reason, label, balance) => {
  const sandbox = await testSandbox();
  const redeemCode = await redeem(sandbox);
  const body = { redeemCode, outcome, ...(reason !== undefined && { reason }) };
  const result = { redeemCode, sku_code: 'EGV-SPICE-500', outcome };
  expect(ok(await sandbox.control.POST('/triggers/vendor_outcome', { body }))).toEqual(result);
  ok(await sandbox.control.POST('/settle'));
  const deduction = { kind: 'deduct', points: 500, reference: redeemCode, label };
  const reversal = { ...deduction, kind: 'reverse' };
  const entries = label === 'Reversed' ? [opening, deduction, reversal] : [opening, deduction];
  expect(await ledgerOf(sandbox, 'CUST0001')).toEqual({ balance, entries });
});

it('OP-71: vendor_outcome: a redemption without a vendor answer can still be delivered, once', async () => {
  const sandbox = await testSandbox();
  const redeemCode = await redeem(sandbox);
  ok(await sandbox.control.POST('/triggers/vendor_outcome', { body: { redeemCode, outcome: 'never' } }));
  await advance(sandbox, 86_400);
  ok(await sandbox.control.POST('/triggers/vendor_outcome', { body: { redeemCode, outcome: 'deliver' } }));
  await advance(sandbox, 60);
  expect(ok(await sandbox.control.GET('/messages')).items).toHaveLength(1);
  expect((await ledgerOf(sandbox, 'CUST0001')).entries[1]).toMatchObject({ reference: redeemCode, label: 'Redeemed' });
});

it('vendor_outcome: a redemption that has ended is refused', async () => {
  const sandbox = await testSandbox();
  const redeemCode = await redeem(sandbox);
  await advance(sandbox, 2);
  const { control } = sandbox;
  const reply = refusal(await control.POST('/triggers/vendor_outcome', { body: { redeemCode, outcome: 'reject' } }));
  expect(reply).toEqual(flat(400, 53, 'Invalid request: /redeemCode is already Delivered'));
  expect((await ledgerOf(sandbox, 'CUST0001')).balance).toBe(24_500);
});

it('OP-71: webhook_test: sends one valid, forged or old message to the newest webhook, and returns the result', async () => {
  const sandbox = await testSandbox();
  const secrets: string[] = [];
  const url = await serve((request, body, response) => {
    const { 'webhook-id': id = '', 'webhook-timestamp': at = '', 'webhook-signature': signature } = request.headers;
    const moment = new Date(Number(at) * 1000);
    const isSigned = new Signer(secrets[0] ?? '').sign(String(id), moment, body) === signature;
    response.writeHead(isSigned && Date.now() - moment.getTime() < 300_000 ? 204 : 401).end();
  });
  const sendTest = (body: { message?: 'right' | 'wrong_signature' | 'old'; webhook_id?: string }) =>
    sandbox.control.POST('/triggers/webhook_test', { body });
  const { token } = ok(
    await sandbox.rewards().POST('/v1/company/auth', { body: { secret: sandbox.credentials.company_secret } }),
  );
  const hook = ok(await sandbox.rewards(token).POST('/v1/partner/webhooks', { body: { url } }));
  secrets.push(hook.secret);
  const { webhook_id } = hook;
  expect(ok(await sendTest({}))).toEqual({ webhook_id, url, message: 'right', status: 204, reason: null });
  for (const message of ['wrong_signature', 'old'] as const) {
    const reason = expect.stringContaining('401');
    expect(ok(await sendTest({ message, webhook_id }))).toEqual({ webhook_id, url, message, status: 401, reason });
  }
  const { items } = ok(
    await sandbox.control.GET('/webhooks/{webhook_id}/deliveries', { params: { path: { webhook_id } } }),
  );
  expect(items).toEqual([]);
});
