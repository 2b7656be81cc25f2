/** Rules for single exchanges: constraints that a schema cannot express, and variants without findings. */
import { describe, expect, it } from 'vitest';
import { type Draft, example, exchange } from '../../harness/exchanges.ts';
import { sharedChecker } from '../../harness/proxy.ts';

type Change = (draft: Draft) => void;
type FindingRow = readonly [code: string, severity: string, basis: string, party: string, pointer: string];

async function check(operation: string, status: number, ...changes: readonly Change[]): Promise<FindingRow[]> {
  const draft = example(operation, status);
  for (const change of changes) change(draft);
  const { findings } = (await sharedChecker()).check(exchange(draft));
  return findings.map(({ code, severity, basis, party, pointer }) => [code, severity, basis, party, pointer]);
}

type Body = Record<string, unknown>;
const request =
  (fields: Body): Change =>
  (draft) => {
    draft.request.body = { ...(draft.request.body as Body), ...fields };
  };
const reply =
  (fields: Body): Change =>
  (draft) => {
    draft.reply.body = { ...(draft.reply.body as Body), ...fields };
  };
const without =
  (side: 'request' | 'reply', ...names: readonly string[]): Change =>
  (draft) => {
    const fields = Object.entries(draft[side].body as Body).filter(([name]) => !names.includes(name));
    draft[side].body = Object.fromEntries(fields);
  };
const query =
  (fields: Record<string, string>): Change =>
  (draft) => {
    draft.query = { ...fields };
  };

const egv = { id: 1, product_type: 'EGV', sku_code: 'E', status: 1, skus: 'E', denomination_value: '5', qty: '1' };
const item = { ...egv, qty_trigger_limit: '1' };
const items = (count: number) => Array.from({ length: count }, (_, id) => ({ ...item, id, sku_code: `E${id}` }));
const last = { next_cursor: null, has_more: false };
const profile =
  (dob: string): Change =>
  (draft) => {
    const body = draft.reply.body as { profile: Body };
    body.profile = { ...body.profile, dob };
  };
const refusedWith =
  (status: number): Change =>
  (draft) => {
    draft.reply.status = status;
  };

/** Builds a JWT that is valid for a number of seconds. */
const jwtOf = (seconds: number) => {
  const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
  return `${part({ alg: 'HS256' })}.${part({ sub: 'CUST0001', iat: 1_000, exp: 1_000 + seconds })}.c2lnbmVk`;
};
/** Replaces text in a reply's serialized JSON. */
const asText =
  (from: RegExp, to: string): Change =>
  (draft) => {
    draft.reply.body = JSON.stringify(draft.reply.body).replace(from, to);
  };

