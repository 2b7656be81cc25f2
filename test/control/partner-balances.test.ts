/** Tests how the control API checks a partner's own server by the balances that it returns (OP-110, OP-111, OP-112). */
import { expect, it } from 'vitest';
import { advance, kettle, order, pay, vendorWill, voucher } from '../harness/orders.ts';
import { PartnerServer, type Wrong } from '../harness/partner-server.ts';
import { ok, type TestSandbox, testSandbox } from '../harness/sandbox.ts';

const uid = 'CUST0001';
const shipping_address = '4 Mill Road, Pune';
const chai = { sku: 'EGV-CHAI-250', quantity: 1 };
/** The price of the kettle in points, and the fee included in that price. */
const [price, fee] = [1548, 49];

const reconciliation = async ({ control }: TestSandbox, query = {}) =>
  ok(await control.GET('/reconciliation', { params: { query } }));

/** The codes of the orders that `runCourse` places. The payment is TXN-1 over 10 points. */
interface Codes {
  readonly delivered: string;
  readonly rejected: string;
  readonly repeated: string;
  readonly refused: string;
}

async function code(sandbox: TestSandbox, sku: { sku: string; quantity: number }): Promise<string> {
  const placedOrder = ok(await order(sandbox, { uid, line_items: [sku], shipping_address }));
  return placedOrder.lines[0]?.redeemCode ?? '';
}

/** Runs the same orders and payment against any server, loses some replies, and waits for all deliveries. */
async function runCourse(sandbox: TestSandbox, server: PartnerServer): Promise<Codes> {
  const delivered = await code(sandbox, kettle);
  await advance(sandbox, 10);
  await vendorWill(sandbox, kettle.sku, { outcome: 'reject', times: 1 });
  const rejected = await code(sandbox, kettle);
  server.plan.push({ operation: 'updateRedeemStatus', reaction: 'lose' });
  await advance(sandbox, 10);
  server.plan.push({ operation: 'saveRedeemDetails', reaction: 'lose' });
  server.plan.push({ operation: 'saveRedeemDetails', reaction: 'drop' });
  const repeated = await code(sandbox, voucher);
  server.plan.push({ operation: 'creditPoints', reaction: 'lose' });
  ok(await pay(sandbox, { uid }));
  await advance(sandbox, 10);
  server.plan.push({ operation: 'saveRedeemDetails', reaction: 'refuse' });
  expect((await order(sandbox, { uid, line_items: [chai] })).response.status).toBe(422);
  await advance(sandbox, 400);
  return { delivered, rejected, repeated, refused: await refusedCode(sandbox) };
}

/** Returns the code that the platform generated for the refused order. */
async function refusedCode({ control }: TestSandbox): Promise<string> {
  const { items } = ok(await control.GET('/activity', { params: { query: { limit: 1_000 } } }));
  const failed = items.find((item) => item.kind === 'state' && item.event === 'order.failed');
  return failed?.redeem_codes[0] ?? '';
}

it('OP-110: a correct server has no differences, after delivered, rejected and refused orders and lost replies', async () => {
  const sandbox = await testSandbox();
  const server = await new PartnerServer().standIn(sandbox);
  await runCourse(sandbox, server);
  expect(server.balanceOf(uid)).toBe(25_000 - price - 500 + 10);
  expect(await reconciliation(sandbox)).toEqual({ items: [], next: null });
  // An order that never receives a reply fails, and its points are refunded.
  for (const reaction of ['lose', 'lose', 'drop'] as const) {
    server.plan.push({ operation: 'saveRedeemDetails', reaction });
  }
  expect((await order(sandbox, { uid })).response.status).toBe(502);
  await advance(sandbox, 400);
  expect(server.balanceOf(uid)).toBe(25_000 - price - 500 + 10);
  expect(await reconciliation(sandbox)).toEqual({ items: [], next: null });
});

const change = (kind: string) => (reference: string, points: number, mistake: string) => ({
  kind,
  reference,
  points,
  mistake,
});
const [deduction, reversal] = [change('deduction'), change('reversal')];
const withoutFee = (code: string) => deduction(code, price, 'deducted_without_fee');
const notDeducted = (code: string, points = price) => deduction(code, points, 'not_deducted');

