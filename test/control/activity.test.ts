/** Tests the control API's log of calls and state changes (OP-42). */
import { expect, it } from 'vitest';
import { redemption, report } from '../harness/client-requests.ts';
import { advance, redeem, vendorWill } from '../harness/orders.ts';
import { ok, raw, signIn, type TestSandbox, testSandbox } from '../harness/sandbox.ts';
import { balanceOf } from '../harness/state.ts';
import { deliverySteps, placingSteps } from './delivery-steps.ts';

type Query = { trace?: string; redeem_code?: string; uid?: string; limit?: number };

async function activity({ control }: TestSandbox, query: Query = {}) {
  return ok(await control.GET('/activity', { params: { query } })).items;
}

/** Headers of a call, of which only the last may be in the log. */
const canaries = { Cookie: 'sid=cookie-canary', 'X-Api-Key': 'key-canary', 'X-Plain': 'plain' };

/** Runs a sign-in, a payment, an order with one delivered and one rejected line, a wallet read, a webhook and some refusals. */
async function journey(sandbox: TestSandbox) {
  const { control, rewards, auth, client } = sandbox;
  const tokens = await signIn(sandbox, 'CUST0001');
  const company = rewards(tokens.companyToken);
  const hook = ok(await company.POST('/v1/partner/webhooks', { body: { url: 'http://127.0.0.1:1/hooks' } }));
  const payment = {
    uid: 'CUST0001',
    eventType: 'DIGITAL_PAYMENT',
    transactionId: 'TXN-1',
    paymentAmount: '5000',
  } as const;
  ok(await company.POST('/v1/partner/events/payment', { body: payment }));
  await vendorWill(sandbox, 'EGV-CHAI-250', { outcome: 'reject' });
  const line_items = [
    { sku: 'EGV-SPICE-500', quantity: 2 },
    { sku: 'EGV-CHAI-250', quantity: 1 },
  ];
  const body = { uid: 'CUST0001', line_items, mobile_no: '5111122223' };
  const placedOrder = ok(await rewards(tokens.customerToken).POST('/v1/partner/redeemptiononskus', { body }));
  await advance(sandbox, 60);
  const query = { params: { query: { uid: 'CUST0001' } } };
  const wallet = ok(await rewards(tokens.customerToken).GET('/getwalletdetail', query));
  const profile = { pan: 'ABCXE1234F', mobileNo: '5444455556' };
  ok(await control.POST('/customers', { body: { uid: 'CUST9001', profile } }));
  ok(await control.PATCH('/workspace', { body: { settings: { client_token: 'my-own-client-token' } } }));
  await auth.POST('/api/v1/auth/verify-otp', { body: { customer_id: 'CUST0001', otp: '918273', reference_id: 'x' } });
  await rewards().POST('/v1/company/auth', { body: { secret: 'a-secret-guess' } });
  await company.POST('/v1/customer/auth', { body: { uid: 'CUST0001', token: 'a-token-guess' } });
  await client('a-bearer-guess').POST('/getProfileAndPoints', query);
  await raw(`${sandbox.urls.portal}/signin?uid=CUST0001&token=${tokens.jwt}`, { redirect: 'manual' }).catch(() => {});
  await company.GET('/v1/partner/rewards', { headers: canaries });
  return { tokens, hook, placedOrder, wallet, profile };
}

