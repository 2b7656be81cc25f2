/** Tests placing orders (G12, G13; OP-05 to OP-08, OP-13, OP-45). */
import { expect, it } from 'vitest';
import { flat, refusal } from '../harness/envelopes.ts';
import { kettle, order, setBalance, voucher } from '../harness/orders.ts';
import { ok, signIn, testSandbox } from '../harness/sandbox.ts';
import { balanceOf, ledgerOf, refusing } from '../harness/state.ts';

const code = expect.stringMatching(/^RDM-\d{6}-[2-9A-Z]{6}$/);

it('A12, A13, G13, G14: OP-06: an order has one redemption for each line, and its points are deducted line by line', async () => {
  const sandbox = await testSandbox();
  const line_items = [{ ...voucher, quantity: 2 }, kettle];
  const placed = ok(
    await order(sandbox, { line_items, shipping_address: '12 Lake View Road', reference_id: 'CART-1' }),
  );
  const points = {
    two: { redeemPoints: 1000, tdsPoints: 0, processingFee: 0, totalPointWithProcessingFee: 1000 },
    kettle: { redeemPoints: 1499, tdsPoints: 0, processingFee: 49, totalPointWithProcessingFee: 1548 },
  };
  expect(placed).toEqual({
    order_id: expect.stringMatching(/^ORD-000001-/),
    reference_id: 'CART-1',
    status: 'Pending',
    lines: [
      {
        redeemCode: code,
        sku_code: 'EGV-SPICE-500',
        product_type: 'EGV',
        product_name: 'Spice Route Kitchen e-gift voucher 500',
        quantity: 2,
        points: points.two,
        status: 'Pending',
        remark: '',
      },
      {
        redeemCode: code,
        sku_code: 'PHY-KETTLE-01',
        product_type: 'PHYSICAL',
        product_name: 'Steel electric kettle 1.5 l, indigo',
        quantity: 1,
        points: points.kettle,
        status: 'Pending',
        remark: '',
      },
    ],
    points: { redeemPoints: 2499, tdsPoints: 0, processingFee: 49, totalPointWithProcessingFee: 2548 },
    created_at: '2026-01-12T04:30:00.000Z',
    updated_at: '2026-01-12T04:30:00.000Z',
  });
  const [first, second] = placed.lines.map(({ redeemCode }) => redeemCode);
  expect(await ledgerOf(sandbox, 'CUST0001')).toEqual({
    balance: 25_000 - 2548,
    entries: [
      { kind: 'credit', points: 25_000, reference: 'opening', label: 'Earned' },
      { kind: 'deduct', points: 1000, reference: first, label: 'Pending' },
      { kind: 'deduct', points: 1548, reference: second, label: 'Pending' },
    ],
  });
});

it('R3: the sku_code of the listing orders the item, of either kind', async () => {
  const sandbox = await testSandbox();
  const rewards = sandbox.rewards(await sandbox.companyToken());
  const { items } = ok(await rewards.GET('/v1/partner/rewards', { params: { query: { limit: 200 } } }));
  for (const { product_type, sku_code } of [items[2], items[100]].filter((item) => item !== undefined)) {
    const address = product_type === 'PHYSICAL' ? { shipping_address: '12 Lake View Road' } : {};
    const placed = ok(await order(sandbox, { line_items: [{ sku: sku_code, quantity: 1 }], ...address }));
    expect(placed.lines).toMatchObject([{ sku_code, product_type }]);
  }
  expect([items[2]?.product_type, items[100]?.product_type]).toEqual(['EGV', 'PHYSICAL']);
});

it('R13: every line has its own redeemCode, across orders and customers', async () => {
  const sandbox = await testSandbox();
  const two = { line_items: [voucher, voucher] };
  const orders = [
    await order(sandbox, two),
    await order(sandbox, two),
    await order(sandbox, { ...two, uid: 'CUST0005' }),
  ];
  const codes = orders.flatMap((placed) => ok(placed).lines.map(({ redeemCode }) => redeemCode));
  expect(codes).toEqual([code, code, code, code, code, code]);
  expect(new Set(codes).size).toBe(6);
});

