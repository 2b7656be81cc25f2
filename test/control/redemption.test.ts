/** Tests the timeline of a redemption across client, platform and vendor (OP-42). */
import { expect, it } from 'vitest';
import { redemption, report } from '../harness/client-requests.ts';
import { stubClient } from '../harness/client-stub.ts';
import { advance, order, vendorWill } from '../harness/orders.ts';
import { ok, signIn, type TestSandbox, testSandbox } from '../harness/sandbox.ts';
import { deliverySteps, placingSteps } from './delivery-steps.ts';

const sku = 'EGV-SPICE-500';

async function redemptionOf({ control }: TestSandbox, redeemCode = '') {
  return ok(await control.GET('/redemptions/{redeemCode}', { params: { path: { redeemCode } } }));
}

type Item = Awaited<ReturnType<typeof redemptionOf>>['items'][number];

/** Returns the names of the calls, state changes and ledger entries in a timeline. */
function steps(items: readonly Item[]): string[] {
  return items.map((item) => {
    if (item.kind === 'ledger') return `ledger ${item.entry.kind} ${item.entry.points}`;
    return item.kind === 'state' ? item.event : `${item.kind} ${item.operation} ${item.status}`;
  });
}

it('lists a delivery from the balance check to the vouchers, with its ledger entry, in order', async () => {
  const sandbox = await testSandbox();
  const code = ok(await order(sandbox)).lines[0]?.redeemCode;
  await advance(sandbox, 2);
  const { items, ...facts } = await redemptionOf(sandbox, code);
  expect(facts).toEqual({
    redeem_code: code,
    uid: 'CUST0001',
    platform: { state: 'Delivered', points: 500 },
    client: { state: 'Delivered', points: 500 },
  });
  expect(steps(items)).toEqual([...placingSteps, ...deliverySteps]);
  const [at, seq] = ['2026-01-12T04:30:00.000Z', items[3]?.seq];
  const entry = { kind: 'deduct', points: 500, reference: code, label: 'Redeemed', at };
  expect(items[4]).toEqual({ seq, at, kind: 'ledger', party: 'client', uid: 'CUST0001', entry });
  const numbers = items.map((item) => item.seq);
  expect(numbers).toEqual([...numbers].sort((one, other) => one - other));
});

it('has both bodies of every call, masked', async () => {
  const sandbox = await testSandbox();
  const code = ok(await order(sandbox)).lines[0]?.redeemCode;
  const { items } = await redemptionOf(sandbox, code);
  const save = items.find((item) => item.kind === 'call_out' && item.operation === 'saveRedeemDetails');
  expect(save).toMatchObject({
    party: 'client',
    status: 200,
    request: {
      redeemCode: code,
      uid: 'CUST0001',
      mobileNo: expect.stringMatching(/^string of 10 \(masked, ends in \d{4}\)$/),
    },
    reply: { success: true, status: 200 },
  });
});

it('OP-24: shows each lost report with its number of tries and the time of the next one, up to the reversal', async () => {
  const sandbox = await testSandbox();
  await stubClient(sandbox, ({ operation, times }) =>
    operation === 'updateRedeemStatus' && times < 3 ? 'drop' : 'pass',
  );
  await vendorWill(sandbox, sku, { outcome: 'reject', reason: 'Not sold in this region' });
  const code = ok(await order(sandbox)).lines[0]?.redeemCode;
  await advance(sandbox, 400);
  const { items, ...facts } = await redemptionOf(sandbox, code);
  expect(facts).toMatchObject({ platform: { state: 'Rejected', points: 0 }, client: { state: 'Rejected', points: 0 } });
  expect(steps(items)).toEqual([
    ...placingSteps,
    'vendor.rejected',
    'line.rejected',
    'call_out updateRedeemStatus null',
    'delivery.postponed',
    'call_out updateRedeemStatus null',
    'delivery.postponed',
    'redemption.reversed',
    'ledger reverse 500',
    'call_in updateRedeemStatus 200',
    'call_out updateRedeemStatus 200',
  ]);
  const postponements = items.flatMap((item) =>
    item.kind === 'state' && item.event === 'delivery.postponed' ? item : [],
  );
  expect(postponements.map(({ at, detail }) => [at, detail.tries, detail.next_at])).toEqual([
    ['2026-01-12T04:30:02.000Z', 1, '2026-01-12T04:30:07.000Z'],
    ['2026-01-12T04:30:07.000Z', 2, '2026-01-12T04:35:07.000Z'],
  ]);
  expect(postponements[0]?.detail).toEqual({
    id: expect.stringMatching(/^W\d{12}$/),
    kind: 'reportStatus',
    redeemCode: code,
    tries: 1,
    next_at: '2026-01-12T04:30:07.000Z',
    reason: expect.stringMatching(/./),
  });
});

