/** Tests orders whose client refuses, is slow, or never answers (OP-07, OP-17, OP-23, OP-24). */
import { expect, it } from 'vitest';
import { stubClient } from '../harness/client-stub.ts';
import { flat, refusal, wrapped } from '../harness/envelopes.ts';
import { serve } from '../harness/http-server.ts';
import { advance, kettle, order, voucher } from '../harness/orders.ts';
import { ok, signIn, testSandbox } from '../harness/sandbox.ts';
import { eventsOf, ledgerOf, opening } from '../harness/state.ts';

const two = { line_items: [voucher, { sku: 'EGV-CHAI-250', quantity: 1 }] };
const silent = flat(502, 57, 'No usable response from the client');

it('G13, M5, R12, R14, R15, R16, S2: OP-07: the redemption record names one line, with every value as text', async () => {
  const sandbox = await testSandbox();
  const clientCalls = await stubClient(sandbox, () => 'pass');
  const shipping_address = '12 Lake View Road';
  const placed = ok(await order(sandbox, { line_items: [{ ...voucher, quantity: 2 }, kettle], shipping_address }));
  const { items } = ok(await sandbox.control.GET('/customers'));
  const { email, mobileNo } = items[0]?.profile ?? {};
  const common = { uid: 'CUST0001', scheme: 'DEMO01', redeemStatus: 'pending', email, mobileNo, tdsSingleItem: '0' };
  const records = clientCalls.filter(({ operation }) => operation === 'saveRedeemDetails').map(({ body }) => body);
  expect(records).toEqual([
    {
      ...common,
      redeemCode: placed.lines[0]?.redeemCode,
      redeemPoints: '1000',
      shippingAddress: '',
      processingFee: '0',
      productCode: 'EGV-SPICE-500',
      productName: 'Spice Route Kitchen e-gift voucher 500',
      quantity: '2',
      totalpoints: '1000',
      totalPointWithProcessingFee: '1000',
    },
    {
      ...common,
      redeemCode: placed.lines[1]?.redeemCode,
      redeemPoints: '1499',
      shippingAddress: shipping_address,
      processingFee: '49',
      productCode: 'PHY-KETTLE-01',
      productName: 'Steel electric kettle 1.5 l, indigo',
      quantity: '1',
      totalpoints: '1499',
      totalPointWithProcessingFee: '1548',
    },
  ]);
});

it("B1, T2: OP-17: the platform sends a customer's order with the customer's JWT, and the company's with the service token", async () => {
  const sandbox = await testSandbox();
  const { jwt, customerToken } = await signIn(sandbox, 'CUST0005');
  const clientCalls = await stubClient(sandbox, () => 'pass');
  const service = `Bearer ${sandbox.credentials.service_token}`;
  const body = { uid: 'CUST0005', line_items: [voucher] };
  ok(await sandbox.rewards(customerToken).POST('/v1/partner/redeemptiononskus', { body }));
  ok(await order(sandbox, { uid: 'CUST0005' }));
  await advance(sandbox, 2);
  expect(clientCalls.map(({ operation, authorization }) => [operation, authorization])).toEqual([
    ['getProfileAndPoints', `Bearer ${jwt}`],
    ['saveRedeemDetails', `Bearer ${jwt}`],
    ['getProfileAndPoints', service],
    ['saveRedeemDetails', service],
    ['updateRedeemStatus', service],
    ['updateRedeemStatus', service],
  ]);
});

it('S7: OP-07: when the client refuses the second line, the first is reported Rejected and no order is placed', async () => {
  const sandbox = await testSandbox();
  const no = wrapped(422, 'No more of this today.');
  const clientCalls = await stubClient(sandbox, ({ operation, times }) =>
    operation === 'saveRedeemDetails' && times === 2 ? no : 'pass',
  );
  expect(refusal(await order(sandbox, two))).toEqual(flat(422, 56, 'Refused by the client: No more of this today.'));
  const reference = clientCalls.find(({ operation }) => operation === 'saveRedeemDetails')?.body.redeemCode;
  expect(await advance(sandbox, 0)).toBe(1);
  expect(await ledgerOf(sandbox, 'CUST0001')).toEqual({
    balance: 25_000,
    entries: [
      opening,
      { kind: 'deduct', points: 500, reference, label: 'Reversed' },
      { kind: 'reverse', points: 500, reference, label: 'Reversed' },
    ],
  });
  expect(clientCalls.at(-1)?.body).toEqual({
    redeemCode: reference,
    status: 'Rejected',
    orderStatus: 'Rejected',
    remark: 'Refused by the client: No more of this today.',
    projectCode: 'DEMO01',
  });
  expect(await advance(sandbox, 7 * 86_400)).toBe(0);
  expect(await eventsOf(sandbox)).not.toHaveProperty('order.placed');
});

