/**
 * Tests that every webhook receives each change of the catalogue or of a stock, regardless of its source, and nothing
 * else (OP-26, OP-86).
 */
import { expect, it } from 'vitest';
import { stubClient } from '../harness/client-stub.ts';
import { advance, kettle, order, setStock, vendorWill, voucher } from '../harness/orders.ts';
import { logIn, ok, type TestSandbox, testSandbox } from '../harness/sandbox.ts';
import { receiver } from '../harness/webhook-receiver.ts';

const spice = { params: { path: { sku_code: 'EGV-SPICE-500' } } };
const address = { shipping_address: '12 Lake View Road, Bengaluru' };

/**
 * Returns the changes that a receiver gets during `cause` and the following minute. Each has the change, the item, the
 * stock and the status.
 */
async function changesDuring(cause: (sandbox: TestSandbox) => Promise<unknown>) {
  const sandbox = await testSandbox();
  await setStock(sandbox, 10);
  await setStock(sandbox, 10, 'PHY-KETTLE-01');
  const { received } = await receiver(sandbox);
  await cause(sandbox);
  await advance(sandbox, 60);
  return received.flatMap(({ body }) =>
    JSON.parse(body).data.items.map(({ change, item }: { change: string; item: Record<string, unknown> }) => [
      change,
      item.sku_code,
      item.qty ?? item.stock_qty,
      item.status,
    ]),
  );
}

const change = (sandbox: TestSandbox, body: { stock?: number; status?: 0 | 1; skus?: string }) =>
  sandbox.control.PATCH('/catalogue/{sku_code}', { ...spice, body }).then(ok);

const trigger = ({ control }: TestSandbox, body: { sku_code: string; change?: 'removed'; item?: { stock: number } }) =>
  control.POST('/triggers/catalogue_change', { body }).then(ok);

const causes: Record<string, readonly [(sandbox: TestSandbox) => Promise<unknown>, readonly unknown[][]]> = {
  'an item is added': [
    ({ control }) => control.POST('/catalogue', { body: { sku_code: 'EGV-NEW', product_type: 'EGV' } }).then(ok),
    [['created', 'EGV-NEW', '100', 1]],
  ],
  'an item is changed': [(sandbox) => change(sandbox, { skus: 'Other' }), [['updated', 'EGV-SPICE-500', '10', 1]]],
  'an item is made inactive': [(sandbox) => change(sandbox, { status: 0 }), [['updated', 'EGV-SPICE-500', '10', 0]]],
  'an item sells out and is restocked (OP-49)': [
    async (sandbox) => [await change(sandbox, { stock: 0 }), await change(sandbox, { stock: 3 })],
    [
      ['updated', 'EGV-SPICE-500', '0', 2],
      ['updated', 'EGV-SPICE-500', '3', 1],
    ],
  ],
  'an item is removed': [
    ({ control }) => control.DELETE('/catalogue/{sku_code}', spice),
    [['removed', 'EGV-SPICE-500', '10', 1]],
  ],
  'a removed item is added again': [
    async ({ control }) => {
      await control.DELETE('/catalogue/{sku_code}', spice);
      ok(await control.POST('/catalogue', { body: { sku_code: 'EGV-SPICE-500', product_type: 'EGV', stock: 1 } }));
    },
    [
      ['removed', 'EGV-SPICE-500', '10', 1],
      ['created', 'EGV-SPICE-500', '1', 1],
    ],
  ],
  'a trigger touches, changes and removes items (OP-71)': [
    async (sandbox) => {
      await trigger(sandbox, { sku_code: 'EGV-SPICE-500' });
      await trigger(sandbox, { sku_code: 'EGV-SPICE-500', item: { stock: 0 } });
      await trigger(sandbox, { sku_code: 'PHY-KETTLE-01', change: 'removed' });
    },
    [
      ['updated', 'EGV-SPICE-500', '10', 1],
      ['updated', 'EGV-SPICE-500', '0', 2],
      ['removed', 'PHY-KETTLE-01', '10', 1],
    ],
  ],
  'each line of an order is delivered': [
    (sandbox) => order(sandbox, { line_items: [voucher, kettle], ...address }).then(ok),
    [
      ['updated', 'EGV-SPICE-500', '9', 1],
      ['updated', 'PHY-KETTLE-01', '9', 1],
    ],
  ],
  'a delivery takes the last one': [
    (sandbox) => order(sandbox, { line_items: [{ ...voucher, quantity: 10 }] }).then(ok),
    [['updated', 'EGV-SPICE-500', '0', 2]],
  ],
  'orders of version 2.0 and of the general API are delivered': [
    async (sandbox) => {
      const v2 = sandbox.v2Platform(await sandbox.companyToken());
      ok(await v2.POST('/api/v1/orders', { body: { customer_id: 'CUST0001', line_items: [voucher] } }));
      const general = sandbox.general(await logIn(sandbox, 'CUST0001'));
      ok(await general.POST('/v1/orders', { body: { line_items: [voucher] } }));
    },
    [
      ['updated', 'EGV-SPICE-500', '9', 1],
      ['updated', 'EGV-SPICE-500', '8', 1],
    ],
  ],
  'a trigger makes a silent vendor deliver (OP-71)': [
    async (sandbox) => {
      await vendorWill(sandbox, 'EGV-SPICE-500', { outcome: 'never' });
      const redeemCode = ok(await order(sandbox)).lines[0]?.redeemCode ?? '';
      ok(await sandbox.control.POST('/triggers/vendor_outcome', { body: { redeemCode, outcome: 'deliver' } }));
    },
    [['updated', 'EGV-SPICE-500', '9', 1]],
  ],
  'nothing but a rejected redemption': [(sandbox) => rejected(sandbox), []],
  'nothing but a delivery of a magic item': [
    (sandbox) => order(sandbox, { line_items: [{ sku: 'MAGIC-EGV-FLAKY', quantity: 1 }] }).then(ok),
    [],
  ],
};

async function rejected(sandbox: TestSandbox) {
  await vendorWill(sandbox, 'EGV-SPICE-500', { outcome: 'out_of_stock' });
  ok(await order(sandbox));
}

it.each(Object.entries(causes))('%s: the webhook gets exactly the changes', async (_cause, [cause, expected]) => {
  expect(await changesDuring(cause)).toEqual(expected);
});

it('OP-121: a delivery that the client refuses because it has refunded the points restores its stock', async () => {
  const changes = await changesDuring(async (sandbox) => {
    await stubClient(sandbox, ({ operation, body }) => {
      if (operation !== 'updateRedeemStatus' || body.status !== 'Delivered') return 'pass';
      const data = { name: 'Unprocessable entity', message: 'Order already Rejected.', code: 0, status: 422 };
      const type = 'UnprocessableEntityHttpException';
      return { status: 422, body: { success: false, status: 422, data: { ...data, type } } };
    });
    ok(await order(sandbox));
    await advance(sandbox, 2);
    const { items } = ok(await sandbox.control.GET('/orders'));
    expect(items[0]?.order.lines[0]?.remark).toBe('Reversed by the client before the delivery was reported');
  });
  expect(changes).toEqual([
    ['updated', 'EGV-SPICE-500', '9', 1],
    ['updated', 'EGV-SPICE-500', '10', 1],
  ]);
});
