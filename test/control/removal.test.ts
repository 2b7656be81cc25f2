/** Tests removing items over the control API (OP-86). platform/catalogue-changes.test.ts covers the webhook events. */
import { expect, it } from 'vitest';
import { flat, notFound, refusal } from '../harness/envelopes.ts';
import { advance, order, vendorWill } from '../harness/orders.ts';
import { ok, type TestSandbox, testSandbox } from '../harness/sandbox.ts';
import { ledgerOf } from '../harness/state.ts';

const remark = 'Product no longer in the catalogue';

const remove = ({ control }: TestSandbox, sku_code = 'EGV-SPICE-500') =>
  control.DELETE('/catalogue/{sku_code}', { params: { path: { sku_code } } });

/** Returns the status and remark of each line of the newest order. */
async function lineResults({ control }: TestSandbox) {
  const { items } = ok(await control.GET('/orders'));
  return items.at(-1)?.order.lines.map(({ status, remark }) => [status, remark]);
}

it('OP-86: a removed item is in no list and can be neither ordered nor changed', async () => {
  const sandbox = await testSandbox();
  expect((await remove(sandbox)).response.status).toBe(204);
  const page = await sandbox.rewards(await sandbox.companyToken()).GET('/v1/partner/rewards', {
    params: { query: { limit: 200 } },
  });
  const { items } = ok(await sandbox.control.GET('/catalogue'));
  for (const list of [ok(page).items, items]) {
    expect(list).toHaveLength(149);
    expect(list.map(({ sku_code }) => sku_code)).not.toContain('EGV-SPICE-500');
  }
  expect(refusal(await order(sandbox))).toEqual(flat(422, 55, 'Product not available: EGV-SPICE-500'));
  const path = { sku_code: 'EGV-SPICE-500' };
  const change = await sandbox.control.PATCH('/catalogue/{sku_code}', { params: { path }, body: { stock: 1 } });
  expect(refusal(change)).toEqual(notFound('Item EGV-SPICE-500'));
  expect(refusal(await remove(sandbox))).toEqual(notFound('Item EGV-SPICE-500'));
});

it('OP-86: a reused code makes a new item with a new id', async () => {
  const sandbox = await testSandbox();
  await remove(sandbox);
  const body = { sku_code: 'EGV-SPICE-500', product_type: 'EGV' } as const;
  expect(ok(await sandbox.control.POST('/catalogue', { body })).id).toBe(151);
  await remove(sandbox);
  expect(ok(await sandbox.control.POST('/catalogue', { body })).id).toBe(152);
});

it('OP-86: a pending redemption of a removed item is rejected without a vendor call, and the points are refunded', async () => {
  const sandbox = await testSandbox();
  const before = (await ledgerOf(sandbox, 'CUST0001')).balance;
  const path = { redeemCode: ok(await order(sandbox)).lines[0]?.redeemCode ?? '' };
  await remove(sandbox);
  await advance(sandbox, 2);
  expect(await lineResults(sandbox)).toEqual([['Rejected', remark]]);
  const { balance, entries } = await ledgerOf(sandbox, 'CUST0001');
  expect(balance).toBe(before);
  expect(entries.slice(-2).map(({ kind, label }) => [kind, label])).toEqual([
    ['deduct', 'Reversed'],
    ['reverse', 'Reversed'],
  ]);
  const { items, ...sides } = ok(await sandbox.control.GET('/redemptions/{redeemCode}', { params: { path } }));
  expect(items.filter((item) => item.kind === 'state' && item.party === 'vendor')).toEqual([]);
  expect(sides).toMatchObject({ platform: { state: 'Rejected' }, client: { state: 'Rejected' } });
  expect(ok(await sandbox.control.GET('/reconciliation'))).toEqual({ items: [], next: null });
});

it('OP-71, OP-86: the trigger removes an item', async () => {
  const { control } = await testSandbox();
  const removeByTrigger = (body: { sku_code?: string; change: 'removed' }) =>
    control.POST('/triggers/catalogue_change', { body });
  const result = { sku_code: 'EGV-SPICE-500', webhook_ids: [] };
  expect(ok(await removeByTrigger({ sku_code: 'EGV-SPICE-500', change: 'removed' }))).toEqual(result);
  expect(refusal(await removeByTrigger({ sku_code: 'EGV-SPICE-500', change: 'removed' }))).toEqual(
    notFound('Item EGV-SPICE-500'),
  );
  expect(ok(await removeByTrigger({ change: 'removed' }))).toEqual({ ...result, sku_code: 'EGV-SPICE-100' });
  expect(ok(await control.GET('/catalogue')).items).toHaveLength(148);
});

it('OP-86: a redemption whose vendor failed or did not answer before is rejected at its next try', async () => {
  const sandbox = await testSandbox();
  await vendorWill(sandbox, 'EGV-SPICE-500', { outcome: 'fail_then_deliver', times: 1 });
  ok(await order(sandbox));
  await advance(sandbox, 2);
  await remove(sandbox);
  await advance(sandbox, 5);
  expect(await lineResults(sandbox)).toEqual([['Rejected', remark]]);

  await vendorWill(sandbox, 'EGV-CHAI-100', { outcome: 'never' });
  const line_items = [{ sku: 'EGV-CHAI-100', quantity: 1 }];
  const redeemCode = ok(await order(sandbox, { line_items })).lines[0]?.redeemCode ?? '';
  await advance(sandbox, 2);
  await remove(sandbox, 'EGV-CHAI-100');
  expect(await lineResults(sandbox)).toEqual([['Pending', '']]);
  ok(await sandbox.control.POST('/triggers/vendor_outcome', { body: { redeemCode, outcome: 'deliver' } }));
  await advance(sandbox, 0);
  expect(await lineResults(sandbox)).toEqual([['Rejected', remark]]);
});

it('OP-86: a redemption that was delivered before stays delivered', async () => {
  const sandbox = await testSandbox();
  ok(await order(sandbox));
  await advance(sandbox, 2);
  await remove(sandbox);
  const { items } = ok(await sandbox.control.GET('/messages', { params: { query: { uid: 'CUST0001' } } }));
  expect(items).toMatchObject([{ kind: 'voucher' }]);
  expect(await lineResults(sandbox)).toEqual([['Delivered', '']]);
});
