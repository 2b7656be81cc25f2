import { expect, it } from 'vitest';
import { magicAmounts, magicCustomers, magicItems } from '../../sandbox/magic/table.ts';
import { ok, testSandbox } from '../harness/sandbox.ts';

it('lists every magic value with its name, effect and use, items first (OP-75)', async () => {
  const { control } = await testSandbox();
  const { items } = ok(await control.GET('/magic-values'));
  const table = [...magicItems, ...magicCustomers, ...magicAmounts];
  expect(items.map(({ value, does }) => ({ value, does }))).toEqual(table.map(({ value, does }) => ({ value, does })));
  expect(table.length).toBeGreaterThan(15);
  const row = (kind: string, value: string, name: string, does: string, use: string) => ({
    kind,
    value,
    name,
    does,
    use,
  });
  const stuck = "The vendor accepts the order and never responds: Pending until the client's timeout.";
  const zero = 'Has no points: an order is refused with 422, code 54.';
  const twice = 'The credit arrives at the client twice: credited once.';
  const use = 'Send it as the paymentAmount of a payment event.';
  expect(items.filter(({ value }) => ['MAGIC-EGV-STUCK', 'MAGIC-ZERO', '4409.01'].includes(value))).toEqual([
    row('item', 'MAGIC-EGV-STUCK', 'MAGIC-EGV-STUCK', stuck, 'Use it as the sku of a line item.'),
    row('customer', 'MAGIC-ZERO', 'MAGIC-ZERO', zero, 'Order or sign in as this customer.'),
    row('amount', '4409.01', 'MAGIC-AMOUNT-4409.01', twice, use),
  ]);
});

it('lists the vendor outcomes that are set, by code, without deleted ones (OP-76)', async () => {
  const { control } = await testSandbox();
  const listOutcomes = async () =>
    ok(await control.GET('/vendor-outcomes')).items.filter(({ sku_code }) => !sku_code.startsWith('MAGIC-'));
  expect(await listOutcomes()).toEqual([]);
  const flaky = { outcome: 'fail_then_deliver', times: 2 } as const;
  const path = { sku_code: 'EGV-SPICE-500' };
  ok(await control.PUT('/vendor-outcomes/{sku_code}', { params: { path }, body: flaky }));
  const body = { outcome: 'reject', reason: 'Not sold in this region', times: 3, delay_seconds: 0 } as const;
  ok(await control.PUT('/vendor-outcomes/{sku_code}', { params: { path: { sku_code: 'EGV-CHAI-100' } }, body }));
  expect(await listOutcomes()).toEqual([
    { sku_code: 'EGV-CHAI-100', ...body },
    { sku_code: 'EGV-SPICE-500', ...flaky, reason: '', delay_seconds: 2 },
  ]);
  await control.DELETE('/vendor-outcomes/{sku_code}', { params: { path } });
  expect((await listOutcomes()).map(({ sku_code }) => sku_code)).toEqual(['EGV-CHAI-100']);
  const magic = ok(await control.GET('/vendor-outcomes')).items.find(({ sku_code }) => sku_code === 'MAGIC-EGV-STUCK');
  expect(magic).toEqual({
    sku_code: 'MAGIC-EGV-STUCK',
    outcome: 'never',
    reason: '',
    times: null,
    delay_seconds: 2,
  });
});
