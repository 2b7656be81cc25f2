/** Tests the client's version 2.0 operations on the shared ledger: points, redeem and reverse (OP-17, OP-21 to OP-23, OP-29). */
import { expect, it } from 'vitest';
import { redemption, report } from '../harness/client-requests.ts';
import { mandatory, plain, refusal, tokenInvalid, wrapped } from '../harness/envelopes.ts';
import { advance } from '../harness/orders.ts';
import { ok, raw, signIn, type TestSandbox, testSandbox } from '../harness/sandbox.ts';
import { balanceOf, ledgerOf, opening, refusing } from '../harness/state.ts';

const reference: string = redemption.redeemCode;
const deduction = { customer_id: 'CUST0001', order_id: 'ORD-9', redeem_code: reference, points: 500 };
const reversal = { redeem_code: reference, points: 500, reason: 'Product out of stock' };
const success = (balance: number) => ({ status: 200, body: { success: true, status: 200, balance } });
const conflict = wrapped(422, 'redeemCode was used with other values.');

const redeem = async ({ v2Client }: TestSandbox, change: Partial<typeof deduction> = {}, token?: string) =>
  refusal(await v2Client(token).POST('/api/v1/orders/redeem', { body: { ...deduction, ...change } }));
const reverse = async ({ v2Client }: TestSandbox, change: Partial<typeof reversal> = {}, token?: string) =>
  refusal(await v2Client(token).POST('/api/v1/orders/reverse', { body: { ...reversal, ...change } }));
const pointsOf = async ({ v2Client }: TestSandbox, customer_id: string, token?: string) =>
  refusal(await v2Client(token).GET('/api/v1/customer/points', { params: { query: { customer_id } } }));

it('E3: OP-29: getCustomerPoints returns the points of the ledger to the service token and to the customer', async () => {
  const sandbox = await testSandbox();
  const { jwt } = await signIn(sandbox, 'CUST0001');
  await redeem(sandbox);
  const points = { totalEarned: 25_000, balance: 24_500, totalRedeemed: 500 };
  const reply = { status: 200, body: { customer_id: 'CUST0001', points } };
  expect(await pointsOf(sandbox, 'CUST0001')).toEqual(reply);
  expect(await pointsOf(sandbox, 'CUST0001', jwt)).toEqual(reply);
});

it('getCustomerPoints refuses an unknown customer, a missing customer_id, and the JWT of another customer', async () => {
  const sandbox = await testSandbox();
  const { jwt } = await signIn(sandbox, 'CUST0005');
  expect(await pointsOf(sandbox, 'CUST9999')).toEqual(wrapped(422, 'Unknown customer.'));
  expect(await pointsOf(sandbox, '')).toEqual(mandatory);
  expect(await pointsOf(sandbox, 'CUST0001', jwt)).toEqual(tokenInvalid);
  const headers = { authorization: `Bearer ${sandbox.credentials.service_token}` };
  expect(plain(await raw(`${sandbox.urls.client}/api/v1/customer/points`, { headers }))).toEqual(mandatory);
});

it('E7: OP-29: redeemPoints deducts and returns the new balance', async () => {
  const sandbox = await testSandbox();
  expect(await redeem(sandbox)).toEqual(success(24_500));
  const entries = [opening, { kind: 'deduct', points: 500, reference, label: 'Pending' }];
  expect(await ledgerOf(sandbox, 'CUST0001')).toEqual({ balance: 24_500, entries });
});

it('OP-23: a repeated redeemPoints gets 200 with one deduction; with any other value it is refused', async () => {
  const sandbox = await testSandbox();
  const answers = await Promise.all([redeem(sandbox), redeem(sandbox), redeem(sandbox)]);
  expect(answers).toEqual([success(24_500), success(24_500), success(24_500)]);
  const expectNoChange = await refusing(sandbox);
  for (const change of [{ points: 501 }, { customer_id: 'CUST0005' }, { order_id: 'ORD-8' }]) {
    expect(await expectNoChange(redeem(sandbox, change))).toEqual(conflict);
  }
});

it('OP-15: redeemPoints beyond the balance is refused with a message that the points have changed; an unknown customer is refused', async () => {
  const sandbox = await testSandbox();
  const expectNoChange = await refusing(sandbox);
  expect(await expectNoChange(redeem(sandbox, { points: 25_001 }))).toEqual(wrapped(422, 'User points have changed.'));
  expect(await expectNoChange(redeem(sandbox, { customer_id: 'CUST9999' }))).toEqual(wrapped(422, 'Unknown customer.'));
  expect(await redeem(sandbox, { points: 25_000 })).toEqual(success(0));
});