it('OP-73: the log contains no credential and no complete PAN or mobile number, and the headers of every call', async () => {
  const sandbox = await testSandbox();
  const { tokens, hook, wallet, profile } = await journey(sandbox);
  const { company_secret, service_token, basic } = sandbox.credentials;
  const { items: customers } = ok(await sandbox.control.GET('/customers'));
  const { items: messages } = ok(await sandbox.control.GET('/messages'));
  const secrets = [
    ...[company_secret, service_token, basic.password, btoa(`${basic.username}:${basic.password}`), hook.secret],
    ...Object.values(tokens),
    ...messages.flatMap(({ otp }) => otp ?? []),
    ...wallet.data.flatMap(({ voucherCode, pin }) => [voucherCode, pin ?? '']),
    ...customers.flatMap((customer) => [customer.profile.pan, customer.profile.mobileNo]),
    ...[profile.pan, profile.mobileNo, '5111122223'],
    ...['my-own-client-token', '918273', 'a-secret-guess', 'a-token-guess', 'a-bearer-guess'],
    ...['canary', ok(await sandbox.control.GET('/workspace')).settings.client_token],
  ];
  expect(wallet.data).toHaveLength(2);
  const items = await activity(sandbox, { limit: 10_000 });
  expect(items.length).toBeGreaterThan(40);
  const log = JSON.stringify(items);
  expect(secrets.filter((secret) => secret !== '' && log.includes(secret))).toEqual([]);
  const calls = items.filter((entry) => entry.kind !== 'state');
  expect(new Set(calls.map(({ kind }) => kind))).toEqual(new Set(['call_in', 'call_out']));
  for (const { request_headers, reply_headers, status } of calls) {
    expect(Object.keys(request_headers ?? {}).length).toBeGreaterThan(0);
    if (status !== null) expect(reply_headers?.['x-trace-id']).toMatch(/^[0-9a-f]{32}$/);
  }
  expect(calls.at(-1)?.request_headers).toMatchObject({
    authorization: `string of ${tokens.companyToken.length} (masked)`,
    cookie: `string of ${canaries.Cookie.length} (masked)`,
    'x-api-key': 'string of 10 (masked)',
    'x-plain': 'plain',
  });
});

it('the log is in order, and every entry has its time, trace and party', async () => {
  const sandbox = await testSandbox();
  await journey(sandbox);
  const items = await activity(sandbox);
  expect(items.map(({ seq }) => seq)).toEqual(items.map((_, index) => index + 1));
  expect([...items].sort((a, b) => a.at.localeCompare(b.at))).toEqual(items);
  for (const { trace } of items) expect(trace).toMatch(/^[0-9a-f]{32}$/);
});

it('filters by trace, customer and redemption combine, and a limit returns the newest entries', async () => {
  const sandbox = await testSandbox();
  const { placedOrder } = await journey(sandbox);
  const all = await activity(sandbox, { limit: 10_000 });
  const [first, second] = placedOrder.lines.map(({ redeemCode }) => redeemCode);
  const trace = all.find((item) => item.kind === 'state' && item.event === 'order.placed')?.trace ?? '';

  const own = new Set(placedOrder.lines.map(({ redeemCode }) => redeemCode));
  expect(await activity(sandbox, { uid: 'CUST0001' })).toEqual(
    all.filter(({ uid, redeem_codes }) => uid === 'CUST0001' || redeem_codes.some((code) => own.has(code))),
  );
  const ofFirst = all.filter(({ redeem_codes }) => redeem_codes.includes(first ?? ''));
  expect(ofFirst.length).toBeGreaterThan(5);
  expect(await activity(sandbox, { redeem_code: first ?? '' })).toEqual(ofFirst);
  const ofTrace = all.filter((item) => item.trace === trace);
  expect(await activity(sandbox, { trace })).toEqual(ofTrace);
  expect(await activity(sandbox, { trace, redeem_code: second ?? '', uid: 'CUST0001' })).toEqual(
    ofTrace.filter(({ redeem_codes }) => redeem_codes.includes(second ?? '')),
  );
  expect(await activity(sandbox, { limit: 3 })).toEqual(all.slice(-3));
  expect(await activity(sandbox, { uid: 'CUST9999' })).toEqual([]);
});

