/** Tests that the same seed, calls and clock produce a byte-identical activity log. */
import { expect, it } from 'vitest';
import { serve } from '../harness/http-server.ts';
import { advance, kettle, order, vendorWill, voucher } from '../harness/orders.ts';
import { logIn, ok, raw, signIn, type TestSandbox, testSandbox } from '../harness/sandbox.ts';

const uid = 'CUST0001';

/** Starts a server that accepts every webhook. */
const hookServer = () => serve((_, __, response) => response.end());

/** Exercises version 1.0: a payment, an order with one delivered and one rejected line, and the wallet. */
async function versionOne(sandbox: TestSandbox, hook: string) {
  const { customerToken, companyToken } = await signIn(sandbox, uid);
  const company = sandbox.rewards(companyToken);
  ok(await company.POST('/v1/partner/webhooks', { body: { url: `${hook}/hooks` } }));
  const payment = { uid, eventType: 'DIGITAL_PAYMENT', transactionId: 'TXN-1', paymentAmount: '5000' } as const;
  ok(await company.POST('/v1/partner/events/payment', { body: payment }));
  await vendorWill(sandbox, 'EGV-CHAI-250', { outcome: 'reject', times: 1 });
  const body = { uid, line_items: [voucher, { sku: 'EGV-CHAI-250', quantity: 1 }] };
  const placedOrder = ok(await sandbox.rewards(customerToken).POST('/v1/partner/redeemptiononskus', { body }));
  await advance(sandbox, 60);
  ok(await sandbox.rewards(customerToken).GET('/getwalletdetail', { params: { query: { uid } } }));
  expect(placedOrder.status).toBe('Pending');
}

/** Exercises version 2.0 and the general API: a delivered order, a rejected and reversed one, and one by a logged-in user. */
async function otherApis(sandbox: TestSandbox) {
  const platform = sandbox.v2Platform(await sandbox.companyToken());
  const body = { customer_id: uid, line_items: [voucher] };
  const { order_id } = ok(await platform.POST('/api/v1/orders', { body }));
  await vendorWill(sandbox, 'EGV-YOGA-100', { outcome: 'out_of_stock', times: 1 });
  const unavailable = { customer_id: uid, line_items: [{ sku: 'EGV-YOGA-100', quantity: 1 }] };
  ok(await platform.POST('/api/v1/orders', { body: unavailable }));
  const general = sandbox.general(await logIn(sandbox, uid));
  ok(await general.POST('/v1/orders', { body: { line_items: [kettle], shipping_address: '12 Lake View Road' } }));
  await advance(sandbox, 60);
  const query = { params: { query: { order_id } } };
  const status = ok(await sandbox.v2Platform(await sandbox.companyToken()).GET('/api/v1/orders/status', query));
  expect(status.status).toBe('Delivered');
}

/** Sets faults and places an order that triggers them. One fault affects a seeded share of the calls. */
async function faults(sandbox: TestSandbox) {
  const { control } = sandbox;
  ok(await control.POST('/faults', { body: { target: 'listRewards', fault: 'status', status: 503, share: 0.5 } }));
  ok(await control.POST('/faults', { body: { target: 'updateRedeemStatus', fault: 'lost_reply', times: 2 } }));
  ok(await control.POST('/faults', { body: { target: 'saveRedeemDetails', fault: 'duplicate', times: 1 } }));
  const headers = { authorization: await sandbox.companyToken() };
  const statuses: number[] = [];
  for (let call = 0; call < 12; call += 1) {
    statuses.push((await raw(`${sandbox.urls.rewards}/v1/partner/rewards?limit=1`, { headers })).status);
  }
  expect(new Set(statuses)).toEqual(new Set([200, 503]));
  ok(await order(sandbox));
  await advance(sandbox, 400);
  await control.DELETE('/faults');
}

/** Triggers each event of the flows manually. */
async function triggers(sandbox: TestSandbox) {
  const { control } = sandbox;
  ok(await control.POST('/triggers/payment', { body: { uid, paymentAmount: '2499.50' } }));
  ok(await control.POST('/triggers/catalogue_change', { body: { sku_code: voucher.sku } }));
  await vendorWill(sandbox, voucher.sku, { outcome: 'never' });
  const placedOrder = ok(await order(sandbox, { line_items: [voucher, voucher, voucher, voucher] }));
  const [first = '', second = '', third = '', fourth = ''] = placedOrder.lines.map(({ redeemCode }) => redeemCode);
  ok(await control.POST('/triggers/vendor_outcome', { body: { redeemCode: first, outcome: 'deliver' } }));
  ok(await control.POST('/triggers/timeout', { body: { redeemCode: second, on_timeout: 'reverse' } }));
  ok(await control.POST('/triggers/status_update', { body: { redeemCode: third, status: 'Rejected' } }));
  ok(await control.POST('/triggers/cancellation', { body: { redeemCode: fourth } }));
  await advance(sandbox, 100_000);
}

/** Webhook signatures use real time, because receivers reject old ones. */
const signatureHeaders = /"webhook-(timestamp|signature)":"[^"]*"/g;

/** Returns the log of a sandbox with this seed after all calls. Ports and webhook signatures are normalized. */
async function logOf(seed: string): Promise<string> {
  const sandbox = await testSandbox({ seed });
  const hook = await hookServer();
  await versionOne(sandbox, hook);
  await otherApis(sandbox);
  await faults(sandbox);
  await triggers(sandbox);
  const response = await fetch(`${sandbox.urls.sandbox}/activity?limit=10000`);
  const { host } = new URL(sandbox.origin);
  return (await response.text())
    .replaceAll(host, 'sandbox')
    .replaceAll(hook, 'http://hook')
    .replaceAll(signatureHeaders, '"webhook-$1":"signed"');
}

it('the same seed and the same calls give the same log apart from the ports; another seed gives another log', async () => {
  const [one, two, other] = [await logOf('twins'), await logOf('twins'), await logOf('stranger')];
  const entries: { kind: string; operation?: string; event?: string }[] = JSON.parse(one).items;
  const names = new Set(entries.map(({ operation, event }) => event ?? operation));
  for (const what of [
    ...['redemption.delivered', 'redemption.reversed', 'points.credited', 'fault.set', 'fault.deleted'],
    ...['redeemPoints', 'reversePoints', 'createProductOrder', 'triggerPayment', 'triggerVendorOutcome'],
    'triggerCancellation',
  ]) {
    expect(names).toContain(what);
  }
  expect(one).toContain('http://hook/hooks');
  expect(one).toBe(two);
  expect(other).not.toBe(one);
});
