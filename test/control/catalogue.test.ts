/** Tests the catalogue and the vendor outcomes in the control API. */
import { expect, it } from 'vitest';
import { flat, refusal } from '../harness/envelopes.ts';
import { advance, order } from '../harness/orders.ts';
import { ok, testSandbox } from '../harness/sandbox.ts';
import { walletOf } from '../harness/state.ts';
import { enter, look, words } from '../harness/visitor.ts';

const spice = { params: { path: { sku_code: 'EGV-SPICE-500' } } };

it('G7: the seed has 100 vouchers and 40 products of three vendors, all active and in stock, and ten more items', async () => {
  const { control } = await testSandbox();
  const { items } = ok(await control.GET('/catalogue'));
  const count: Record<string, number> = {};
  const common = items.slice(0, 140);
  for (const { product_type, vendor } of common) {
    const kind = `${product_type} ${vendor}`;
    count[kind] = (count[kind] ?? 0) + 1;
  }
  expect(count).toEqual({ 'EGV egift': 70, 'EGV services': 30, 'PHYSICAL merchandise': 40 });
  expect(items.map(({ id }) => id)).toEqual(Array.from({ length: 150 }, (_, index) => index + 1));
  expect(common.filter(({ status, stock }) => status !== 1 || stock < 1)).toEqual([]);
});

it('a new item gets the next id, and default values for missing fields', async () => {
  const { control } = await testSandbox();
  const answer = await control.POST('/catalogue', { body: { sku_code: 'EGV-TEST-100', product_type: 'EGV' } });
  expect(answer.response.status).toBe(201);
  expect(ok(answer)).toEqual({
    id: 151,
    product_type: 'EGV',
    sku_code: 'EGV-TEST-100',
    status: 1,
    skus: 'E-gift voucher EGV-TEST-100',
    denomination_value: '100',
    qty_trigger_limit: '20',
    qty: '100',
    stock: 100,
    vendor: 'egift',
  });
  const body = {
    sku_code: 'PHY-TEST-01',
    product_type: 'PHYSICAL',
    price: '250',
    stock_qty: '0',
    skus: 'Lamp',
  } as const;
  expect(ok(await control.POST('/catalogue', { body }))).toEqual({
    id: 152,
    product_type: 'PHYSICAL',
    sku_code: 'PHY-TEST-01',
    status: 2,
    skus: 'Lamp',
    price: '250',
    stock_qty: '0',
    stock: 0,
    vendor: 'merchandise',
  });
});

it('an existing code gets 409', async () => {
  const { control } = await testSandbox();
  const answer = await control.POST('/catalogue', { body: { sku_code: 'EGV-SPICE-500', product_type: 'EGV' } });
  expect(refusal(answer)).toEqual(flat(409, 66, 'Already exists: EGV-SPICE-500'));
  expect(ok(await control.GET('/catalogue')).items).toHaveLength(150);
});

it('a change affects only the fields that are sent, and the id stays', async () => {
  const { control } = await testSandbox();
  const before = ok(await control.GET('/catalogue')).items[2];
  const body = { denomination_value: '600', qty: '9', skus: 'Dearer', status: 0, vendor: 'services' } as const;
  expect(ok(await control.PATCH('/catalogue/{sku_code}', { ...spice, body }))).toEqual({
    ...before,
    ...body,
    stock: 9,
  });
});

it('OP-134: a price with paise is listed with two decimals, and costs whole points, rounded up per unit', async () => {
  const sandbox = await testSandbox();
  const { control } = sandbox;
  const setPrice = async (denomination_value: string) =>
    ok(await control.PATCH('/catalogue/{sku_code}', { ...spice, body: { denomination_value } }));
  expect(await setPrice('249.5')).toMatchObject({ denomination_value: '249.50' });
  expect(await setPrice('0.07')).toMatchObject({ denomination_value: '0.07' });
  expect(await setPrice('249.00')).toMatchObject({ denomination_value: '249' });
  expect(await setPrice('249.50')).toMatchObject({ denomination_value: '249.50' });
  const rewards = sandbox.rewards(await sandbox.companyToken());
  const page = ok(await rewards.GET('/v1/partner/rewards', { params: { query: { type: 'egv' } } }));
  expect(page.items.find(({ sku_code }) => sku_code === 'EGV-SPICE-500')).toMatchObject({
    denomination_value: '249.50',
  });
  const placedOrder = ok(await order(sandbox, { line_items: [{ sku: 'EGV-SPICE-500', quantity: 3 }] }));
  expect(placedOrder.points).toEqual({
    redeemPoints: 750,
    tdsPoints: 0,
    processingFee: 0,
    totalPointWithProcessingFee: 750,
  });
  await advance(sandbox, 2);
  const data = await walletOf(sandbox);
  expect(data.map(({ denomination, faceValue }) => [denomination, faceValue])).toEqual(Array(3).fill([249, 249]));
});

it('OP-134: a product with paise costs its fee in addition, and the portal shows the paise', async () => {
  const sandbox = await testSandbox();
  const kettle = { params: { path: { sku_code: 'PHY-KETTLE-01' } } };
  const changedItem = ok(
    await sandbox.control.PATCH('/catalogue/{sku_code}', { ...kettle, body: { price: '1499.01' } }),
  );
  expect(changedItem).toMatchObject({ price: '1499.01' });
  const session = await enter(sandbox, 'CUST0007');
  expect(words(await look(`${session}rewards/PHY-KETTLE-01`))).toContain('1,549 points ₹1,499.01');
});

it('OP-49: a stock of 0 makes an active item out of stock, more makes it active again; an inactive item stays inactive', async () => {
  const { control } = await testSandbox();
  const statusAfter = async (body: { stock?: number; status?: 0 | 1 | 2 }) =>
    ok(await control.PATCH('/catalogue/{sku_code}', { ...spice, body })).status;
  expect(await statusAfter({ stock: 0 })).toBe(2);
  expect(await statusAfter({ stock: 5 })).toBe(1);
  expect(await statusAfter({ status: 0 })).toBe(0);
  expect(await statusAfter({ stock: 0 })).toBe(0);
  expect(await statusAfter({ stock: 5 })).toBe(0);
  expect(await statusAfter({ status: 1 })).toBe(1);
});

it('an outcome is returned as it was set, and deleting it restores the default', async () => {
  const { control } = await testSandbox();
  const usual = { sku_code: 'EGV-SPICE-500', outcome: 'deliver', reason: '', times: null, delay_seconds: 2 };
  const readOutcome = async () => ok(await control.GET('/vendor-outcomes/{sku_code}', spice));
  const set = async (body: {
    outcome: 'reject' | 'fail_then_deliver';
    reason?: string;
    times?: number;
    delay_seconds?: number;
  }) => ok(await control.PUT('/vendor-outcomes/{sku_code}', { ...spice, body }));
  expect(await readOutcome()).toEqual(usual);
  const no = { outcome: 'reject', reason: 'No', times: 3, delay_seconds: 60 } as const;
  expect(await set(no)).toEqual({ sku_code: 'EGV-SPICE-500', ...no });
  expect(await readOutcome()).toEqual({ sku_code: 'EGV-SPICE-500', ...no });
  expect(await set({ outcome: 'fail_then_deliver' })).toEqual({ ...usual, outcome: 'fail_then_deliver', times: 1 });
  for (let time = 0; time < 2; time += 1) {
    expect((await control.DELETE('/vendor-outcomes/{sku_code}', spice)).response.status).toBe(204);
    expect(await readOutcome()).toEqual(usual);
  }
});
