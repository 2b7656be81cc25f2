/** Tests that product names, remarks, profiles and customer ids appear as plain text on every dashboard screen. */
import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { hostile } from '../harness/hostile.ts';
import { advance, order, vendorWill } from '../harness/orders.ts';
import { ok, type TestSandbox, testSandbox } from '../harness/sandbox.ts';
import { screens } from './screens.ts';

const uid = 'CUST0007';
const remarks = hostile.map((text, index) => `${index}: ${text}`);
const customers = hostile.map((text, index) => `H${index}${text}`.slice(0, 64));
const onScreen = screens();

/** Creates and orders one item per hostile string, which is also the vendor's rejection reason. Returns the redeem codes. */
async function redeemHostileItems(sandbox: TestSandbox, outcome: 'deliver' | 'reject'): Promise<string[]> {
  const { control } = sandbox;
  ok(await control.PATCH('/customers/{uid}', { params: { path: { uid } }, body: { points: { balance: 1_000_000 } } }));
  for (const [index, skus] of hostile.entries()) {
    const sku_code = `EGV-HOSTILE-${index}`;
    const body = { sku_code, product_type: 'EGV', skus, denomination_value: '1', stock: 9 } as const;
    ok(await control.POST('/catalogue', { body }));
    await vendorWill(sandbox, sku_code, { outcome, reason: remarks[index] ?? '' });
  }
  const codes: string[] = [];
  for (let start = 0; start < hostile.length; start += 20) {
    const batch = hostile.slice(start, start + 20);
    const line_items = batch.map((_, offset) => ({ sku: `EGV-HOSTILE-${start + offset}`, quantity: 1 }));
    codes.push(...ok(await order(sandbox, { uid, line_items })).lines.map(({ redeemCode }) => redeemCode));
  }
  await advance(sandbox, 2);
  return codes;
}

/** Switches to another screen without a page load, so that a hundred switches are fast. */
async function follow(page: Page, path: string): Promise<void> {
  await page.evaluate((to) => {
    history.pushState(null, '', to);
    dispatchEvent(new PopStateEvent('popstate'));
  }, path);
}

it('names and remarks: in the list of redemptions, in each timeline, in the orders', async () => {
  const sandbox = await testSandbox();
  const codes = await redeemHostileItems(sandbox, 'reject');
  await onScreen(sandbox, '/redemptions?rows=200', async (page) => {
    for (const path of ['redemptions?rows=200', 'ledger?view=orders']) {
      await follow(page, `/dashboard/${path}`);
      await expect.poll(() => page.locator('.listed .remark').count()).toBe(hostile.length);
      const names = await page.locator('.listed .what strong').allTextContents();
      const reasons = await page.locator('.listed .remark').allTextContents();
      expect(names.toSorted()).toEqual(hostile.toSorted());
      expect(reasons.toSorted()).toEqual(remarks.toSorted());
    }
    const wrong: string[] = [];
    for (const [index, text] of hostile.entries()) {
      await follow(page, `/dashboard/redemptions/${codes[index]}`);
      await page.getByRole('heading', { level: 1, name: codes[index] ?? '', exact: true }).waitFor();
      await page.locator('.step').first().waitFor();
      const content = await page.locator('#screen').textContent();
      if (!content?.includes(`Item${text}Points`) || !content.includes(`reason: ${remarks[index]}`)) wrong.push(text);
    }
    expect(wrong).toEqual([]);
  });
}, 120_000);

it('product names and customer ids: in the outbox', async () => {
  const sandbox = await testSandbox();
  const { control, auth } = sandbox;
  for (const customer_id of customers) {
    ok(await control.POST('/customers', { body: { uid: customer_id } }));
    ok(await auth.POST('/api/v1/auth/generate-otp', { body: { customer_id } }));
  }
  await redeemHostileItems(sandbox, 'deliver');
  await onScreen(sandbox, '/outbox?rows=500', async (page) => {
    await expect.poll(() => page.locator('.message').count()).toBe(2 * hostile.length);
    const texts = (await page.locator('.message p:not(.ways)').allTextContents()).join('\n');
    expect(hostile.filter((text) => !texts.includes(`Your ${text} is here: `))).toEqual([]);
    const linkedIds = await page.locator('.message .head a').allTextContents();
    expect(customers.filter((customer) => !linkedIds.includes(customer))).toEqual([]);
  });
}, 120_000);

it('profiles and customer ids: in the list of customers, in each one, and in the form that changes it', async () => {
  const sandbox = await testSandbox();
  const { control } = sandbox;
  for (const [index, text] of hostile.entries()) {
    const profile = { name: text, address1: text, email: text };
    ok(await control.POST('/customers', { body: { uid: customers[index] ?? '', profile } }));
  }
  await onScreen(sandbox, '/ledger?rows=200', async (page) => {
    await expect.poll(() => page.locator('.row').count()).toBe(31 + hostile.length);
    const names = (await page.locator('.row strong').allTextContents()).slice(31);
    const uids = (await page.locator('.row .quiet').allTextContents()).slice(31);
    expect(uids).toEqual(customers.toSorted());
    expect(names).toEqual(uids.map((uid) => hostile[customers.indexOf(uid)]));
    const wrong: string[] = [];
    for (const [index, text] of hostile.entries()) {
      const name = customers[index] ?? '';
      await follow(page, `/dashboard/ledger?edit=1&${new URLSearchParams({ uid: name })}`);
      const one = page.getByRole('heading', { level: 2, name, exact: true }).locator('xpath=ancestor::section');
      await one.getByRole('heading', { level: 3, name: 'Profile' }).waitFor();
      const facts = await one.locator('.facts dd').allTextContents();
      const inputs = one.locator('input');
      const fieldValues = await inputs.evaluateAll((all) => all.map((each) => (each as HTMLInputElement).value));
      const count = (values: string[]) => values.filter((value) => value === text).length;
      if (count(facts) !== 3 || count(fieldValues) !== 3) wrong.push(text);
    }
    expect(wrong).toEqual([]);
  });
}, 120_000);
