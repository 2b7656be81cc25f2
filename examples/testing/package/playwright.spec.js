/** An example for Playwright: a sandbox for each worker, and a workspace for each test, with its portal in the browser. */
import { test as base, expect } from '@playwright/test';
import { sandboxForTests } from '@rewards-sandbox/sandbox/testing';

const test = base.extend({
  sandbox: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads here which fixtures this one needs
    async ({}, use) => {
      const sandbox = await sandboxForTests();
      await use(sandbox);
      await sandbox.close();
    },
    { scope: 'worker' },
  ],
  workspace: ({ sandbox }, use) => sandbox.withWorkspace(use),
});

test('a customer signs in on the microsite and sees rewards', async ({ page, workspace }) => {
  await page.goto(workspace.urls.microsite);
  await page.getByLabel('Customer ID').fill('CUST0001');
  await page.getByRole('button', { name: 'Send code' }).click();
  const otp = await workspace.waitFor('a code', async () => {
    const { data } = await workspace.control.GET('/messages', { params: { query: { uid: 'CUST0001' } } });
    return data.items[0]?.otp;
  });
  await page.getByLabel('One-time password').fill(otp);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
});