it('OP-24: saveRedeemDetails is tried three times, and a line without an answer is reported Rejected', async () => {
  const sandbox = await testSandbox();
  const clientCalls = await stubClient(sandbox, ({ operation }) =>
    operation === 'saveRedeemDetails' ? 'drop' : 'pass',
  );
  expect(refusal(await order(sandbox))).toEqual(silent);
  const saved = clientCalls.filter(({ operation }) => operation === 'saveRedeemDetails');
  expect(saved).toHaveLength(3);
  expect(new Set(saved.map(({ body }) => JSON.stringify(body))).size).toBe(1);

  // The client does not know the code, which counts as success for a Rejected report (OP-21).
  expect(await advance(sandbox, 86_400)).toBe(1);
  const reports = clientCalls.filter(({ operation }) => operation === 'updateRedeemStatus');
  expect(reports.map(({ body }) => [body.redeemCode, body.status])).toEqual([[saved[0]?.body.redeemCode, 'Rejected']]);
  expect(await ledgerOf(sandbox, 'CUST0001')).toEqual({ balance: 25_000, entries: [opening] });
});

it('OP-50: an order is not abandoned while its call is still in progress', async () => {
  const sandbox = await testSandbox();
  let ran: number | undefined;
  const client_url = await serve(async ({ url = '', method = '', headers }, body, response) => {
    const meanwhile = url.startsWith('/saveRedeemDetails');
    if (meanwhile) ran = await advance(sandbox, 0);
    const { authorization = '', traceparent = '' } = headers;
    const sent = {
      authorization,
      traceparent: String(traceparent),
      ...(meanwhile && { 'content-type': 'application/json' }),
    };
    const reply = await fetch(`${sandbox.urls.client}${url}`, { method, headers: sent, ...(meanwhile && { body }) });
    response.writeHead(reply.status, { 'content-type': 'application/json' }).end(await reply.text());
  });
  ok(await sandbox.control.PATCH('/workspace', { body: { settings: { client_url } } }));
  ok(await order(sandbox));
  expect(ran).toBe(0);
  const events = await eventsOf(sandbox);
  expect(events).toMatchObject({ 'order.placing': 1, 'order.placed': 1 });
  expect(events).not.toHaveProperty('order.failed');
});

it('OP-23: line 1 accepted, line 2 deducted but every reply lost: both are reported Rejected and reversed', async () => {
  const sandbox = await testSandbox();
  const clientCalls = await stubClient(sandbox, ({ operation, times }) =>
    operation === 'saveRedeemDetails' && times > 1 ? 'lose' : 'pass',
  );
  expect(refusal(await order(sandbox, two))).toEqual(silent);
  expect((await ledgerOf(sandbox, 'CUST0001')).balance).toBe(25_000 - 750);
  expect(await advance(sandbox, 0)).toBe(2);
  const reports = clientCalls.filter(({ operation }) => operation === 'updateRedeemStatus').map(({ body }) => body);
  expect(reports.map(({ status, remark }) => [status, remark])).toEqual([
    ['Rejected', 'No usable response from the client'],
    ['Rejected', 'No usable response from the client'],
  ]);
  const { balance, entries } = await ledgerOf(sandbox, 'CUST0001');
  expect({ balance, kinds: entries.map(({ kind }) => kind) }).toEqual({
    balance: 25_000,
    kinds: ['credit', 'deduct', 'deduct', 'reverse', 'reverse'],
  });
  expect(await eventsOf(sandbox)).not.toHaveProperty('order.placed');
});

it('OP-24: a client that takes longer than the limit counts as silent', async () => {
  const sandbox = await testSandbox({ outgoing: { totalTimeout: 100 } });
  const clientCalls = await stubClient(sandbox, ({ operation }) =>
    operation === 'saveRedeemDetails' ? 'silence' : 'pass',
  );
  expect(refusal(await order(sandbox))).toEqual(silent);
  expect(clientCalls.filter(({ operation }) => operation === 'saveRedeemDetails')).toHaveLength(3);
});

it('OP-24: the final status of a line is reported at the times of the schedule until it is acknowledged', async () => {
  const sandbox = await testSandbox();
  const clientCalls = await stubClient(sandbox, ({ operation, times }) =>
    operation === 'updateRedeemStatus' && times < 4 ? 'drop' : 'pass',
  );
  const placed = ok(await order(sandbox));
  const reports = () => clientCalls.filter(({ operation }) => operation === 'updateRedeemStatus').length;
  const counts: number[] = [];
  for (const seconds of [2, 4, 1, 299, 1, 1799, 1]) {
    await advance(sandbox, seconds);
    counts.push(reports());
  }
  expect(counts).toEqual([1, 1, 2, 2, 3, 3, 4]);
  const reference = placed.lines[0]?.redeemCode;
  expect((await ledgerOf(sandbox, 'CUST0001')).entries[1]).toEqual({
    kind: 'deduct',
    points: 500,
    reference,
    label: 'Redeemed',
  });
});