it('OP-17: a JWT deducts for its own customer only, and reverses nothing', async () => {
  const sandbox = await testSandbox();
  const { jwt } = await signIn(sandbox, 'CUST0001');
  const expectNoChange = await refusing(sandbox);
  expect(await expectNoChange(redeem(sandbox, { customer_id: 'CUST0005' }, jwt))).toEqual(tokenInvalid);
  expect(await redeem(sandbox, {}, jwt)).toEqual(success(24_500));
  const expectNoFurtherChange = await refusing(sandbox);
  expect(await expectNoFurtherChange(reverse(sandbox, {}, jwt))).toEqual(tokenInvalid);
  expect(await expectNoFurtherChange(redeem(sandbox, {}, 'nobody'))).toEqual(tokenInvalid);
});

it('E8: OP-29: reversePoints refunds exactly the deducted points, once', async () => {
  const sandbox = await testSandbox();
  await redeem(sandbox);
  expect(await reverse(sandbox)).toEqual(success(25_000));
  const entries = [
    opening,
    { kind: 'deduct', points: 500, reference, label: 'Reversed' },
    { kind: 'reverse', points: 500, reference, label: 'Reversed' },
  ];
  expect(await ledgerOf(sandbox, 'CUST0001')).toEqual({ balance: 25_000, entries });
  const expectNoChange = await refusing(sandbox);
  expect(await expectNoChange(reverse(sandbox))).toEqual(success(25_000));
  expect(await expectNoChange(redeem(sandbox))).toEqual(wrapped(422, 'Order already Rejected.'));
});

it('OP-29: reversePoints with a number other than the deducted points is refused, before and after the reversal', async () => {
  const sandbox = await testSandbox();
  await redeem(sandbox);
  const expectNoChange = await refusing(sandbox);
  for (const points of [0, 499, 501]) expect(await expectNoChange(reverse(sandbox, { points }))).toEqual(conflict);
  await reverse(sandbox);
  expect(await reverse(sandbox, { points: 501 })).toEqual(conflict);
  expect(await balanceOf(sandbox, 'CUST0001')).toBe(25_000);
});

it('OP-22: a reversal of an unknown code is refused and leaves a mark, so that a late deduction is refused', async () => {
  const sandbox = await testSandbox();
  const unknown = wrapped(422, 'Unknown redeemCode.');
  expect(await reverse(sandbox)).toEqual(unknown);
  expect(await reverse(sandbox, { points: 7 })).toEqual(unknown);
  expect(await redeem(sandbox)).toEqual(wrapped(422, 'Order already Rejected.'));
  expect(await balanceOf(sandbox, 'CUST0001')).toBe(25_000);
});

it('OP-29: both versions act on the same redemption: one can refund or close a deduction of the other', async () => {
  const sandbox = await testSandbox();
  ok(await sandbox.client().POST('/saveRedeemDetails', { body: redemption }));
  expect(await redeem(sandbox)).toEqual(conflict);
  expect(await reverse(sandbox)).toEqual(success(25_000));
  const other = { redeem_code: 'RDM-900002-TEST02' };
  expect(await redeem(sandbox, other)).toEqual(success(24_500));
  ok(await sandbox.client().POST('/updateRedeemStatus', { body: report('Delivered', other.redeem_code) }));
  expect(await reverse(sandbox, other)).toEqual(wrapped(422, 'Order already Delivered.'));
  expect(await reverse(sandbox, { ...other, points: 501 })).toEqual(conflict);
});

it('OP-52: a redemption whose result the client polls is never reversed by the threshold', async () => {
  const sandbox = await testSandbox();
  const settings = { on_timeout: 'reverse', pending_timeout: 60 } as const;
  ok(await sandbox.control.PATCH('/workspace', { body: { settings } }));
  await redeem(sandbox);
  // The platform does not know the code, so the client polls at each interval of OP-24 and then stops.
  expect(await advance(sandbox, 7 * 86_400)).toBe(7);
  expect(await ledgerOf(sandbox, 'CUST0001')).toEqual({
    balance: 24_500,
    entries: [opening, { kind: 'deduct', points: 500, reference, label: 'Pending' }],
  });
});