it('each of two redemptions of one order has its own timeline, and shared steps are in both', async () => {
  const sandbox = await testSandbox();
  const line_items = [
    { sku, quantity: 1 },
    { sku: 'EGV-CHAI-250', quantity: 1 },
  ];
  const [first, second] = ok(await order(sandbox, { line_items })).lines.map(({ redeemCode }) => redeemCode);
  await advance(sandbox, 2);
  const one = (await redemptionOf(sandbox, first)).items;
  const other = (await redemptionOf(sandbox, second)).items;
  const both = one.filter(({ seq }) => other.some((item) => item.seq === seq));
  expect(steps(both)).toEqual([
    'call_in getProfileAndPoints 200',
    'call_out getProfileAndPoints 200',
    'order.placing',
    'order.placed',
    'call_in createRedemptionOrder 200',
    'catalogue.updated',
    'catalogue.updated',
    // One wallet read serves both redemptions (OP-92).
    'call_in getWalletDetail 200',
    'call_out getWalletDetail 200',
  ]);
  expect(JSON.stringify(one.filter((item) => !both.includes(item)))).not.toContain(second);
});

it('the timeline has no calls of another customer in the same trace', async () => {
  const sandbox = await testSandbox();
  const headers = { traceparent: '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01' };
  const { jwt } = await signIn(sandbox, 'CUST0005');
  const rewards = sandbox.rewards(await sandbox.companyToken());
  const body = { uid: 'CUST0001', line_items: [{ sku, quantity: 1 }] };
  const code = ok(await rewards.POST('/v1/partner/redeemptiononskus', { body, headers })).lines[0]?.redeemCode;
  const query = { uid: 'CUST0005' };
  ok(await sandbox.client(jwt).POST('/getProfileAndPoints', { params: { query }, headers }));
  const { items } = await redemptionOf(sandbox, code);
  expect(steps(items)).toEqual(placingSteps);
});

it('a redemption that only the client knows has the steps of the client; one that was only rejected has its mark', async () => {
  const sandbox = await testSandbox();
  ok(await sandbox.client().POST('/saveRedeemDetails', { body: redemption }));
  const timeline = await redemptionOf(sandbox, redemption.redeemCode);
  expect(timeline).toMatchObject({ platform: null, client: { state: 'Pending' }, uid: redemption.uid });
  expect(steps(timeline.items)).toEqual([
    'redemption.deducted',
    `ledger deduct ${redemption.totalPointWithProcessingFee}`,
    'call_in saveRedeemDetails 200',
  ]);
  const rejection = { ...report('Rejected'), redeemCode: 'RDM-OF-NOBODY' };
  await sandbox.client().POST('/updateRedeemStatus', { body: rejection });
  const mark = await redemptionOf(sandbox, 'RDM-OF-NOBODY');
  expect({ ...mark, items: steps(mark.items) }).toEqual({
    redeem_code: 'RDM-OF-NOBODY',
    uid: null,
    platform: null,
    client: { state: 'Refused', points: 0 },
    items: ['redemption.refused', 'call_in updateRedeemStatus 422'],
  });
});