const mistakes: [Wrong, number, (codes: Codes) => ReturnType<typeof deduction>[]][] = [
  [
    'forgets the reversal',
    price,
    ({ rejected: code }) => [deduction(code, price, 'deducted_twice'), reversal(code, price, 'not_reversed')],
  ],
  ['deducts twice on a repeat', 500, ({ repeated }) => [deduction(repeated, 500, 'deducted_twice')]],
  ['credits twice on a repeat', -10, () => [change('credit')('TXN-1', 10, 'credited_twice')]],
  ['deducts without the fee', -2 * fee, ({ delivered, rejected }) => [delivered, rejected].map(withoutFee)],
  ['reverses without the fee', fee, ({ rejected }) => [reversal(rejected, price, 'reversed_without_fee')]],
  [
    'reverses twice on a repeat',
    -price,
    ({ rejected }) => [notDeducted(rejected), reversal(rejected, price, 'reversed_twice')],
  ],
  [
    'deducts what it refuses',
    250,
    ({ refused }) => [change('refused_deduction')(refused, 250, 'deducted_though_refused')],
  ],
  [
    'accepts and deducts nothing',
    -2 * price - 500,
    ({ delivered, rejected, repeated }) => [
      ...[notDeducted(delivered), notDeducted(rejected)],
      ...[reversal(rejected, price, 'reversed_twice'), notDeducted(repeated, 500)],
    ],
  ],
  [
    'reports a balance that never changes',
    -price - 490,
    ({ delivered, repeated }) => [
      ...[notDeducted(delivered), notDeducted(repeated, 500)],
      change('credit')('TXN-1', 10, 'not_credited'),
    ],
  ],
];

it.each(mistakes)(
  'OP-110: a server that %s is reported, with customer, difference and codes',
  async (mistake, difference, changesOf) => {
    const sandbox = await testSandbox();
    const server = await new PartnerServer(mistake).standIn(sandbox);
    const codes = await runCourse(sandbox, server);
    const { items, next } = await reconciliation(sandbox);
    const item = { uid, kind: 'balance_differs', reason: null, outstanding: 'none', read_at: expect.any(String) };
    const balance = expect.any(Number);
    expect({ items, next }).toEqual({
      items: [{ ...item, difference, balance, changes: changesOf(codes) }],
      next: null,
    });
  },
);

it('OP-110: the same check works for version 2.0', async () => {
  for (const mistake of [undefined, 'forgets the reversal'] as const) {
    const sandbox = await testSandbox();
    const server = await new PartnerServer(mistake).standIn(sandbox);
    const v2 = sandbox.v2Platform(await sandbox.companyToken());
    await vendorWill(sandbox, voucher.sku, { outcome: 'reject' });
    server.plan.push({ operation: 'redeem', reaction: 'lose' });
    const placedOrder = ok(await v2.POST('/api/v1/orders', { body: { customer_id: uid, line_items: [voucher] } }));
    const reference = placedOrder.lines[0]?.redeemCode;
    server.plan.push({ operation: 'reverse', reaction: 'lose' });
    await advance(sandbox, 10);
    const { items } = await reconciliation(sandbox);
    const change = { reference, points: 500 };
    const difference = { uid, kind: 'balance_differs', difference: 500, changes: [change, change] };
    expect(items).toMatchObject(mistake === undefined ? [] : [difference]);
    expect(server.calls).not.toContain('getProfileAndPoints');
  }
});

it('OP-110: the difference disappears when the server corrects its mistake', async () => {
  const sandbox = await testSandbox();
  const server = await new PartnerServer('forgets the reversal').standIn(sandbox);
  await runCourse(sandbox, server);
  expect((await reconciliation(sandbox)).items).toHaveLength(1);
  server.move(uid, price);
  expect(await reconciliation(sandbox)).toEqual({ items: [], next: null });
});

/** Returns an item for a balance that the check cannot evaluate. */
const unknown = (reason: string, reference: string, change: object = {}) => ({
  uid,
  kind: 'unknown',
  reason,
  difference: null,
  balance: 25_000,
  read_at: '2026-01-12T04:30:00.000Z',
  changes: [expect.objectContaining({ reference, mistake: null })],
  outstanding: 'none',
  ...change,
});

