/** Tests that a reset drops an order that is still being placed. The caller receives an error, and later orders are not affected. */
import { expect, it } from 'vitest';
import { refusal, unavailable } from '../harness/envelopes.ts';
import { ok, type TestSandbox, testSandbox } from '../harness/sandbox.ts';
import { handTimer } from '../harness/timer.ts';

const line_items = [
  { sku: 'EGV-SPICE-500', quantity: 1 },
  { sku: 'EGV-CHAI-100', quantity: 1 },
];

async function order({ rewards, companyToken }: TestSandbox, uid: string, lines = line_items) {
  return rewards(await companyToken()).POST('/v1/partner/redeemptiononskus', { body: { uid, line_items: lines } });
}

/** Resets the sandbox between the first line's deduction and the reply to that deduction. */
async function resetDuring(
  sandbox: TestSandbox,
  reply: ReturnType<typeof handTimer>,
  uid: string,
  lines: typeof line_items,
) {
  const { control } = sandbox;
  ok(await control.POST('/faults', { body: { target: 'saveRedeemDetails', fault: 'latency', ms: 300, times: 1 } }));
  const underWay = order(sandbox, uid, lines);
  await reply.waits();
  await control.POST('/reset');
  reply.ring();
  return underWay;
}

it.each([
  ['would succeed', 'CUST0001', line_items.slice(0, 1)],
  ['would fail, because the reset removes its customer', 'CUST9001', line_items],
])('OP-64: an order interrupted by a reset, which %s, gets 503, and the next one is placed', async (_, uid, lines) => {
  const reply = handTimer();
  const sandbox = await testSandbox({ delay: reply.delay });
  const { control } = sandbox;
  if (uid === 'CUST9001') ok(await control.POST('/customers', { body: { uid, points: { balance: 5_000 } } }));
  const dropped = await resetDuring(sandbox, reply, uid, lines);
  expect(refusal(dropped)).toEqual(unavailable);
  expect(ok(await control.GET('/deliveries'))).toEqual({ items: [], next: null });
  const next = ok(await order(sandbox, 'CUST0001'));
  ok(await control.POST('/clock/advance', { body: { seconds: 100 } }));
  expect(ok(await control.GET('/orders')).items).toMatchObject([
    { uid: 'CUST0001', order: { order_id: next.order_id, status: 'Delivered' } },
  ]);
  expect(ok(await control.GET('/reconciliation'))).toEqual({ items: [], next: null });
});