it('G12: OP-13, OP-14: an insufficient balance leads to code 54 with both numbers, and no order is placed', async () => {
  const sandbox = await testSandbox();
  const refused = await refusing(sandbox);
  const placed = await refused(order(sandbox, { uid: 'CUST0003' }));
  expect(refusal(placed)).toEqual(flat(422, 54, 'Insufficient balance: 500 points needed, 100 available'));
  const address = { shipping_address: '12 Lake View Road' };
  const fee = await refused(order(sandbox, { uid: 'CUST0004', line_items: [kettle], ...address }));
  expect(refusal(fee)).toEqual(flat(422, 54, 'Insufficient balance: 1548 points needed, 500 available'));
});

it.each([
  ['is unknown', 'EGV-NOBODY-500', 1, undefined],
  ['is inactive', 'EGV-SPICE-500', 1, { status: 0 }],
  ['is out of stock', 'EGV-SPICE-500', 1, { stock: 0 }],
  ['has less stock than ordered', 'EGV-SPICE-500', 3, { stock: 2 }],
  ['differs in case', 'egv-spice-500', 1, undefined],
  ['is a property of every object', '__proto__', 1, undefined],
] as const)(
  'OP-10, OP-13: a product that %s leads to code 55, and no order is placed',
  async (_, sku, quantity, change) => {
    const sandbox = await testSandbox();
    if (change !== undefined) {
      ok(await sandbox.control.PATCH('/catalogue/{sku_code}', { params: { path: { sku_code: sku } }, body: change }));
    }
    const refused = await refusing(sandbox);
    const placed = await refused(order(sandbox, { line_items: [{ sku, quantity }] }));
    expect(refusal(placed)).toEqual(flat(422, 55, `Product not available: ${sku}`));
  },
);

it('OP-49: lines for the same product count together against its stock', async () => {
  const sandbox = await testSandbox();
  const change = { params: { path: { sku_code: 'EGV-SPICE-500' } }, body: { stock: 3 } };
  ok(await sandbox.control.PATCH('/catalogue/{sku_code}', change));
  const two = { ...voucher, quantity: 2 };
  const placed = await order(sandbox, { line_items: [two, two] });
  expect(refusal(placed)).toEqual(flat(422, 55, 'Product not available: EGV-SPICE-500'));
  ok(await order(sandbox, { line_items: [two, voucher] }));
});

it('OP-43: the quantity trigger limit does not limit an order', async () => {
  const sandbox = await testSandbox();
  const item = { params: { path: { sku_code: voucher.sku } }, body: { stock: 9, qty_trigger_limit: '5' } };
  ok(await sandbox.control.PATCH('/catalogue/{sku_code}', item));
  expect(ok(await order(sandbox, { line_items: [{ ...voucher, quantity: 9 }] })).lines[0]?.quantity).toBe(9);
  ok(await sandbox.control.PATCH('/catalogue/{sku_code}', { ...item, body: { stock: 2 } }));
  expect(ok(await order(sandbox)).lines[0]?.quantity).toBe(1);
});

it('OP-05: a PHYSICAL line needs a shipping address, an EGV line does not', async () => {
  const sandbox = await testSandbox();
  const refused = await refusing(sandbox);
  const placed = await refused(order(sandbox, { line_items: [voucher, kettle] }));
  const message = 'Invalid request: /shipping_address is required for a PHYSICAL item';
  expect(refusal(placed)).toEqual(flat(400, 53, message));
  const empty = await refused(order(sandbox, { line_items: [kettle], shipping_address: '' }));
  expect(refusal(empty)).toEqual(flat(400, 53, 'Invalid request: /shipping_address must not be empty'));
});

it.each([
  ['0 units', [{ ...voucher, quantity: 0 }], '/line_items/0/quantity must be at least 1'],
  ['11 units', [{ ...voucher, quantity: 11 }], '/line_items/0/quantity must be at most 10'],
  ['-1 units', [{ ...voucher, quantity: -1 }], '/line_items/0/quantity must be at least 1'],
  ['half a unit', [{ ...voucher, quantity: 1.5 }], '/line_items/0/quantity must be an integer'],
  ['no line', [], '/line_items must have at least 1 item'],
  ['21 lines', Array.from({ length: 21 }, () => voucher), '/line_items must have at most 20 items'],
  ['no sku', [{ sku: '', quantity: 1 }], '/line_items/0/sku must not be empty'],
])('OP-05: an order of %s is refused', async (_, line_items, problem) => {
  const sandbox = await testSandbox();
  const refused = await refusing(sandbox);
  const placed = await refused(order(sandbox, { line_items }));
  expect(refusal(placed)).toEqual(flat(400, 53, `Invalid request: ${problem}`));
});

