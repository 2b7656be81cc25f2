/** Tests the whole journey in two windows: the customer's, with the microsite and portal, and the engineer's, with the dashboard. */
import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { pagesOfBrowser } from '../harness/inspecting.ts';
import { testSandbox } from '../harness/sandbox.ts';
import { open, sees } from './screens.ts';

const uid = 'CUST0007';
const inPage = pagesOfBrowser();

const heading = (page: Page, text: string) => page.getByRole('heading', { level: 1 }).filter({ hasText: text });

it('microsite, portal and dashboard: sign in with the code from the outbox, redeem, watch it drawn, let the vendor deliver', async () => {
  const sandbox = await testSandbox();
  await inPage(async (engineer) => {
    await open(engineer, sandbox, '/outbox');
    await inPage(async (customer) => {
      await customer.goto(sandbox.urls.microsite);
      await customer.getByLabel('Customer ID').fill(uid);
      await customer.getByRole('button', { name: 'Send code' }).click();
      await customer.getByLabel('One-time password').waitFor();

      // The code, which an SMS would carry, arrives in the outbox while the engineer watches.
      const code = engineer.locator('main').getByText(/^\d{6}$/);
      await customer.getByLabel('One-time password').fill((await code.innerText()).trim());
      await customer.getByRole('button', { name: 'Sign in' }).click();
      await customer.getByRole('button', { name: 'Open portal' }).click();
      await heading(customer, 'Hello Surya Kaur').waitFor();
      await customer.getByLabel('Search by name').fill('spice 500');
      await customer.getByRole('button', { name: 'Search' }).click();
      await customer.getByRole('link', { name: 'Spice Route Kitchen e-gift voucher 500' }).click();
      await customer.getByRole('button', { name: 'Continue' }).click();

      await engineer.getByRole('link', { name: 'Redemptions' }).click();
      await engineer.getByText('0 of 0 redemptions').waitFor();
      await customer.getByRole('button', { name: 'Redeem 500 points' }).click();
      await heading(customer, 'Order placed').waitFor();
      await engineer.getByRole('link', { name: 'Spice Route Kitchen e-gift voucher 500' }).click();
      await heading(engineer, 'RDM-000001-').waitFor();
      expect(engineer.url()).toMatch(/\/dashboard\/redemptions\/RDM-000001-\w+$/);
      await engineer.getByText('saveRedeemDetails').first().waitFor();

      await engineer.getByRole('button', { name: /^Deliver item/ }).click();
      await engineer.getByText('updateRedeemStatus').first().waitFor();
      await heading(customer, 'Delivered').waitFor();
      expect(await customer.locator('.balance').innerText()).toBe('Balance 10,750 points');
      await engineer.getByText('getWalletDetail').first().waitFor();

      // No call of the journey violated a contract.
      await engineer.getByRole('link', { name: 'Overview' }).click();
      await sees(engineer, 'No violations so far.', 'No failed calls');
    });
  });
}, 120_000);
