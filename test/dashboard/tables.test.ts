/** Tests redemptions and orders as sorted tables in a real browser. */
import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { inspect } from '../harness/inspecting.ts';
import { redeem, voucher } from '../harness/orders.ts';
import { testSandbox } from '../harness/sandbox.ts';
import { screens } from './screens.ts';

const onScreen = screens();
const uid = 'CUST0007';
const cells = (page: Page) =>
  page
    .locator('.listed')
    .evaluateAll((rows) => rows.map((row) => [...row.querySelectorAll('td')].map((cell) => cell.textContent)));

it('redemptions are sorted newest first, or by any other column; the address stores the order', async () => {
  const sandbox = await testSandbox();
  const first = await redeem(sandbox, { uid, line_items: [{ ...voucher, quantity: 2 }] });
  const second = await redeem(sandbox, { uid: 'CUST0010', line_items: [{ sku: 'EGV-CHAI-100', quantity: 1 }] });
  const chai = ['Pending', 'Chai Junction e-gift voucher 100', second, 'CUST0010', '100', '2026-01-12 04:30:00'];
  const spice = ['Pending', '2 × Spice Route Kitchen e-gift voucher 500', first, uid, '1,000', '2026-01-12 04:30:00'];
  await onScreen(sandbox, '/redemptions', async (page) => {
    await page.getByText('2 of 2 redemptions').waitFor();
    expect(await cells(page)).toEqual([chai, spice]);
    const sort = async (name: string, direction: string) => {
      await page.getByRole('button', { name }).click();
      await page.locator(`th[aria-sort=${direction}]`, { hasText: name }).waitFor();
    };
    await sort('Points', 'descending');
    expect(await cells(page)).toEqual([spice, chai]);
    expect(new URL(page.url()).search).toBe('?sort=-points');
    await sort('Customer', 'ascending');
    expect(await cells(page)).toEqual([spice, chai]);
    await sort('Customer', 'descending');
    expect(await cells(page)).toEqual([chai, spice]);
    expect(await inspect(page, 'dashboard-redemptions-sorted')).toEqual([]);
    await page.getByRole('link', { name: 'Chai Junction e-gift voucher 100' }).click();
    await page.getByRole('heading', { level: 1, name: second }).waitFor();
  });
}, 60_000);
