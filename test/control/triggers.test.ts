/** Events of the flows, set off by hand (M2 to M8; OP-21, OP-22, OP-26, OP-35, OP-71). */
import { Webhook as Signer } from 'standardwebhooks';
import { expect, it } from 'vitest';
import { stubClient } from '../harness/client-stub.ts';
import { flat, refusal } from '../harness/envelopes.ts';
import { failing } from '../harness/faults.ts';
import { serve } from '../harness/http-server.ts';
import { advance, redeem } from '../harness/orders.ts';
import { ok, testSandbox } from '../harness/sandbox.ts';
import { ledgerOf } from '../harness/state.ts';

const opening = { kind: 'credit', points: 25_000, reference: 'opening', label: 'Earned' };
const unknown = 'RDM-999999-NONE22';
const notFound = flat(404, 44, 'Not found');

it('OP-71: payment: the client sends an event, the platform takes it, and the points are credited', async () => {
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

it('payment: with nothing said, the first customer pays 1000 INR, each time again', async () => {
  const sandbox = await testSandbox();
  const ids: string[] = [];
  for (const _ of 'ab') {
    const caused = ok(await sandbox.control.POST('/triggers/payment', { body: {} }));
    const transactionId = expect.stringMatching(/^TRG-[0-9A-Z]{12}$/);
    const answer = { outcome: 'accepted', message: '' };
    expect(caused).toEqual({ transactionId, uid: 'CUST0001', points: 10, answer });
    ids.push(caused.transactionId);
  }
  expect(new Set(ids).size).toBe(2);
  ok(await sandbox.control.POST('/settle'));
  expect((await ledgerOf(sandbox, 'CUST0001')).balance).toBe(25_020);
});

it('payment: what the platform refuses is told, and so is no answer', async () => {
  const sandbox = await testSandbox();
  const pay = async (paymentAmount: string) =>
    ok(await sandbox.control.POST('/triggers/payment', { body: { transactionId: 'UPI-1', paymentAmount } }));
  await pay('100');
  const caused = { transactionId: 'UPI-1', uid: 'CUST0001', points: null };
  const refused = { outcome: 'refused', message: 'transactionId was used with other values' };
  expect(await pay('200')).toEqual({ ...caused, answer: refused });
  await failing(sandbox, { target: 'sendPaymentEvent', fault: 'status', status: 503, times: 1 });
  const unavailable = { outcome: 'no_answer', message: 'Temporarily unavailable' };
  expect(await pay('100')).toEqual({ ...caused, answer: unavailable });
  await failing(sandbox, { target: 'sendPaymentEvent', fault: 'reset', times: 1 });
  const reset = { outcome: 'no_answer', message: expect.stringMatching(/./) };
  expect(await pay('100')).toEqual({ ...caused, answer: reset });
});

it('OP-71: catalogue_change: a registered webhook is told of the item', async () => {
  const sandbox = await testSandbox();
  const events: unknown[] = [];
  const url = await serve((_, body, response) => {
    events.push(JSON.parse(body));
    response.end();
  });
  const rewards = sandbox.rewards(await sandbox.companyToken());
  const { webhook_id } = ok(await rewards.POST('/v1/partner/webhooks', { body: { url } }));
  const body = { sku_code: 'EGV-CHAI-250', item: { stock: 0 } };
  const caused = { sku_code: 'EGV-CHAI-250', webhook_ids: [webhook_id] };
  expect(ok(await sandbox.control.POST('/triggers/catalogue_change', { body }))).toEqual(caused);
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

it('catalogue_change: an unknown item is 404, a change that does not fit is code 53', async () => {
  const { control } = await testSandbox();
  const touch = (body: { sku_code: string; item?: { price: string } }) =>
    control.POST('/triggers/catalogue_change', { body });
  expect(refusal(await touch({ sku_code: 'EGV-NONE' }))).toEqual(notFound);
  expect(refusal(await touch({ sku_code: 'EGV-CHAI-250', item: { price: '5' } }))).toEqual(
    flat(400, 53, 'Invalid request: /item/price does not belong to a EGV item'),
  );
});

it('status_update: a status that was not reported yet is taken, one that contradicts is refused (OP-21)', async () => {
  const sandbox = await testSandbox();
  const redeemCode = await redeem(sandbox);
  const heard = await stubClient(sandbox, () => 'pass');
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
  expect(heard.map(({ body }) => body)).toEqual([
    { ...sent, status: 'Delivered', orderStatus: 'Delivered' },
    { ...sent, status: 'Rejected', orderStatus: 'Rejected' },
    { ...sent, status: 'Delivered', orderStatus: 'Rejected' },
  ]);
  expect((await ledgerOf(sandbox, 'CUST0001')).balance).toBe(24_500);
});

it('status_update: nothing changes at the platform, which reports the true end later', async () => {
  const sandbox = await testSandbox();
  const redeemCode = await redeem(sandbox);
  ok(await sandbox.control.POST('/triggers/status_update', { body: { redeemCode, status: 'Rejected' } }));
  expect((await ledgerOf(sandbox, 'CUST0001')).balance).toBe(25_000);
  const heard = await stubClient(sandbox, () => 'pass');
  await advance(sandbox, 2);
  expect(heard.map(({ body }) => body.status)).toEqual(['Delivered']);
});

it('status_update: a client that does not answer is told', async () => {
  const sandbox = await testSandbox();
  const redeemCode = await redeem(sandbox);
  await stubClient(sandbox, () => 'drop');
  const caused = ok(await sandbox.control.POST('/triggers/status_update', { body: { redeemCode, status: 'Pending' } }));
  const answer = { outcome: 'no_answer', message: expect.stringMatching(/./) };
  expect(caused).toEqual({ redeemCode, status: 'Pending', answer });
});

it.each([
  ['wait', undefined, 'Pending', 24_500],
  ['reverse', undefined, 'Rejected', 25_000],
  ['wait', 'reverse', 'Rejected', 25_000],
  ['reverse', 'wait', 'Pending', 24_500],
] as const)(
  'timeout: the workspace says %s, the body %s: the redemption is %s',
  async (setting, on_timeout, state, balance) => {
    const sandbox = await testSandbox();
    ok(await sandbox.control.PATCH('/workspace', { body: { settings: { on_timeout: setting } } }));
    const redeemCode = await redeem(sandbox);
    const body = { redeemCode, ...(on_timeout !== undefined && { on_timeout }) };
    expect(ok(await sandbox.control.POST('/triggers/timeout', { body }))).toEqual({ redeemCode, state });
    expect((await ledgerOf(sandbox, 'CUST0001')).balance).toBe(balance);
  },
);

it('OP-71: timeout: taken once; a redemption that has ended stays as it is', async () => {
  const sandbox = await testSandbox();
  ok(await sandbox.control.PATCH('/workspace', { body: { settings: { on_timeout: 'reverse' } } }));
  const redeemCode = await redeem(sandbox);
  const stuck = { redeemCode, outcome: 'never' } as const;
  ok(await sandbox.control.POST('/triggers/vendor_outcome', { body: stuck }));
  ok(await sandbox.control.POST('/triggers/timeout', { body: { redeemCode, on_timeout: 'wait' } }));
  await advance(sandbox, 2 * 86_400);
  expect((await ledgerOf(sandbox, 'CUST0001')).balance).toBe(24_500);

  const delivered = await redeem(sandbox);
  await advance(sandbox, 2);
  const caused = ok(await sandbox.control.POST('/triggers/timeout', { body: { redeemCode: delivered } }));
  expect(caused).toEqual({ redeemCode: delivered, state: 'Delivered' });
});

it.each([
  ['deliver', undefined, 'Redeemed', 24_500],
  ['reject', 'Not here', 'Reversed', 25_000],
  ['out_of_stock', undefined, 'Reversed', 25_000],
] as const)('vendor_outcome: %s is due at once, without the delay', async (outcome, reason, label, balance) => {
  const sandbox = await testSandbox();
  const redeemCode = await redeem(sandbox);
  const body = { redeemCode, outcome, ...(reason !== undefined && { reason }) };
  const caused = { redeemCode, sku_code: 'EGV-SPICE-500', outcome };
  expect(ok(await sandbox.control.POST('/triggers/vendor_outcome', { body }))).toEqual(caused);
  ok(await sandbox.control.POST('/settle'));
  const deducted = { kind: 'deduct', points: 500, reference: redeemCode, label };
  const reversed = { ...deducted, kind: 'reverse' };
  const entries = label === 'Reversed' ? [opening, deducted, reversed] : [opening, deducted];
  expect(await ledgerOf(sandbox, 'CUST0001')).toEqual({ balance, entries });
});

it('OP-71: vendor_outcome: a redemption that the vendor kept silent about is delivered after all, once', async () => {
  const sandbox = await testSandbox();
  const redeemCode = await redeem(sandbox);
  ok(await sandbox.control.POST('/triggers/vendor_outcome', { body: { redeemCode, outcome: 'never' } }));
  await advance(sandbox, 86_400);
  ok(await sandbox.control.POST('/triggers/vendor_outcome', { body: { redeemCode, outcome: 'deliver' } }));
  await advance(sandbox, 60);
  expect(ok(await sandbox.control.GET('/messages')).items).toHaveLength(1);
  expect((await ledgerOf(sandbox, 'CUST0001')).entries[1]).toMatchObject({ reference: redeemCode, label: 'Redeemed' });
});

it('vendor_outcome: fail_then_deliver fails as often as the body says', async () => {
  const sandbox = await testSandbox();
  const redeemCode = await redeem(sandbox);
  const body = { redeemCode, outcome: 'fail_then_deliver', times: 2 } as const;
  ok(await sandbox.control.POST('/triggers/vendor_outcome', { body }));
  await advance(sandbox, 9);
  expect((await ledgerOf(sandbox, 'CUST0001')).entries[1]).toMatchObject({ label: 'Pending' });
  await advance(sandbox, 1);
  expect((await ledgerOf(sandbox, 'CUST0001')).entries[1]).toMatchObject({ label: 'Redeemed' });
});

it('vendor_outcome: a redemption that has ended is refused', async () => {
  const sandbox = await testSandbox();
  const redeemCode = await redeem(sandbox);
  await advance(sandbox, 2);
  const { control } = sandbox;
  const refused = refusal(await control.POST('/triggers/vendor_outcome', { body: { redeemCode, outcome: 'reject' } }));
  expect(refused).toEqual(flat(400, 53, 'Invalid request: /redeemCode is already Delivered'));
  expect((await ledgerOf(sandbox, 'CUST0001')).balance).toBe(24_500);
});

it('an unknown redemption is 404', async () => {
  const { control } = await testSandbox();
  const about = { redeemCode: unknown };
  const answers = [
    await control.POST('/triggers/status_update', { body: { ...about, status: 'Rejected' } }),
    await control.POST('/triggers/timeout', { body: about }),
    await control.POST('/triggers/vendor_outcome', { body: { ...about, outcome: 'deliver' } }),
  ];
  expect(answers.map(refusal)).toEqual([notFound, notFound, notFound]);
});

it('an unknown event is 404, and an event without its redemption code 53', async () => {
  const { control, urls } = await testSandbox();
  expect((await fetch(`${urls.sandbox}/triggers/nothing`, { method: 'POST' })).status).toBe(404);
  for (const event of ['status_update', 'timeout', 'vendor_outcome'] as const) {
    const answer = await control.POST(`/triggers/${event}`, { body: {} as never });
    expect(refusal(answer)).toEqual(flat(400, 53, 'Invalid request: /redeemCode is required'));
  }
});

it('OP-71: webhook_test: one message to the newest webhook, right, forged or old, and what came of it', async () => {
  const sandbox = await testSandbox();
  const secrets: string[] = [];
  const url = await serve((request, body, response) => {
    const { 'webhook-id': id = '', 'webhook-timestamp': at = '', 'webhook-signature': signature } = request.headers;
    const moment = new Date(Number(at) * 1000);
    const right = new Signer(secrets[0] ?? '').sign(String(id), moment, body) === signature;
    response.writeHead(right && Date.now() - moment.getTime() < 300_000 ? 204 : 401).end();
  });
  const sent = (body: { message?: 'right' | 'wrong_signature' | 'old'; webhook_id?: string }) =>
    sandbox.control.POST('/triggers/webhook_test', { body });
  expect(refusal(await sent({}))).toEqual(notFound);
  const { token } = ok(
    await sandbox.rewards().POST('/v1/company/auth', { body: { secret: sandbox.credentials.company_secret } }),
  );
  const hook = ok(await sandbox.rewards(token).POST('/v1/partner/webhooks', { body: { url } }));
  secrets.push(hook.secret);
  const { webhook_id } = hook;
  expect(ok(await sent({}))).toEqual({ webhook_id, url, message: 'right', status: 204, reason: null });
  for (const message of ['wrong_signature', 'old'] as const) {
    const reason = expect.stringContaining('401');
    expect(ok(await sent({ message, webhook_id }))).toEqual({ webhook_id, url, message, status: 401, reason });
  }
  expect(refusal(await sent({ webhook_id: 'WHK-000009-NONE' }))).toEqual(notFound);
  const { items } = ok(
    await sandbox.control.GET('/webhooks/{webhook_id}/deliveries', { params: { path: { webhook_id } } }),
  );
  expect(items).toEqual([]);
});
