/** Tests an order's customer fields and the caller's own order id in every API (OP-132, OP-133). */
import { expect, it } from 'vitest';
import { flat, plain } from '../harness/envelopes.ts';
import { voucher } from '../harness/orders.ts';
import { logIn, raw, type TestSandbox, testSandbox } from '../harness/sandbox.ts';
import { balanceOf, eventsOf, refusing } from '../harness/state.ts';

type Api = readonly [name: string, path: string, whom: object];
const version1: Api = ['version 1.0', '/rewards/v1/partner/redeemptiononskus', { uid: 'CUST0001' }];
const apis: readonly Api[] = [
  version1,
  ['version 2.0', '/rewards/api/v1/orders', { customer_id: 'CUST0001' }],
  ['the general API', '/general/v1/orders', {}],
];

/** Returns a function that orders one voucher through the given API, with additional fields. */
async function placing(sandbox: TestSandbox, [, path, whom]: Api) {
  const token = path.startsWith('/general') ? await logIn(sandbox, 'CUST0001') : await sandbox.companyToken();
  return (fields: object, key?: string) => {
    const headers = {
      authorization: `Bearer ${token}`,
      'content-type': 'application/json',
      ...(key !== undefined && { 'idempotency-key': key }),
    };
    const body = JSON.stringify({ ...whom, line_items: [voucher], ...fields });
    return raw(`${sandbox.origin}${path}`, { method: 'POST', headers, body });
  };
}

/** Fields with values they refuse, and the pattern in the error message, as in the contract. */
const wrong = [
  ['shipping_address', [' ', '\t\n', '\u00a0'], '\\S (Delivery address, not blank; required if a line is PHYSICAL)'],
  [
    'email',
    ['a.example.com', '@', 'a@', '@b', 'a@b@c', 'a b@c', ' ', ''],
    "^[^\\s@]+@[^\\s@]+$ (Email address with text on both sides of one @; defaults to the one in the customer's profile)",
  ],
  [
    'mobile_no',
    ['12345', '1234567890123456', 'nobody', '98--765432', '+', '98765x4321', ''],
    '^\\+?[0-9]([ -]?[0-9]){5,14}$ (6 to 15 digits, optionally with a leading + and single spaces or hyphens; ' +
      "defaults to the number in the customer's profile)",
  ],
] as const;

it.each(apis)(
  'OP-132: %s refuses a blank address, an invalid e-mail address and an invalid mobile number',
  async (...api) => {
    const sandbox = await testSandbox();
    const place = await placing(sandbox, api);
    const refused = await refusing(sandbox);
    for (const [field, texts, pattern] of wrong) {
      const expected = flat(400, 53, `Invalid request: /${field} must match ${pattern}`);
      for (const text of texts) {
        expect([text, plain(await refused(place({ [field]: text })))]).toEqual([text, expected]);
      }
    }
  },
);

it.each(apis)('OP-132: %s accepts valid values', async (...api) => {
  const place = await placing(await testSandbox(), api);
  for (const fields of [
    { shipping_address: 'A' },
    { email: 'a@b' },
    { email: 'ananya.iyer+rewards@example.com' },
    { mobile_no: '5000000007' },
    { mobile_no: '+91 50000-00007' },
  ]) {
    expect((await place(fields)).status).toBe(200);
  }
});

const conflict = flat(409, 58, 'reference_id was used for another order');

it('OP-133: a reference_id belongs to one order across all APIs', async () => {
  const sandbox = await testSandbox();
  const [first, ...others] = await Promise.all(apis.map((api) => placing(sandbox, api)));
  expect((await first?.({ reference_id: 'CART-1' }))?.status).toBe(200);
  const before = await balanceOf(sandbox, 'CUST0001');
  for (const place of [first, ...others]) {
    const again = await place?.({ reference_id: 'CART-1' });
    expect(again && plain(again)).toEqual(conflict);
    expect((await place?.({}))?.status).toBe(200);
  }
  expect(await balanceOf(sandbox, 'CUST0001')).toBe(before - 1500);
  expect(await eventsOf(sandbox)).toMatchObject({ 'order.placing': 4, 'order.placed': 4 });
});

it('OP-20: OP-133: a repeat with the same Idempotency-Key returns the same order', async () => {
  const place = await placing(await testSandbox(), version1);
  const [first, again] = [await place({ reference_id: 'CART-1' }, 'K'), await place({ reference_id: 'CART-1' }, 'K')];
  expect(again.body).toEqual(first.body);
  expect(again.headers.get('idempotent-replayed')).toBe('true');
  expect(plain(await place({ reference_id: 'CART-1' }, 'L'))).toEqual(conflict);
});

it('OP-133: an order that was not placed leaves its reference_id free', async () => {
  const sandbox = await testSandbox();
  const place = await placing(sandbox, version1);
  const refuse = { target: 'saveRedeemDetails', fault: 'status', status: 422, times: 1 } as const;
  await sandbox.control.POST('/faults', { body: refuse });
  expect((await place({ reference_id: 'CART-1' })).status).toBe(422);
  expect((await place({ reference_id: 'CART-1' })).status).toBe(200);
});

it('OP-133: of two concurrent orders with one reference_id, one is placed', async () => {
  const sandbox = await testSandbox();
  const place = await placing(sandbox, version1);
  const answers = await Promise.all([place({ reference_id: 'CART-1' }), place({ reference_id: 'CART-1' })]);
  expect(answers.map(({ status }) => status).sort()).toEqual([200, 409]);
  expect(await balanceOf(sandbox, 'CUST0001')).toBe(24_500);
});