// biome-ignore format: a row a line
const deviations: readonly (readonly [title: string, operation: string, status: number, changes: readonly Change[], expected: FindingRow])[] = [
  ['B11: orderStatus differs from status', 'updateRedeemStatus', 200, [request({ status: 'Delivered', orderStatus: 'Rejected' })], ['request.rule.order-status-repeats-status', 'error', 'stated B11', 'caller', '/body/orderStatus']],
  ['A5: type=egv is answered with a PHYSICAL item', 'listRewards', 200, [query({ type: 'egv' }), reply(last)], ['reply.rule.type-filter', 'error', 'stated A5', 'host', '/body/items/1/product_type']],
  ['R7: has_more is true and next_cursor null', 'listRewards', 200, [query({}), reply({ has_more: true, next_cursor: null })], ['reply.rule.cursor-has-more', 'error', 'stated R7', 'host', '/body/next_cursor']],
  ['A7: two items for limit=1', 'listRewards', 200, [query({ limit: '1' })], ['reply.rule.page-size', 'error', 'stated A7', 'host', '/body/items']],
  ['L2: 51 items without a limit', 'listRewards', 200, [query({}), reply({ items: items(51) })], ['reply.rule.default-page-size', 'error', 'stated L2', 'host', '/body/items']],
  ['X6: code 50 with another message', 'listRewards', 400, [query({ type: 'gift' }), reply({ code: 50, message: 'Bad type' })], ['reply.rule.message-of-code-fifty', 'error', 'stated X6', 'host', '/body/message']],
  ['X5: another name than Bad Request', 'listRewards', 400, [query({ type: 'gift' }), reply({ name: 'BadRequest' })], ['reply.body.const', 'error', 'stated X5', 'host', '/body/name']],
  ['OP-19: a JWT that ends before expires_in', 'verifyOtp', 200, [reply({ token: jwtOf(60), expires_in: 1800 })], ['reply.rule.expiry-as-announced', 'warning', 'OP-19', 'host', '/body/expires_in']],
  ['OP-140: a balance written as 25000.0', 'getProfileAndPoints', 200, [asText(/("balance": ?\d+)/, '$1.0')], ['reply.rule.points-without-a-fraction', 'warning', 'OP-140', 'host', '/body/points/balance']],
  ['OP-101: a refusal with 402', 'saveRedeemDetails', 422, [refusedWith(402)], ['reply.rule.recommended-refusal', 'warning', 'OP-101', 'host', '/status']],
  ['R9: dob as year, month and day', 'getProfileAndPoints', 200, [profile('1991-08-14')], ['reply.rule.date-of-birth', 'error', 'stated R9', 'host', '/body/profile/dob']],
  ['R6: a page whose next_cursor is its own cursor', 'listRewards', 200, [query({ cursor: 'abc' }), reply({ next_cursor: 'abc', has_more: true })], ['reply.rule.cursor-advances', 'error', 'stated R6', 'host', '/body/next_cursor']],
  ['X6: an invalid type is answered with a page', 'listRewards', 200, [query({ type: 'gift' })], ['reply.rule.invalid-type-refused', 'error', 'stated X6', 'host', '/status']],
  ['X7: code 51 where no cursor was sent', 'listRewards', 400, [query({}), reply({ code: 51, message: 'Invalid or expired cursor' })], ['reply.rule.invalid-cursor-refused', 'error', 'stated X7', 'host', '/body/code']],
  ['X7: code 51 with another message', 'listRewards', 400, [query({ cursor: 'x' }), reply({ code: 51, message: 'Invalid cursor' })], ['reply.rule.message-of-code-fifty-one', 'error', 'stated X7', 'host', '/body/message']],
  ['X6: the message of code 50 under another code', 'listRewards', 400, [query({ type: 'gift', limit: '1' }), reply({ code: 7, message: 'Invalid type filter value' })], ['reply.rule.code-fifty-of-message', 'error', 'stated X6', 'host', '/body/code']],
  ['X2: a message that is nearly the stated one', 'getProfileAndPoints', 422, [(draft) => { (draft.reply.body as { data: Body }).data.message = 'Token invalid.'; }], ['reply.rule.token-invalid-message', 'error', 'stated X2', 'host', '/body/data/message']],
  ['X4: an update without redeemCode is accepted', 'updateRedeemStatus', 200, [without('request', 'redeemCode')], ['reply.rule.incomplete-update-refused', 'error', 'stated X4', 'host', '/status']],
  ['X3: a record without uid is accepted', 'saveRedeemDetails', 200, [without('request', 'uid')], ['reply.rule.incomplete-record-refused', 'error', 'stated X3', 'host', '/status']],
  ['R17: a total below the points', 'saveRedeemDetails', 200, [request({ totalPointWithProcessingFee: '1' })], ['request.rule.total-covers-points', 'error', 'stated R14 R17', 'caller', '/body/totalPointWithProcessingFee']],
  ['A1: a company sign-in without any token', 'companyAuth', 200, [without('reply', 'token')], ['reply.rule.company-token', 'error', 'stated A1', 'host', '/body']],
  ['F1: a login without any token', 'login', 200, [without('reply', 'access_token')], ['reply.rule.access-token', 'error', 'stated F1', 'host', '/body']],
  ['D6: a verification without a JWT', 'verifyOtp', 200, [without('reply', 'token')], ['reply.rule.jwt', 'error', 'stated D6', 'host', '/body']],
  ['D6: a verification without points', 'verifyOtp', 200, [without('reply', 'points')], ['reply.rule.points-information', 'error', 'stated D6', 'host', '/body']],
  ['A13: a line without any item', 'createRedemptionOrder', 200, [request({ line_items: [{ quantity: 1 }] })], ['request.rule.line-names-an-item', 'error', 'stated A13', 'caller', '/body/line_items/0']],
  ['R23: two vouchers with one code', 'getWalletDetail', 200, [(draft) => { const { data } = draft.reply.body as { data: unknown[] }; data.push(data[0]); }], ['reply.rule.voucher-code-unique', 'error', 'stated R23', 'host', '/body/data/1/voucherCode']],
];

