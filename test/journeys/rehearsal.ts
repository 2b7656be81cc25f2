/** Rehearses failures: vendor rejections, faults, lost and replayed reports, and manually triggered events (OP-24, OP-70, OP-71). */
import { expect, it } from 'vitest';
import { advance, vendorWill, voucher } from '../harness/orders.ts';
import { type ProxiedSandbox, proxiedSandbox } from '../harness/proxied.ts';
import { ok } from '../harness/sandbox.ts';
import { ledgerOf } from '../harness/state.ts';

const uid = 'CUST0001';
const day = 86_400;

async function order(sandbox: ProxiedSandbox) {
  const rewards = sandbox.rewards(await sandbox.companyToken());
  const placed = ok(await rewards.POST('/v1/partner/redeemptiononskus', { body: { uid, line_items: [voucher] } }));
  return { order_id: placed.order_id, redeemCode: placed.lines[0]?.redeemCode ?? '' };
}

it('reconciliation shows a report that was lost for days, and after its replay both sides agree', async () => {
  const sandbox = await proxiedSandbox();
  const { control } = sandbox;
  const watching = new AbortController();
  const headers = { authorization: `Bearer ${sandbox.workspace.admin_token}` };
  const live = await fetch(`${sandbox.urls.sandbox}/activity/stream`, { headers, signal: watching.signal });

  // The vendor will reject, and the client's server will fail every report.
  const sku = { params: { path: { sku_code: voucher.sku } } };
  await vendorWill(sandbox, voucher.sku, { outcome: 'reject', reason: 'Not sold in this region' });
  expect(ok(await control.GET('/vendor-outcomes/{sku_code}', sku))).toMatchObject({ outcome: 'reject' });
  const target = { target: 'updateRedeemStatus', fault: 'status', status: 503 } as const;
  const fault = ok(await control.POST('/faults', { body: target }));
  expect(ok(await control.GET('/faults')).items).toEqual([fault]);

  const { order_id, redeemCode } = await order(sandbox);
  await advance(sandbox, 2 * day);
  const placed = { params: { path: { order_id } } };
  expect(ok(await control.GET('/orders', { params: { query: { uid } } })).items).toMatchObject([
    { order: { order_id } },
  ]);
  expect(ok(await control.GET('/orders/{order_id}', placed))).toMatchObject({ order: { status: 'Rejected' } });
  expect(ok(await control.GET('/reconciliation')).items).toMatchObject([{ kind: 'unknown', reason: 'unanswered' }]);
  const [parked] = ok(await control.GET('/deliveries')).items;
  expect(parked).toMatchObject({ status: 'parked', redeem_code: redeemCode });

  // The server works again. Replay the report by its id, then all parked deliveries.
  const id = { params: { path: { id: fault.id } } };
  expect((await control.DELETE('/faults/{id}', id)).response.status).toBe(204);
  ok(await control.POST('/deliveries/{id}/replay', { params: { path: { id: parked?.id ?? '' } } }));
  ok(await control.POST('/settle'));
  expect(ok(await control.POST('/deliveries/replay'))).toEqual({ items: [], next: null });
  expect(ok(await control.GET('/reconciliation'))).toEqual({ items: [], next: null });
  expect(await ledgerOf(sandbox, uid)).toMatchObject({ balance: 25_000 });
  const timeline = ok(await control.GET('/redemptions/{redeemCode}', { params: { path: { redeemCode } } }));
  expect(timeline.client).toEqual({ state: 'Rejected', points: 0 });

  // The vendor delivers again. The live stream has shown every step.
  expect((await control.DELETE('/vendor-outcomes/{sku_code}', sku)).response.status).toBe(204);
  const reader = live.body?.pipeThrough(new TextDecoderStream()).getReader();
  let seen = '';
  while (!seen.includes('delivery.replayed'))
    seen += (await reader?.read())?.value ?? 'the stream ended: delivery.replayed';
  watching.abort();
  expect(seen).not.toContain('the stream ended');
});

it('triggers events by hand that take long in production', async () => {
  const sandbox = await proxiedSandbox();
  const { control } = sandbox;
  const payment = { uid: 'CUST0002', paymentAmount: '2499.50', transactionId: 'UPI-1' };
  expect(ok(await control.POST('/triggers/payment', { body: payment }))).toMatchObject({ points: 24 });
  ok(await control.POST('/settle'));
  expect(await ledgerOf(sandbox, 'CUST0002')).toMatchObject({ balance: 24 });

  // One redemption times out, one receives a vendor outcome, and one receives a false report.
  const [late, decided, misreported] = [await order(sandbox), await order(sandbox), await order(sandbox)];
  const unwanted = await order(sandbox);
  const cancelled = { order_id: unwanted.order_id, cancelled: [unwanted.redeemCode], kept: [] };
  const body = { redeemCode: unwanted.redeemCode };
  expect(ok(await control.POST('/triggers/cancellation', { body }))).toEqual(cancelled);
  const timeout = { redeemCode: late.redeemCode, on_timeout: 'reverse' } as const;
  expect(ok(await control.POST('/triggers/timeout', { body: timeout }))).toMatchObject({ state: 'Rejected' });
  const vendor = { redeemCode: decided.redeemCode, outcome: 'deliver' } as const;
  expect(ok(await control.POST('/triggers/vendor_outcome', { body: vendor }))).toMatchObject({ outcome: 'deliver' });
  const report = { redeemCode: misreported.redeemCode, status: 'Delivered' } as const;
  expect(ok(await control.POST('/triggers/status_update', { body: report }))).toMatchObject({ status: 'Delivered' });
  await advance(sandbox, 2);
  expect((await ledgerOf(sandbox, uid)).entries.map(({ kind, label }) => `${kind} ${label}`)).toEqual([
    'credit Earned',
    ...['Reversed', 'Redeemed', 'Redeemed', 'Reversed'].map((label) => `deduct ${label}`),
    'reverse Reversed',
    'reverse Reversed',
  ]);
  ok(await control.POST('/faults', { body: { target: 'listRewards', fault: 'latency', ms: 1 } }));
  expect((await control.DELETE('/faults')).response.status).toBe(204);
  expect(ok(await control.GET('/faults'))).toEqual({ items: [], next: null });
});
