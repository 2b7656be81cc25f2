/** Creates customers with many vouchers, and counts their messages. */
import { expect } from 'vitest';
import type { components } from '../../generated/sandbox/types.ts';
import { listed } from '../harness/lists.ts';
import { advance, order, pay, setStock } from '../harness/orders.ts';
import { ok, type TestSandbox } from '../harness/sandbox.ts';

/** Maximum number of vouchers in one order: twenty lines of ten. */
export const maxPerOrder = 200;

/** Creates a customer with enough points for every test order. Returns the uid. */
export async function createRichCustomer({ control }: TestSandbox, uid: string): Promise<string> {
  ok(await control.POST('/customers', { body: { uid, points: { balance: 1_000_000_000 } } }));
  return uid;
}

/** Places orders of `maxPerOrder` vouchers each for a customer, then delivers them all together. */
export async function fillWallet(sandbox: TestSandbox, uid: string, orders: number): Promise<void> {
  const line_items = Array.from({ length: 20 }, () => ({ sku: 'EGV-SPICE-500', quantity: 10 }));
  await setStock(sandbox, orders * maxPerOrder + 1000);
  for (let number = 0; number < orders; number += 1) ok(await order(sandbox, { uid, line_items }));
  await advance(sandbox, 2);
}

/** Counts a customer's voucher messages in the outbox, and the distinct vouchers in them. */
export async function voucherMessages({ urls, workspace }: TestSandbox, uid: string) {
  const address = `${urls.sandbox}/messages?uid=${uid}&after=0`;
  const items = await listed<components['schemas']['Message']>(address, workspace.admin_token);
  const texts = items.filter(({ kind }) => kind === 'voucher').map(({ text }) => text);
  return { messages: texts.length, vouchers: new Set(texts).size };
}

/** Expects another customer's order and credit to succeed: the voucher is sent and the points are credited. */
export async function expectOthersServed(sandbox: TestSandbox, uid = 'CUST0001'): Promise<void> {
  expect((await order(sandbox, { uid })).response.status).toBe(200);
  ok(await pay(sandbox, { uid, transactionId: `TXN-${uid}` }));
  await advance(sandbox, 2);
  expect(await voucherMessages(sandbox, uid)).toEqual({ messages: 1, vouchers: 1 });
  const { items } = ok(await sandbox.control.GET('/ledger/{uid}', { params: { path: { uid } } }));
  expect(items.slice(1).map(({ kind, label }) => `${kind} ${label}`)).toEqual(['deduct Redeemed', 'credit Earned']);
}