it('OP-136: the entries of a customer include status reports and vendor events of their own redemptions only', async () => {
  const sandbox = await testSandbox();
  const [mine, theirs] = [await redeem(sandbox), await redeem(sandbox, { uid: 'CUST0005' })];
  await advance(sandbox, 2);
  const namesOf = (items: Awaited<ReturnType<typeof activity>>) =>
    items.map((item) => (item.kind === 'state' ? item.event : `${item.kind} ${item.operation}`));
  const items = await activity(sandbox, { uid: 'CUST0001' });
  const withoutUid = items.filter(({ uid }) => uid === null);
  expect(namesOf(withoutUid)).toEqual([
    'vendor.delivered',
    'call_in updateRedeemStatus',
    'call_out updateRedeemStatus',
  ]);
  expect(withoutUid.flatMap(({ redeem_codes }) => redeem_codes)).toEqual([mine, mine, mine]);
  expect(JSON.stringify(items)).not.toContain(theirs);
  const { items: otherItems } = ok(await sandbox.control.GET('/activity', { params: { query: { uid: 'CUST0005' } } }));
  expect(namesOf(otherItems)).toContain('call_out updateRedeemStatus');
  expect(JSON.stringify(otherItems)).not.toContain(mine);
});

it('OP-136: they also include the reports of a redemption that only the client has', async () => {
  const sandbox = await testSandbox();
  const { control, client } = sandbox;
  ok(await client().POST('/saveRedeemDetails', { body: { ...redemption, uid: 'CUST0001', redeemCode: 'RDM-OWN' } }));
  ok(await client().POST('/updateRedeemStatus', { body: { ...report('Delivered'), redeemCode: 'RDM-OWN' } }));
  const { items } = ok(await control.GET('/activity', { params: { query: { uid: 'CUST0001' } } }));
  expect(items.some((item) => item.kind === 'call_in' && item.operation === 'updateRedeemStatus')).toBe(true);
});

it('M1: one trace follows a redemption from the order to the vouchers, through all parties', async () => {
  const sandbox = await testSandbox();
  const trace = '4bf92f3577b34da6a3ce929d0e0e4736';
  const headers = { traceparent: `00-${trace}-00f067aa0ba902b7-01` };
  const body = { uid: 'CUST0001', line_items: [{ sku: 'EGV-SPICE-500', quantity: 1 }] };
  const rewards = sandbox.rewards(await sandbox.companyToken());
  ok(await rewards.POST('/v1/partner/redeemptiononskus', { body, headers }));
  await advance(sandbox, 2);
  const steps = (await activity(sandbox, { trace })).map((item) =>
    item.kind === 'state' ? item.event : `${item.kind} ${item.operation} ${item.status}`,
  );
  expect(steps).toEqual([...placingSteps.filter((step) => !step.startsWith('ledger ')), ...deliverySteps]);
});

it('reading the log adds no entry', async () => {
  const sandbox = await testSandbox();
  await balanceOf(sandbox, 'CUST0001');
  expect(await activity(sandbox)).toEqual([]);
  expect(await activity(sandbox)).toEqual([]);
});

it('an incoming call has the span of its outgoing call as parent, and both have their start times', async () => {
  const sandbox = await testSandbox({ clock: 'running' });
  await redeem(sandbox);
  const calls = (await activity(sandbox, { limit: 200 })).filter((entry) => entry.kind !== 'state');
  const ofClient = calls.filter(({ kind, party }) => kind === 'call_in' && party === 'client');
  expect(ofClient.map(({ operation }) => operation)).toEqual(['getProfileAndPoints', 'saveRedeemDetails']);
  for (const entry of ofClient) {
    const { span, operation, began } = calls.find((call) => call.span === entry.parent) ?? {};
    expect({ span, operation }).toEqual({ span: entry.parent, operation: entry.operation });
    const order = calls.find((call) => call.operation === 'createRedemptionOrder');
    const instants = [order?.began, began, entry.began, entry.at, order?.at];
    expect(instants).toEqual(instants.toSorted());
  }
});

it('a call without a traceparent, or with an invalid one, has no parent', async () => {
  const sandbox = await testSandbox();
  for (const traceparent of ['', '00-0af7651916cd43dd8448eb211c80319c-00f067aa0ba902b7']) {
    await raw(`${sandbox.urls.rewards}/v1/company/auth`, { method: 'POST', headers: { traceparent } });
  }
  const parents = (await activity(sandbox)).map((entry) => entry.kind !== 'state' && entry.parent);
  expect(parents).toEqual([undefined, undefined]);
});
