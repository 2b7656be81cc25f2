/** Tests a client server that answers for a different customer than the requested one (OP-62, OP-123). */
import { expect, it } from 'vitest';
import { stubClient } from '../harness/client-stub.ts';
import { flat, refusal } from '../harness/envelopes.ts';
import { order, voucher } from '../harness/orders.ts';
import { ok, signIn, type TestSandbox, testSandbox } from '../harness/sandbox.ts';
import { eventsOf } from '../harness/state.ts';
import { replyFindings } from './replies-of-the-client.ts';

const noAnswer = flat(502, 57, 'No usable response from the client');

/** Stubs a client that always returns the data of CUST0005. */
async function stubOtherCustomer(sandbox: TestSandbox): Promise<void> {
  const uid = 'CUST0005';
  const profileAndPoints = ok(await sandbox.client().POST('/getProfileAndPoints', { params: { query: { uid } } }));
  const points = { customer_id: uid, points: profileAndPoints.points };
  await stubClient(sandbox, ({ operation }) => {
    if (operation === 'getProfileAndPoints') return { status: 200, body: profileAndPoints };
    return operation === 'api/v1/customer/points' ? { status: 200, body: points } : 'pass';
  });
}

async function findings({ control }: TestSandbox) {
  const { items } = ok(await control.GET('/activity', { params: { query: { limit: 1000 } } }));
  return replyFindings(items).flatMap(([, found]) => found);
}

it('OP-123: the profile of another customer opens no session, and the log says so', async () => {
  const sandbox = await testSandbox();
  const { jwt, companyToken } = await signIn(sandbox, 'CUST0001');
  const { 'session.opened': before } = await eventsOf(sandbox);
  await stubOtherCustomer(sandbox);
  const body = { uid: 'CUST0001', token: jwt };
  expect(refusal(await sandbox.rewards(companyToken).POST('/v1/customer/auth', { body }))).toEqual(noAnswer);
  expect(refusal(await sandbox.v2Platform(`Bearer ${jwt}`).GET('/api/v1/catalog'))).toEqual(noAnswer);
  expect((await eventsOf(sandbox))['session.opened']).toBe(before);
  const expected = 'must be the requested customer';
  expect((await findings(sandbox))[0]).toEqual({
    code: 'reply.body.other-customer',
    severity: 'warning',
    basis: 'OP-123',
    pointer: '/body/profile/uid',
    expected,
    actual: '"CUST0005"',
  });
});

it('OP-123: no order is placed with the points of another customer, in either version', async () => {
  const sandbox = await testSandbox();
  await stubOtherCustomer(sandbox);
  expect(refusal(await order(sandbox))).toEqual(noAnswer);
  const v2 = sandbox.v2Platform(await sandbox.companyToken());
  const body = { customer_id: 'CUST0001', line_items: [voucher] };
  expect(refusal(await v2.POST('/api/v1/orders', { body }))).toEqual(noAnswer);
  expect((await findings(sandbox)).map(({ pointer }) => pointer)).toEqual(['/body/profile/uid', '/body/customer_id']);
});
