/** The values of fields for which the interface defines only name and type (OP-235). */
import { expect, it } from 'vitest';
import { stubClient } from '../harness/client-stub.ts';
import { advance, kettle, order, voucher } from '../harness/orders.ts';
import { ok, testSandbox } from '../harness/sandbox.ts';
import { walletOf } from '../harness/state.ts';

it('OP-235: records and vouchers name item, redemption and vendor as the register specifies', async () => {
  const sandbox = await testSandbox();
  const clientCalls = await stubClient(sandbox, () => 'pass');
  const shipping_address = '12 Lake View Road';
  ok(await order(sandbox, { line_items: [voucher, kettle], shipping_address }));
  await advance(sandbox, 60);
  const records = clientCalls
    .filter(({ operation }) => operation === 'saveRedeemDetails')
    .map(({ body }) => body as Record<string, string>);
  expect(records.map((record) => [record.productCode, record.shippingAddress])).toEqual([
    [voucher.sku, ''],
    [kettle.sku, shipping_address],
  ]);
  expect(await walletOf(sandbox)).toEqual([
    expect.objectContaining({
      productCode: voucher.sku,
      redemptionCode: records[0]?.redeemCode,
      partnerCode: 'VENDOR-EGIFT',
      denomination: 500,
      faceValue: 500,
      GCID: null,
    }),
  ]);
});

it('OP-235: balance is totalEarned less totalRedeemed, and mdate is empty or a date', async () => {
  const sandbox = await testSandbox();
  const { items } = ok(await sandbox.control.GET('/customers'));
  expect(items.length).toBe(31);
  for (const { profile, points } of items) {
    expect(points.balance).toBe(points.totalEarned - points.totalRedeemed);
    expect(profile.mdate).toMatch(/^(\d{2}\/\d{2}\/\d{4})?$/);
    expect(profile.pan).toMatch(/^[A-Z]{5}\d{4}[A-Z]$/);
    expect(String(profile.pincode)).toMatch(/^[1-9]\d{5}$/);
  }
});