it('OP-110: a report without a reply is unknown, due and then parked, and correct after a reply', async () => {
  const sandbox = await testSandbox();
  const server = await new PartnerServer().standIn(sandbox);
  await vendorWill(sandbox, voucher.sku, { outcome: 'reject' });
  const reference = await code(sandbox, voucher);
  for (let times = 0; times < 8; times += 1) server.plan.push({ operation: 'updateRedeemStatus', reaction: 'lose' });
  await advance(sandbox, 2);
  const item = unknown('unanswered', reference, { outstanding: 'due' });
  expect(await reconciliation(sandbox)).toEqual({ items: [item], next: null });
  await advance(sandbox, 2 * 86_400);
  expect(await reconciliation(sandbox)).toEqual({ items: [{ ...item, outstanding: 'parked' }], next: null });
  ok(await sandbox.control.POST('/deliveries/replay'));
  ok(await sandbox.control.POST('/settle'));
  expect(await reconciliation(sandbox)).toEqual({ items: [], next: null });
});

it('OP-110: a balance that cannot be read is unknown, and no order gets a mistake for it', async () => {
  const sandbox = await testSandbox();
  const server = await new PartnerServer().standIn(sandbox);
  const reference = await code(sandbox, voucher);
  server.plan.push({ operation: 'getProfileAndPoints', reaction: 'drop' });
  expect((await reconciliation(sandbox)).items).toEqual([unknown('not_read', reference, { outstanding: 'due' })]);
  expect(await reconciliation(sandbox)).toEqual({ items: [], next: null });
});

it('OP-110: a balance that is read during an order proves nothing', async () => {
  const sandbox = await testSandbox();
  const server = await new PartnerServer().standIn(sandbox);
  await code(sandbox, voucher);
  server.plan.push({ operation: 'getProfileAndPoints', reaction: 'hold' });
  const reading = reconciliation(sandbox);
  await expect.poll(() => server.plan).toEqual([]);
  const during = await code(sandbox, voucher);
  server.release();
  expect((await reading).items).toMatchObject([
    { reason: 'not_read', balance: 24_500, changes: [{ reference: during }] },
  ]);
  expect(await reconciliation(sandbox)).toEqual({ items: [], next: null });
});

it('OP-110: during an order call its deduction counts as unanswered, and no balance is read', async () => {
  const sandbox = await testSandbox();
  const server = await new PartnerServer().standIn(sandbox);
  server.plan.push({ operation: 'saveRedeemDetails', reaction: 'hold' });
  const ordering = code(sandbox, voucher);
  await expect.poll(() => server.plan).toEqual([]);
  const { items } = await reconciliation(sandbox);
  server.release();
  expect(items).toEqual([unknown('unanswered', await ordering, { outstanding: 'due' })]);
  expect(server.calls).toEqual(['getProfileAndPoints', 'saveRedeemDetails']);
});

it('OP-110: a credit before the first balance is unknown', async () => {
  const sandbox = await testSandbox();
  const server = await new PartnerServer('credits twice on a repeat').standIn(sandbox);
  // The payment triggers a balance request, which receives no reply.
  server.plan.push({ operation: 'getProfileAndPoints', reaction: 'drop' });
  ok(await pay(sandbox));
  await advance(sandbox, 1);
  const item = unknown('no_read_before', 'TXN-1', { balance: 25_010, read_at: expect.any(String) });
  expect((await reconciliation(sandbox)).items).toEqual([item]);
});

it('OP-110: points that change outside the sandbox are unknown, even if the rest is correct', async () => {
  const sandbox = await testSandbox();
  const server = await new PartnerServer().standIn(sandbox);
  const reference = await code(sandbox, voucher);
  await advance(sandbox, 2);
  server.move(uid, 77);
  const outside = { difference: -77, balance: 24_577, read_at: expect.any(String) };
  expect((await reconciliation(sandbox)).items).toEqual([unknown('unexplained', reference, outside)]);
});

it('OP-22, OP-110: points that a timeout may have refunded are unknown, and correct after the late delivery is refused', async () => {
  const sandbox = await testSandbox();
  const server = await new PartnerServer().standIn(sandbox);
  await vendorWill(sandbox, voucher.sku, { outcome: 'deliver', delay_seconds: 120 });
  const reference = await code(sandbox, voucher);
  server.timeOut(reference);
  expect((await reconciliation(sandbox)).items).toMatchObject([
    { uid, kind: 'unknown', reason: 'pending', difference: -500, outstanding: 'due' },
  ]);
  await advance(sandbox, 120);
  expect(await reconciliation(sandbox)).toEqual({ items: [], next: null });
});

