/** Tests crediting points (B4; OP-09, OP-16, OP-17). */
import { expect, it } from 'vitest';
import { credit } from '../harness/client-requests.ts';
import { refusal, tokenInvalid, wrapped } from '../harness/envelopes.ts';
import { ok, signIn, testSandbox } from '../harness/sandbox.ts';
import { balanceOf } from '../harness/state.ts';

const success = { success: true, status: 200 };

it('B4, R21, S10: points are credited, and the ledger has them as Earned under their transactionId', async () => {
  const { client, control } = await testSandbox();
  expect(ok(await client().POST('/creditPoints', { body: { ...credit, uid: 'CUST0002' } }))).toEqual(success);
  const at = '2026-01-12T04:30:00.000Z';
  expect(ok(await control.GET('/ledger/{uid}', { params: { path: { uid: 'CUST0002' } } }))).toEqual({
    items: [{ kind: 'credit', points: 24, reference: 'TXN-900001', label: 'Earned', at }],
    next: null,
    balance: 24,
  });
  const profile = ok(await client().POST('/getProfileAndPoints', { params: { query: { uid: 'CUST0002' } } }));
  expect(profile.points).toEqual({ totalEarned: 24, balance: 24, totalRedeemed: 0 });
});

it('R20: OP-16: the same transactionId with the same values is 200 again, and credited once', async () => {
  const sandbox = await testSandbox();
  const answers = await Promise.all(
    Array.from({ length: 5 }, () => sandbox.client().POST('/creditPoints', { body: credit })),
  );
  expect(answers.map(ok)).toEqual(answers.map(() => success));
  await sandbox.control.POST('/clock/advance', { body: { seconds: 365 * 86_400 } });
  expect(ok(await sandbox.client().POST('/creditPoints', { body: credit }))).toEqual(success);
  expect(await balanceOf(sandbox, 'CUST0001')).toBe(25_024);
});

it.each([{ uid: 'CUST0005' }, { paymentAmount: '2499.51' }, { points: '25' }])(
  'OP-16: the same transactionId with other values, %o, is refused, and nothing is credited',
  async (change) => {
    const sandbox = await testSandbox();
    ok(await sandbox.client().POST('/creditPoints', { body: credit }));
    const conflict = wrapped(422, 'transactionId was used with other values.');
    expect(refusal(await sandbox.client().POST('/creditPoints', { body: { ...credit, ...change } }))).toEqual(conflict);
    expect([await balanceOf(sandbox, 'CUST0001'), await balanceOf(sandbox, 'CUST0005')]).toEqual([25_024, 5000]);
  },
);

it('OP-16: a refused transaction can be sent again', async () => {
  const sandbox = await testSandbox();
  const body = { ...credit, uid: 'CUST9999' };
  expect(refusal(await sandbox.client().POST('/creditPoints', { body }))).toEqual(wrapped(422, 'Unknown customer.'));
  ok(await sandbox.control.POST('/customers', { body: { uid: 'CUST9999' } }));
  expect(ok(await sandbox.client().POST('/creditPoints', { body }))).toEqual(success);
  expect(await balanceOf(sandbox, 'CUST9999')).toBe(24);
});

it('an account holds at most the largest number that the contract allows', async () => {
  const { client, control } = await testSandbox();
  const body = { ...credit, uid: 'CUST0002', points: '9'.repeat(15) };
  ok(await client().POST('/creditPoints', { body }));
  const more = await client().POST('/creditPoints', { body: { ...body, transactionId: 'TXN-2', points: '1' } });
  expect(refusal(more)).toEqual(wrapped(422, 'Please enter the mandatory details to proceed further.'));
  expect(more.response.headers.get('x-problem')).toBe('/points would exceed the maximum balance of the account');
  const { balance } = ok(await control.GET('/ledger/{uid}', { params: { path: { uid: 'CUST0002' } } }));
  expect(balance).toBe(999_999_999_999_999);
});

it("OP-17: creditPoints and updateRedeemStatus refuse the customer's own JWT", async () => {
  const sandbox = await testSandbox();
  const { jwt, companyToken, customerToken } = await signIn(sandbox, 'CUST0001');
  const update = {
    redeemCode: 'RDM-1',
    status: 'Rejected',
    orderStatus: 'Rejected',
    remark: '',
    projectCode: 'DEMO01',
  } as const;
  for (const token of [jwt, companyToken, customerToken, 'nobody']) {
    expect(refusal(await sandbox.client(token).POST('/creditPoints', { body: credit }))).toEqual(tokenInvalid);
    expect(refusal(await sandbox.client(token).POST('/updateRedeemStatus', { body: update }))).toEqual(tokenInvalid);
  }
  expect(await balanceOf(sandbox, 'CUST0001')).toBe(25_000);
});

it('OP-17: the service token opens the client-hosted API, but no API of the platform or of sign-in', async () => {
  const { client, rewards, credentials, urls } = await testSandbox();
  const token = credentials.service_token;
  ok(await client(token).POST('/getProfileAndPoints', { params: { query: { uid: 'CUST0001' } } }));
  expect((await rewards(token).GET('/v1/partner/rewards')).response.status).toBe(401);
  const headers = { authorization: `Bearer ${token}` };
  const otp = await fetch(`${urls.client}/api/v1/auth/generate-otp`, { method: 'POST', headers });
  expect(otp.status).toBe(401);
});