describe('an exchange that violates a statement which no schema can express', () => {
  it.each(deviations)('%s; no other party is at fault, except a caller whose own request is wrong', async (...row) => {
    const [, operation, status, changes, expected] = row;
    const found = await check(operation, status, ...changes);
    expect(found).toContainEqual(expected);
    const wrongRequests = ['request.query.enum', 'request.body.required'];
    const others = found.filter(([code, , , party]) => party !== expected[3] && !wrongRequests.includes(code));
    expect(others).toEqual([]);
  });
});

// biome-ignore format: a row a line
const assumed: readonly (readonly [title: string, operation: string, status: number, changes: readonly Change[], basis: string])[] = [
  ['A1: the token of the company sign-in under another name', 'companyAuth', 200, [(draft) => { draft.reply.body = { data: { accessToken: 'ck_5f0c8e3b' } }; }], 'OP-02'],
  ['D6: JWT and points of verify-otp under other names', 'verifyOtp', 200, [(draft) => { draft.reply.body = { jwt: 'eyJh.eyJz.c2ln', pointsInfo: { available: 25 } }; }], 'OP-18'],
  ['F1: the access token of the login under another name', 'login', 200, [(draft) => { draft.reply.body = { token: 'ck_5f0c8e3b' }; }], 'OP-28'],
  ['A12: an order without uid in its body', 'createRedemptionOrder', 200, [without('request', 'uid')], 'OP-05'],
  ['A13: SKU in place of sku', 'createRedemptionOrder', 200, [request({ line_items: [{ SKU: 'EGV-SPICE-500', quantity: 1 }] })], 'OP-05'],
];

describe('a violated assumption is a warning that names its open point', () => {
  it.each(assumed)('%s', async (_, operation, status, changes, basis) => {
    const all = await check(operation, status, ...changes);
    expect(all.length).toBeGreaterThan(0);
    expect(all.filter(([, severity, foundBasis]) => severity !== 'warning' || foundBasis !== basis)).toEqual([]);
  });
});

// biome-ignore format: a row a line
const legal: readonly (readonly [title: string, operation: string, status: number, changes: readonly Change[]])[] = [
  ['A7: a page may hold fewer items than the limit', 'listRewards', 200, [query({ limit: '200' })]],
  ['A5: an empty page for type=physical', 'listRewards', 200, [query({ type: 'physical' }), reply({ items: [], ...last })]],
  ['L2: 50 items without a limit', 'listRewards', 200, [query({}), reply({ items: items(50) })]],
  ['X5: a 400 with a code of its own', 'listRewards', 400, [query({}), reply({ code: 99, message: 'Not today' })]],
  ['R9: dob without zeros in front', 'getProfileAndPoints', 200, [profile('1/8/91')]],
  ['X1: a 422 with a message of its own', 'saveRedeemDetails', 422, [(draft) => { (draft.reply.body as { data: Body }).data.message = 'No.'; }]],
];

describe('variety that the interface leaves open is no finding', () => {
  it.each(legal)('%s', async (_, operation, status, changes) => {
    expect(await check(operation, status, ...changes)).toEqual([]);
  });
});
