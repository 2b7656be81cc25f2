/** Tests customers, their ledgers and the outbox in the control API. */
import { expect, it } from 'vitest';
import { flat, refusal } from '../harness/envelopes.ts';
import { ok, raw, testSandbox } from '../harness/sandbox.ts';

const at = '2026-01-12T04:30:00.000Z';

it('the seed has 25 customers without a history, the first five with fixed balances, and six with a history', async () => {
  const { control } = await testSandbox();
  const { items } = ok(await control.GET('/customers'));
  expect(items.map(({ uid }) => uid)).toEqual(
    Array.from({ length: 31 }, (_, index) => `CUST${String(index + 1).padStart(4, '0')}`),
  );
  expect(items.slice(0, 5).map(({ points }) => points.balance)).toEqual([25_000, 0, 100, 500, 5000]);
  expect(new Set(items.slice(0, 25).map(({ points }) => points.balance)).size).toBe(25);
  expect(new Set(items.map(({ profile }) => profile.name)).size).toBeGreaterThan(20);
});

it('a new customer needs only an id, and gets a whole profile and no points', async () => {
  const { control } = await testSandbox();
  const answer = await control.POST('/customers', { body: { uid: 'CUST9001' } });
  expect(answer.response.status).toBe(201);
  const customer = ok(answer);
  expect(customer).toEqual({
    uid: 'CUST9001',
    profile: expect.objectContaining({ uid: 'CUST9001', projectCode: 'DEMO01', projectId: 101 }),
    points: { totalEarned: 0, balance: 0, totalRedeemed: 0 },
  });
  // The PAN and the mobile number cannot belong to a real person. The fourth letter and the first digit are never issued.
  expect(customer.profile.pan).toMatch(/^[A-Z]{3}X[A-Z]\d{4}[A-Z]$/);
  expect(customer.profile.mobileNo).toMatch(/^5\d{9}$/);
  expect(ok(await control.GET('/ledger/{uid}', { params: { path: { uid: 'CUST9001' } } }))).toEqual({
    items: [],
    next: null,
    balance: 0,
  });
  const { items } = ok(await control.GET('/customers'));
  expect(items.at(-1)).toEqual(customer);
});

it('a balance is booked as an opening entry, and the given profile fields are stored', async () => {
  const { control, client } = await testSandbox();
  const profile = { name: 'Rohan Kulkarni', email: '', pincode: 411005 };
  const body = { uid: 'CUST9002', profile, points: { balance: 5000 } };
  const customer = ok(await control.POST('/customers', { body }));
  expect(customer.profile).toMatchObject(profile);
  expect(ok(await control.GET('/ledger/{uid}', { params: { path: { uid: 'CUST9002' } } }))).toEqual({
    items: [{ kind: 'credit', points: 5000, reference: 'opening', label: 'Earned', at }],
    next: null,
    balance: 5000,
  });
  const reply = ok(await client().POST('/getProfileAndPoints', { params: { query: { uid: 'CUST9002' } } }));
  expect(reply).toEqual({ profile: customer.profile, points: customer.points });
});

it('an existing id gets 409, and the customer does not change', async () => {
  const { control } = await testSandbox();
  const before = ok(await control.GET('/customers'));
  const body = { uid: 'CUST0001', points: { balance: 1 } };
  expect(refusal(await control.POST('/customers', { body }))).toEqual(flat(409, 66, 'Already exists: CUST0001'));
  expect(ok(await control.GET('/customers'))).toEqual(before);
});

it('a change replaces the fields that are sent, and sets a balance with one entry for the difference', async () => {
  const { control } = await testSandbox();
  const path = { params: { path: { uid: 'CUST0004' } } };
  const before = ok(await control.GET('/customers')).items[3];
  const change = async (body: { profile?: { city: string }; points?: { balance: number } }) =>
    ok(await control.PATCH('/customers/{uid}', { ...path, body }));
  expect(await change({ profile: { city: 'Pune' } })).toEqual({
    ...before,
    profile: { ...before?.profile, city: 'Pune' },
  });
  expect((await change({ points: { balance: 100 } })).points).toEqual({
    totalEarned: 500,
    balance: 100,
    totalRedeemed: 400,
  });
  expect((await change({ points: { balance: 300 } })).points).toEqual({
    totalEarned: 700,
    balance: 300,
    totalRedeemed: 400,
  });
  await change({ points: { balance: 300 } });
  expect(ok(await control.GET('/ledger/{uid}', path))).toEqual({
    next: null,
    items: [
      { kind: 'credit', points: 500, reference: 'opening', label: 'Earned', at },
      { kind: 'deduct', points: 400, reference: 'opening', label: 'Redeemed', at },
      { kind: 'credit', points: 200, reference: 'opening', label: 'Earned', at },
    ],
    balance: 300,
  });
});

it('a change cannot set the uid or the project of a profile', async () => {
  const { urls, control } = await testSandbox();
  const headers = { 'content-type': 'application/json' };
  const body = JSON.stringify({ profile: { uid: 'OTHER', projectCode: 'OTHER' } });
  await raw(`${urls.sandbox}/customers/CUST0001`, { method: 'PATCH', headers, body });
  const [customer] = ok(await control.GET('/customers')).items;
  expect(customer?.profile).toMatchObject({ uid: 'CUST0001', projectCode: 'DEMO01' });
});

it('the outbox lists the newest message first, for all customers or for one', async () => {
  const { control, auth } = await testSandbox();
  for (const customer_id of ['CUST0001', 'CUST0002', 'CUST0001']) {
    ok(await auth.POST('/api/v1/auth/generate-otp', { body: { customer_id } }));
    ok(await control.POST('/clock/advance', { body: { seconds: 1 } }));
  }
  const of = async (uid?: string) =>
    ok(await control.GET('/messages', { params: { query: uid === undefined ? {} : { uid } } })).items;
  const all = await of();
  expect(all.map(({ uid, at }) => [uid, at.slice(17, 19)])).toEqual([
    ['CUST0001', '02'],
    ['CUST0002', '01'],
    ['CUST0001', '00'],
  ]);
  expect(await of('CUST0001')).toEqual([all[0], all[2]]);
  expect(await of('CUST0003')).toEqual([]);
});

it('a balance that the account cannot reach is refused, and nothing changes', async () => {
  const { control } = await testSandbox();
  const most = 999_999_999_999_999;
  const path = { uid: 'RICH' };
  ok(await control.POST('/customers', { body: { uid: 'RICH', points: { balance: most } } }));
  const emptyCustomer = ok(
    await control.PATCH('/customers/{uid}', { params: { path }, body: { points: { balance: 0 } } }),
  );
  const body = { profile: { name: 'Not this' }, points: { balance: 10 } };
  const answer = await control.PATCH('/customers/{uid}', { params: { path }, body });
  expect(answer.error).toEqual({
    name: 'Bad Request',
    message: expect.stringMatching(/^Invalid request: \/points\/balance cannot be reached/),
    code: 53,
    status: 400,
    type: 'BadRequestHttpException',
  });
  const { items } = ok(await control.GET('/customers'));
  expect(items.find(({ uid }) => uid === 'RICH')).toEqual(emptyCustomer);
});
