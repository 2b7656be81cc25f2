/** An example for vitest. The `workspace` fixture gives each test its own workspace. */
import { sandboxForTests } from '@rewards-sandbox/sandbox/testing';
import { afterAll, test as base, beforeAll, expect } from 'vitest';

let sandbox;
beforeAll(async () => {
  sandbox = await sandboxForTests();
});
afterAll(() => sandbox.close());

const test = base.extend({
  // biome-ignore lint/correctness/noEmptyPattern: vitest reads here which fixtures this one needs
  workspace: ({}, use) => sandbox.withWorkspace(use),
});

test('a rejected voucher gives the points back', async ({ workspace }) => {
  const { balance } = await workspace.ledger('CUST0001');
  const outcome = { outcome: 'reject', reason: 'Not sold here' };
  await workspace.control.PUT('/vendor-outcomes/{sku_code}', {
    params: { path: { sku_code: 'EGV-SPICE-500' } },
    body: outcome,
  });
  const rewards = workspace.rewards(await workspace.customerToken('CUST0001'));
  const line_items = [{ sku: 'EGV-SPICE-500', quantity: 1 }];
  const { response } = await rewards.POST('/v1/partner/redeemptiononskus', { body: { uid: 'CUST0001', line_items } });
  expect(response.status).toBe(200);
  await workspace.clock.advance(2);
  expect((await workspace.ledger('CUST0001')).balance).toBe(balance);
});

test('each test has its own ledgers', async ({ workspace }) => {
  expect((await workspace.ledger('CUST0001')).items).toHaveLength(1);
});
