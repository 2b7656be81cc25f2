/** Tests reading a customer's profile and points (B2, B3). test/contract/errors.test.ts covers the refusals. */
import { expect, it } from 'vitest';
import { ok, testSandbox } from '../harness/sandbox.ts';

it('B3, R8, R10: the reply has the whole profile and the points of the ledger, including redeemed points', async () => {
  const { control, client, v2Client } = await testSandbox();
  const profile = {
    name: 'Rohan Kulkarni',
    email: 'rohan.kulkarni@example.com',
    mobileNo: '5000000042',
    dob: '05/11/1987',
    address1: '4 Tilak Road',
    address2: 'Sadashiv Peth',
    city: 'Pune',
    pincode: 411030,
    state: 27,
    cus_type: 'INDIVIDUAL',
    partnerType: 'RETAIL',
    pan: 'ABCXK1234L',
    panVerifiedStatus: 'VERIFIED',
    mdate: '12/02/2014',
  };
  ok(await control.POST('/customers', { body: { uid: 'ROHAN-01', profile, points: { balance: 900 } } }));
  const project = { projectCode: 'DEMO01', projectName: 'Demo Rewards', projectId: 101 };
  const readProfile = async () =>
    ok(await client().POST('/getProfileAndPoints', { params: { query: { uid: 'ROHAN-01' } } }));
  expect(await readProfile()).toEqual({
    profile: { uid: 'ROHAN-01', ...profile, ...project },
    points: { totalEarned: 900, balance: 900, totalRedeemed: 0 },
  });
  const redeem = { customer_id: 'ROHAN-01', order_id: 'ORD-1', redeem_code: 'RDM-1', points: 250 };
  ok(await v2Client().POST('/api/v1/orders/redeem', { body: redeem }));
  expect((await readProfile()).points).toEqual({ totalEarned: 900, balance: 650, totalRedeemed: 250 });
});

it('R9: email and mdate may be empty, and a date of birth is day, month and year', async () => {
  const { control, client } = await testSandbox();
  ok(await control.POST('/customers', { body: { uid: 'ROHAN-02', profile: { email: '', mdate: '' } } }));
  const { profile } = ok(await client().POST('/getProfileAndPoints', { params: { query: { uid: 'ROHAN-02' } } }));
  expect([profile.email, profile.mdate]).toEqual(['', '']);
  const { items } = ok(await control.GET('/customers'));
  const births = [profile, ...items.map((customer) => customer.profile)].map(({ dob }) => dob);
  expect(births.filter((dob) => !/^(0[1-9]|[12]\d|3[01])\/(0[1-9]|1[0-2])\/(19|20)\d\d$/.test(dob))).toEqual([]);
});
