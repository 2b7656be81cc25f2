/** Tests the dashboard in a real browser while the sandbox is stopped. */
import { expect, it } from 'vitest';
import { browserOfFile } from '../harness/browser.ts';
import { testSandbox } from '../harness/sandbox.ts';
import { panel } from './screens.ts';

const browser = browserOfFile();

it('one banner says that the sandbox does not respond; the last known data stays, greyed, until it is back', async () => {
  const sandbox = await testSandbox();
  const token = await sandbox.companyToken();
  await sandbox.rewards(token).GET('/v1/partner/rewards');
  const page = await browser().newPage();
  await page.goto(sandbox.urls.dashboard);
  const calls = panel(page, 'API calls per minute').getByText('1 in the last 30 minutes, 0 failed');
  await calls.waitFor();

  await sandbox.close();
  const alert = page.getByRole('alert');
  await alert.getByText('The sandbox is not responding.').waitFor();
  expect(await alert.count()).toBe(1);
  expect(await page.locator('.screen').getAttribute('class')).toBe('screen stale');
  expect(await calls.isVisible()).toBe(true);
  expect(await page.locator('#live').innerText()).toBe('Disconnected, reconnecting');
  await alert
    .getByText(/^The sandbox is not responding. This page shows data from [\d:]{8}. The page reconnects/)
    .waitFor();
  // A screen that was never open has no data.
  await page.getByRole('link', { name: 'Redemptions' }).click();
  await alert.getByText('This page has not loaded yet.').waitFor();
  expect(await page.locator('.screen').count()).toBe(0);
  await page.getByRole('link', { name: 'Overview' }).click();

  await testSandbox({ port: Number(new URL(sandbox.origin).port) });
  await alert.waitFor({ state: 'detached' });
  expect(await page.locator('.screen').getAttribute('class')).toBe('screen');
  await page.close();
}, 60_000);

it('a panel that was still loading when the sandbox stopped adds no second message', async () => {
  const sandbox = await testSandbox();
  const page = await browser().newPage();
  await page.route('**/sandbox/v1/workspace', (route) => route.abort());
  await page.goto(sandbox.urls.dashboard);
  const alert = page.getByRole('alert');
  await alert.getByText('The sandbox does not respond. Is it still running?').waitFor();

  await sandbox.close();
  await alert.getByText('The sandbox is not responding.').waitFor();
  expect(await alert.count()).toBe(1);
  await page.close();
}, 60_000);