it('OP-110: a new server, or the reference client again, is not checked by the calls of the previous one', async () => {
  const sandbox = await testSandbox();
  await runCourse(sandbox, await new PartnerServer('forgets the reversal').standIn(sandbox));
  expect((await reconciliation(sandbox)).items).toHaveLength(1);
  await new PartnerServer().standIn(sandbox);
  expect(await reconciliation(sandbox)).toEqual({ items: [], next: null });
  ok(await sandbox.control.PATCH('/workspace', { body: { settings: { client_url: null } } }));
  expect((await reconciliation(sandbox)).items.map(({ kind }) => kind)).not.toContain('balance_differs');
});

it('OP-111: a request reads only balances that can have changed, and none with balances=known', async () => {
  const sandbox = await testSandbox();
  const server = await new PartnerServer().standIn(sandbox);
  const reference = await code(sandbox, voucher);
  server.calls.length = 0;
  const item = unknown('not_read', reference, { outstanding: 'due' });
  expect((await reconciliation(sandbox, { balances: 'known' })).items).toEqual([item]);
  expect(server.calls).toEqual([]);
  expect((await reconciliation(sandbox)).items).toEqual([]);
  expect((await reconciliation(sandbox)).items).toEqual([]);
  expect(server.calls).toEqual(['getProfileAndPoints']);
});

/** Credits points to `customers` new customers whose balances were never read. */
async function creditCustomers(sandbox: TestSandbox, customers: number): Promise<void> {
  for (let number = 0; number < customers; number += 1) {
    const name = String(number).padStart(3, '0');
    ok(await pay(sandbox, { uid: `OWN-${name}`, transactionId: `TXN-${name}` }));
  }
  await advance(sandbox, 1);
}

it('OP-111: one request reads 50 of 120 balances, and the next pages read the others', async () => {
  const sandbox = await testSandbox();
  const server = await new PartnerServer('reports a balance that never changes').standIn(sandbox);
  await creditCustomers(sandbox, 120);
  const reads = () => server.calls.splice(0).filter((operation) => operation === 'getProfileAndPoints').length;
  reads();
  const first = await reconciliation(sandbox);
  expect([first.items.length, first.next, reads()]).toEqual([50, 'OWN-049', 50]);
  const second = await reconciliation(sandbox, { after: first.next });
  expect([second.items.length, second.next, reads()]).toEqual([50, 'OWN-099', 50]);
  const third = await reconciliation(sandbox, { after: second.next });
  expect([third.items.length, third.next, reads()]).toEqual([20, null, 20]);
  const small = await reconciliation(sandbox, { limit: 7 });
  // The check reads differing balances a second time.
  expect([small.items.length, small.next, reads()]).toEqual([7, 'OWN-006', 50]);
});

it('OP-111: a server that does not answer gets two requests, not one for each customer', async () => {
  const sandbox = await testSandbox();
  const server = await new PartnerServer().standIn(sandbox);
  await creditCustomers(sandbox, 30);
  for (let times = 0; times < 30; times += 1) server.plan.push({ operation: 'getProfileAndPoints', reaction: 'drop' });
  server.calls.length = 0;
  const { items } = await reconciliation(sandbox);
  expect([items.length, server.calls.length]).toEqual([30, 2]);
});

it('OP-112: the newest 50 changes between two balances are stored, and all are counted', async () => {
  const sandbox = await testSandbox();
  const server = await new PartnerServer().standIn(sandbox);
  await code(sandbox, voucher);
  for (let number = 0; number < 60; number += 1) ok(await pay(sandbox, { transactionId: `TXN-${number}` }));
  await advance(sandbox, 2);
  const [{ changes = [] } = {}] = (await reconciliation(sandbox, { balances: 'known' })).items.flatMap((item) =>
    'changes' in item ? [item] : [],
  );
  expect(changes).toHaveLength(50);
  expect(await reconciliation(sandbox)).toEqual({ items: [], next: null });
  expect(server.balanceOf(uid)).toBe(25_000 - 500 + 600);
});
