/** The control API: the balances of a partner's own server, judged by what that server says (OP-110, OP-111, OP-112). */
import { expect, it } from 'vitest';
import { advance, kettle, order, pay, vendorWill, voucher } from '../harness/orders.ts';
import { PartnerServer, type Wrong } from '../harness/partner-server.ts';
import { ok, type TestSandbox, testSandbox } from '../harness/sandbox.ts';

const uid = 'CUST0001';
const shipping_address = '4 Mill Road, Pune';
const chai = { sku: 'EGV-CHAI-250', quantity: 1 };
/** What the kettle costs, and the part of it that is the fee. */
const [whole, fee] = [1548, 49];

const reconciliation = async ({ control }: TestSandbox, query = {}) =>
  ok(await control.GET('/reconciliation', { params: { query } }));

/** The codes of the orders of a course; the payment is TXN-1, of 10 points. */
interface Codes {
  readonly delivered: string;
  readonly rejected: string;
  readonly repeated: string;
  readonly refused: string;
}

async function code(sandbox: TestSandbox, sku: { sku: string; quantity: number }): Promise<string> {
  const placed = ok(await order(sandbox, { uid, line_items: [sku], shipping_address }));
  return placed.lines[0]?.redeemCode ?? '';
}

/** The same orders and the same payment for every server, with lost replies, and time for each to be delivered. */
async function course(sandbox: TestSandbox, server: PartnerServer): Promise<Codes> {
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

/** The code that the platform drew for the order that was refused. */
async function refusedCode({ control }: TestSandbox): Promise<string> {
  const { items } = ok(await control.GET('/activity', { params: { query: { limit: 1_000 } } }));
  const failed = items.find((item) => item.kind === 'state' && item.event === 'order.failed');
  return failed?.redeem_codes[0] ?? '';
}

it('OP-110: a right server is right, with orders delivered, rejected and refused, and with lost replies', async () => {
  const sandbox = await testSandbox();
  const server = await new PartnerServer().standIn(sandbox);
  await course(sandbox, server);
  expect(server.balanceOf(uid)).toBe(25_000 - whole - 500 + 10);
  expect(await reconciliation(sandbox)).toEqual({ items: [], next: null });
  // An order of which no reply came back does not stand, and is taken back.
  for (const reaction of ['lose', 'lose', 'drop'] as const) {
    server.plan.push({ operation: 'saveRedeemDetails', reaction });
  }
  expect((await order(sandbox, { uid })).response.status).toBe(502);
  await advance(sandbox, 400);
  expect(server.balanceOf(uid)).toBe(25_000 - whole - 500 + 10);
  expect(await reconciliation(sandbox)).toEqual({ items: [], next: null });
});

type Named = { kind: string; reference: string; points: number; mistake: string };

const wrongs: [Wrong, number, (codes: Codes) => Named[]][] = [
  [
    'forgets the reversal',
    whole,
    ({ rejected }) => [
      { kind: 'deduction', reference: rejected, points: whole, mistake: 'deducted_twice' },
      { kind: 'reversal', reference: rejected, points: whole, mistake: 'not_reversed' },
    ],
  ],
  [
    'deducts twice on a repeat',
    500,
    ({ repeated }) => [{ kind: 'deduction', reference: repeated, points: 500, mistake: 'deducted_twice' }],
  ],
  [
    'credits twice on a repeat',
    -10,
    () => [{ kind: 'credit', reference: 'TXN-1', points: 10, mistake: 'credited_twice' }],
  ],
  [
    'deducts without the fee',
    -2 * fee,
    ({ delivered, rejected }) =>
      [delivered, rejected].map((reference) => {
        return { kind: 'deduction', reference, points: whole, mistake: 'deducted_without_fee' };
      }),
  ],
  [
    'reverses without the fee',
    fee,
    ({ rejected }) => [{ kind: 'reversal', reference: rejected, points: whole, mistake: 'reversed_without_fee' }],
  ],
  [
    'reverses twice on a repeat',
    -whole,
    ({ rejected }) => [
      { kind: 'deduction', reference: rejected, points: whole, mistake: 'not_deducted' },
      { kind: 'reversal', reference: rejected, points: whole, mistake: 'reversed_twice' },
    ],
  ],
  [
    'deducts what it refuses',
    250,
    ({ refused }) => [
      { kind: 'refused_deduction', reference: refused, points: 250, mistake: 'deducted_though_refused' },
    ],
  ],
  [
    'says yes and deducts nothing',
    -2 * whole - 500,
    ({ delivered, rejected, repeated }) => [
      { kind: 'deduction', reference: delivered, points: whole, mistake: 'not_deducted' },
      { kind: 'deduction', reference: rejected, points: whole, mistake: 'not_deducted' },
      { kind: 'reversal', reference: rejected, points: whole, mistake: 'reversed_twice' },
      { kind: 'deduction', reference: repeated, points: 500, mistake: 'not_deducted' },
    ],
  ],
  [
    'tells a balance that stands still',
    -whole - 490,
    ({ delivered, repeated }) => [
      { kind: 'deduction', reference: delivered, points: whole, mistake: 'not_deducted' },
      { kind: 'deduction', reference: repeated, points: 500, mistake: 'not_deducted' },
      { kind: 'credit', reference: 'TXN-1', points: 10, mistake: 'not_credited' },
    ],
  ],
];

it.each(wrongs)(
  'OP-110: a server that %s is named, with customer, difference and codes',
  async (wrong, difference, named) => {
    const sandbox = await testSandbox();
    const server = await new PartnerServer(wrong).standIn(sandbox);
    const codes = await course(sandbox, server);
    const { items, next } = await reconciliation(sandbox);
    const shown = { uid, kind: 'balance_differs', reason: null, outstanding: 'none', read_at: expect.any(String) };
    const balance = expect.any(Number);
    expect({ items, next }).toEqual({ items: [{ ...shown, difference, balance, changes: named(codes) }], next: null });
  },
);

it('OP-110: version 2.0 is judged alike', async () => {
  for (const wrong of [undefined, 'forgets the reversal'] as const) {
    const sandbox = await testSandbox();
    const server = await new PartnerServer(wrong).standIn(sandbox);
    const v2 = sandbox.v2Platform(await sandbox.companyToken());
    await vendorWill(sandbox, voucher.sku, { outcome: 'reject' });
    server.plan.push({ operation: 'redeem', reaction: 'lose' });
    const placed = ok(await v2.POST('/api/v1/orders', { body: { customer_id: uid, line_items: [voucher] } }));
    const reference = placed.lines[0]?.redeemCode;
    server.plan.push({ operation: 'reverse', reaction: 'lose' });
    await advance(sandbox, 10);
    const { items } = await reconciliation(sandbox);
    const change = { reference, points: 500 };
    const named = { uid, kind: 'balance_differs', difference: 500, changes: [change, change] };
    expect(items).toMatchObject(wrong === undefined ? [] : [named]);
    expect(server.heard).not.toContain('getProfileAndPoints');
  }
});

it('OP-110: a server that makes good what was wrong is right again', async () => {
  const sandbox = await testSandbox();
  const server = await new PartnerServer('forgets the reversal').standIn(sandbox);
  await course(sandbox, server);
  expect((await reconciliation(sandbox)).items).toHaveLength(1);
  server.move(uid, whole);
  expect(await reconciliation(sandbox)).toEqual({ items: [], next: null });
});

/** An item that says that nobody can tell. */
const unknown = (reason: string, reference: string, given: object = {}) => ({
  uid,
  kind: 'unknown',
  reason,
  difference: null,
  balance: 25_000,
  read_at: '2026-01-12T04:30:00.000Z',
  changes: [expect.objectContaining({ reference, mistake: null })],
  outstanding: 'none',
  ...given,
});

it('OP-110: what the server has not answered is unknown, due and then parked, and right once it has answered', async () => {
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

it('OP-110: a balance that cannot be read is unknown, and no order is named for it', async () => {
  const sandbox = await testSandbox();
  const server = await new PartnerServer().standIn(sandbox);
  const reference = await code(sandbox, voucher);
  server.plan.push({ operation: 'getProfileAndPoints', reaction: 'drop' });
  expect((await reconciliation(sandbox)).items).toEqual([unknown('not_read', reference, { outstanding: 'due' })]);
  expect(await reconciliation(sandbox)).toEqual({ items: [], next: null });
});

it('OP-110: a balance that was read while an order came and was answered says nothing', async () => {
  const sandbox = await testSandbox();
  const server = await new PartnerServer().standIn(sandbox);
  await code(sandbox, voucher);
  server.plan.push({ operation: 'getProfileAndPoints', reaction: 'hold' });
  const reading = reconciliation(sandbox);
  await expect.poll(() => server.plan).toEqual([]);
  const during = await code(sandbox, voucher);
  server.letGo();
  expect((await reading).items).toMatchObject([
    { reason: 'not_read', balance: 24_500, changes: [{ reference: during }] },
  ]);
  expect(await reconciliation(sandbox)).toEqual({ items: [], next: null });
});

it('OP-110: while an order call is under way its deduction is unanswered, and no balance is read', async () => {
  const sandbox = await testSandbox();
  const server = await new PartnerServer().standIn(sandbox);
  server.plan.push({ operation: 'saveRedeemDetails', reaction: 'hold' });
  const ordering = code(sandbox, voucher);
  await expect.poll(() => server.plan).toEqual([]);
  const { items } = await reconciliation(sandbox);
  server.letGo();
  expect(items).toEqual([unknown('unanswered', await ordering, { outstanding: 'due' })]);
  expect(server.heard).toEqual(['getProfileAndPoints', 'saveRedeemDetails']);
});

it('OP-110: a credit before the first balance is unknown', async () => {
  const sandbox = await testSandbox();
  const server = await new PartnerServer('credits twice on a repeat').standIn(sandbox);
  // The payment asks for it, and hears nothing.
  server.plan.push({ operation: 'getProfileAndPoints', reaction: 'drop' });
  ok(await pay(sandbox));
  await advance(sandbox, 1);
  const item = unknown('no_read_before', 'TXN-1', { balance: 25_010, read_at: expect.any(String) });
  expect((await reconciliation(sandbox)).items).toEqual([item]);
});

it('OP-110: points that come or go outside are unknown, whatever else is right', async () => {
  const sandbox = await testSandbox();
  const server = await new PartnerServer().standIn(sandbox);
  const reference = await code(sandbox, voucher);
  await advance(sandbox, 2);
  server.move(uid, 77);
  const outside = { difference: -77, balance: 24_577, read_at: expect.any(String) };
  expect((await reconciliation(sandbox)).items).toEqual([unknown('unexplained', reference, outside)]);
});

it('OP-22, OP-110: points that may have come back by timeout are unknown, and right once the late delivery is refused', async () => {
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

it('OP-110: another server, or the reference client again, is not judged by what the one before did', async () => {
  const sandbox = await testSandbox();
  await course(sandbox, await new PartnerServer('forgets the reversal').standIn(sandbox));
  expect((await reconciliation(sandbox)).items).toHaveLength(1);
  await new PartnerServer().standIn(sandbox);
  expect(await reconciliation(sandbox)).toEqual({ items: [], next: null });
  ok(await sandbox.control.PATCH('/workspace', { body: { settings: { client_url: null } } }));
  expect((await reconciliation(sandbox)).items.map(({ kind }) => kind)).not.toContain('balance_differs');
});

it('OP-111: the server is asked for what can tell something new, and not with balances=known', async () => {
  const sandbox = await testSandbox();
  const server = await new PartnerServer().standIn(sandbox);
  const reference = await code(sandbox, voucher);
  server.heard.length = 0;
  const still = unknown('not_read', reference, { outstanding: 'due' });
  expect((await reconciliation(sandbox, { balances: 'known' })).items).toEqual([still]);
  expect(server.heard).toEqual([]);
  expect((await reconciliation(sandbox)).items).toEqual([]);
  expect((await reconciliation(sandbox)).items).toEqual([]);
  expect(server.heard).toEqual(['getProfileAndPoints']);
});

/** Credits of so many customers, whose balances nobody has read. */
async function credited(sandbox: TestSandbox, customers: number): Promise<void> {
  for (let number = 0; number < customers; number += 1) {
    const name = String(number).padStart(3, '0');
    ok(await pay(sandbox, { uid: `OWN-${name}`, transactionId: `TXN-${name}` }));
  }
  await advance(sandbox, 1);
}

it('OP-111: one request reads 50 balances of 120, and the next pages read on', async () => {
  const sandbox = await testSandbox();
  const server = await new PartnerServer('tells a balance that stands still').standIn(sandbox);
  await credited(sandbox, 120);
  const reads = () => server.heard.splice(0).filter((operation) => operation === 'getProfileAndPoints').length;
  reads();
  const first = await reconciliation(sandbox);
  expect([first.items.length, first.next, reads()]).toEqual([50, 'OWN-049', 50]);
  const second = await reconciliation(sandbox, { after: first.next });
  expect([second.items.length, second.next, reads()]).toEqual([50, 'OWN-099', 50]);
  const third = await reconciliation(sandbox, { after: second.next });
  expect([third.items.length, third.next, reads()]).toEqual([20, null, 20]);
  const small = await reconciliation(sandbox, { limit: 7 });
  // What differs is read again.
  expect([small.items.length, small.next, reads()]).toEqual([7, 'OWN-006', 50]);
});

it('OP-111: a server that does not answer is asked twice, not once for each customer', async () => {
  const sandbox = await testSandbox();
  const server = await new PartnerServer().standIn(sandbox);
  await credited(sandbox, 30);
  for (let times = 0; times < 30; times += 1) server.plan.push({ operation: 'getProfileAndPoints', reaction: 'drop' });
  server.heard.length = 0;
  const { items } = await reconciliation(sandbox);
  expect([items.length, server.heard.length]).toEqual([30, 2]);
});

it('OP-112: of the changes between two balances the newest 50 are remembered, and all are counted', async () => {
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
