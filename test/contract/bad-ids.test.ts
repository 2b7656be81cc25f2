/** Tests that the sandbox refuses hostile ids, cursors and parameters as the contract states, without any effect. */
import { expect, it } from 'vitest';
import { credit, redemption } from '../harness/client-requests.ts';
import { flat, mandatory, notFound, plain, refusal, wrapped } from '../harness/envelopes.ts';
import { ok, raw, testSandbox } from '../harness/sandbox.ts';
import { balanceOf, refusing } from '../harness/state.ts';
import { invalid } from './operations.ts';

const line = { sku: 'EGV-SPICE-500', quantity: 1 };

it('OP-44: a uid with a special meaning to a program is an unknown customer', async () => {
  const sandbox = await testSandbox();
  const expectNoEffect = await refusing(sandbox);
  const unknown = wrapped(422, 'Unknown customer.');
  const nobody = flat(422, 56, 'Refused by the client: Unknown customer.');
  const company = sandbox.rewards(await sandbox.companyToken());
  const client = sandbox.client();
  for (const uid of ['__proto__', 'constructor', 'toString', '../x', '..', '%2e%2e', 'a/b', '\u0000', 'CUST0001 ']) {
    const query = { params: { query: { uid } } };
    const calls: (() => Promise<Parameters<typeof refusal>[0]>)[] = [
      () => client.POST('/getProfileAndPoints', query),
      () => client.POST('/saveRedeemDetails', { body: { ...redemption, uid } }),
      () => client.POST('/creditPoints', { body: { ...credit, uid } }),
      () => sandbox.auth.POST('/api/v1/auth/generate-otp', { body: { customer_id: uid } }),
    ];
    for (const call of calls) expect(refusal(await expectNoEffect(call())), uid).toEqual(unknown);
    const order = company.POST('/v1/partner/redeemptiononskus', { body: { uid, line_items: [line] } });
    expect(refusal(await expectNoEffect(order)), uid).toEqual(nobody);
    expect(ok(await company.GET('/getwalletdetail', query))).toEqual({ success: true, status: 200, data: [] });
    const ledger = await raw(`${sandbox.urls.sandbox}/ledger/${encodeURIComponent(uid).replaceAll('.', '%2E')}`);
    // The test's HTTP client removes dot segments.
    expect(plain(ledger), uid).toEqual(notFound(uid === '..' ? 'Path /sandbox/v1/' : `Customer ${uid}`));
  }
});

it('a uid longer than 64 characters, or empty, is refused', async () => {
  const sandbox = await testSandbox();
  const expectNoEffect = await refusing(sandbox);
  for (const uid of ['', 'x'.repeat(65), 'x'.repeat(10_000)]) {
    const query = { params: { query: { uid } } };
    const profile = sandbox.client().POST('/getProfileAndPoints', query);
    expect(refusal(await expectNoEffect(profile))).toEqual(mandatory);
    const credited = sandbox.client().POST('/creditPoints', { body: { ...credit, uid } });
    expect(refusal(await expectNoEffect(credited))).toEqual(mandatory);
    const wallet = sandbox.rewards(await sandbox.companyToken()).GET('/getwalletdetail', query);
    expect(refusal(await expectNoEffect(wallet))).toEqual(invalid('query parameter uid'));
  }
});

it('ids that equal built-in object properties are ordinary ids', async () => {
  const sandbox = await testSandbox();
  const client = sandbox.client();
  for (const id of ['__proto__', 'constructor', 'hasOwnProperty']) {
    const customer = ok(await sandbox.control.POST('/customers', { body: { uid: id, points: { balance: 1000 } } }));
    expect(customer.points).toEqual({ totalEarned: 1000, balance: 1000, totalRedeemed: 0 });
    for (let time = 0; time < 2; time += 1) {
      ok(await client.POST('/creditPoints', { body: { ...credit, uid: id, transactionId: id } }));
      ok(await client.POST('/saveRedeemDetails', { body: { ...redemption, uid: id, redeemCode: id } }));
    }
    expect(await balanceOf(sandbox, id)).toBe(1000 + 24 - 500);
  }
});

it('OP-12: a cursor with any one character changed is refused', async () => {
  const sandbox = await testSandbox();
  const rewards = sandbox.rewards(await sandbox.companyToken());
  const { next_cursor } = ok(await rewards.GET('/v1/partner/rewards', { params: { query: { limit: 10 } } }));
  const cursor = next_cursor ?? '';
  expect(cursor.length).toBeGreaterThan(40);
  for (let index = 0; index < cursor.length; index += 1) {
    const changed = `${cursor.slice(0, index)}${cursor[index] === 'A' ? 'B' : 'A'}${cursor.slice(index + 1)}`;
    const page = await rewards.GET('/v1/partner/rewards', { params: { query: { cursor: changed } } });
    expect(refusal(page), `character ${index}`).toEqual(flat(400, 51, 'Invalid or expired cursor'));
  }
});

it('OP-12: a cursor of another filter or workspace is refused, and one of the same filter is accepted', async () => {
  const [sandbox, other] = [await testSandbox(), await testSandbox({ seed: 'another workspace' })];
  const rewards = sandbox.rewards(await sandbox.companyToken());
  const page = async (from: typeof rewards, query: { type?: 'egv' | 'physical'; limit?: number; cursor?: string }) =>
    from.GET('/v1/partner/rewards', { params: { query } });
  const egv = ok(await page(rewards, { type: 'egv', limit: 10 })).next_cursor ?? '';
  const foreign =
    ok(await page(other.rewards(await other.companyToken()), { type: 'egv', limit: 10 })).next_cursor ?? '';
  const expected = flat(400, 51, 'Invalid or expired cursor');
  expect(refusal(await page(rewards, { cursor: egv }))).toEqual(expected);
  expect(refusal(await page(rewards, { type: 'physical', cursor: egv }))).toEqual(expected);
  expect(refusal(await page(rewards, { type: 'egv', cursor: foreign }))).toEqual(expected);
  expect(ok(await page(rewards, { type: 'egv', cursor: egv })).items[0]?.id).toBe(11);
});

it('a repeated query parameter is refused', async () => {
  const sandbox = await testSandbox();
  const cases = {
    'rewards/v1/partner/rewards?type=egv&type=egv': flat(400, 50, 'Invalid type filter value'),
    'rewards/v1/partner/rewards?limit=10&limit=10': flat(400, 52, 'Invalid limit'),
    'rewards/v1/partner/rewards?cursor=a&cursor=b': flat(400, 51, 'Invalid or expired cursor'),
    'rewards/getwalletdetail?uid=CUST0001&uid=CUST0002': invalid('query parameter uid'),
    'sandbox/v1/activity?limit=1&limit=2': invalid('query parameter limit'),
  };
  const authorization = `Bearer ${await sandbox.companyToken()}`;
  for (const [path, expected] of Object.entries(cases)) {
    const headers = path.startsWith('sandbox/') ? {} : { authorization };
    expect(plain(await raw(`${sandbox.origin}/${path}`, { headers })), path).toEqual(expected);
  }
  const headers = { authorization: `Bearer ${sandbox.credentials.service_token}` };
  const url = `${sandbox.urls.client}/getProfileAndPoints?uid=CUST0001&uid=CUST0001`;
  expect(plain(await raw(url, { method: 'POST', headers }))).toEqual(mandatory);
});