it('OP-05: an order of 20 lines of 10 units is placed', async () => {
  const sandbox = await testSandbox();
  await setBalance(sandbox, 'CUST0001', 20_000);
  const line_items = Array.from({ length: 20 }, (_, index) => ({
    sku: index < 10 ? 'EGV-SPICE-100' : 'EGV-CHAI-100',
    quantity: 10,
  }));
  for (const sku_code of ['EGV-SPICE-100', 'EGV-CHAI-100']) {
    ok(await sandbox.control.PATCH('/catalogue/{sku_code}', { params: { path: { sku_code } }, body: { stock: 100 } }));
  }
  const placed = ok(await order(sandbox, { line_items }));
  expect(new Set(placed.lines.map(({ redeemCode }) => redeemCode)).size).toBe(20);
  expect(await balanceOf(sandbox, 'CUST0001')).toBe(0);
});

it("OP-45: a customer's token orders for its own customer only", async () => {
  const sandbox = await testSandbox();
  const { customerToken } = await signIn(sandbox, 'CUST0005');
  const refused = await refusing(sandbox);
  const rewards = sandbox.rewards(customerToken);
  const body = { uid: 'CUST0001', line_items: [voucher] };
  const placed = await refused(rewards.POST('/v1/partner/redeemptiononskus', { body }));
  expect(refusal(placed)).toEqual(flat(400, 53, "Invalid request: /uid must be the session's own customer"));
  ok(await rewards.POST('/v1/partner/redeemptiononskus', { body: { ...body, uid: 'CUST0005' } }));
  expect(await balanceOf(sandbox, 'CUST0005')).toBe(4500);
});

it("OP-05: the company's token orders for the uid of the body; a uid that the client does not know leads to code 56", async () => {
  const sandbox = await testSandbox();
  ok(await order(sandbox, { uid: 'CUST0005' }));
  expect(await balanceOf(sandbox, 'CUST0005')).toBe(4500);
  const unknown = await order(sandbox, { uid: 'CUST9999' });
  expect(refusal(unknown)).toEqual(flat(422, 56, 'Refused by the client: Unknown customer.'));
});

it('OP-08, OP-124: deducted and displayed points follow the settings: point value, fees per line, TDS per unit, each rounded up', async () => {
  const sandbox = await testSandbox();
  const settings = { point_value_inr: '0.30', processing_fee_egv: 7, tds_percent: 10 };
  ok(await sandbox.control.PATCH('/workspace', { body: { settings } }));
  const placed = ok(await order(sandbox, { line_items: [{ ...voucher, quantity: 2 }, voucher] }));
  // 500 / 0.30 = 1666.67, which rounds to 1667 points per unit. The 10 % TDS is 166.7, which rounds to 167.
  expect(placed.points).toEqual({
    redeemPoints: 3 * 1667,
    tdsPoints: 3 * 167,
    processingFee: 14,
    totalPointWithProcessingFee: 3 * (1667 + 167) + 14,
  });
  expect(placed.lines.map(({ points }) => points)).toEqual([
    { redeemPoints: 2 * 1667, tdsPoints: 2 * 167, processingFee: 7, totalPointWithProcessingFee: 2 * (1667 + 167) + 7 },
    { redeemPoints: 1667, tdsPoints: 167, processingFee: 7, totalPointWithProcessingFee: 1667 + 167 + 7 },
  ]);
  expect(await balanceOf(sandbox, 'CUST0001')).toBe(25_000 - (3 * (1667 + 167) + 14));
});

it('two concurrent orders for one balance: one is placed, the other gets insufficient balance', async () => {
  const sandbox = await testSandbox();
  const answers = await Promise.all([order(sandbox, { uid: 'CUST0004' }), order(sandbox, { uid: 'CUST0004' })]);
  const refused = answers.filter(({ response }) => response.status !== 200).map(refusal);
  expect(refused).toEqual([flat(422, 54, 'Insufficient balance: 500 points needed, 0 available')]);
  expect(await balanceOf(sandbox, 'CUST0004')).toBe(0);
});
