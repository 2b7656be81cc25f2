/** Tests how the dashboard formats times and numbers for a viewer in India. */
import { expect, it } from 'vitest';
import { browserOfFile } from '../harness/browser.ts';
import { redeem } from '../harness/orders.ts';
import { testSandbox } from '../harness/sandbox.ts';

const browser = browserOfFile();

it('times are in the viewer’s zone, which the page names, and in UTC on hover; the balance is drawn from zero', async () => {
  const sandbox = await testSandbox();
  const { data: before } = await sandbox.control.GET('/clock');
  expect(before?.now).toBe('2026-01-12T04:30:00.000Z');
  await redeem(sandbox, { uid: 'CUST0007', line_items: [{ sku: 'EGV-SPICE-500', quantity: 1 }] });
  const context = await browser().newContext({ timezoneId: 'Asia/Kolkata' });
  const page = await context.newPage();
  await page.goto(`${sandbox.urls.dashboard}/ledger?uid=CUST0007`);
  await page.getByText(/^Times in Asia\/(Calcutta|Kolkata) \(UTC\+05:30\)$/).waitFor();
  const time = page.locator('.entries-table time').first();
  expect([await time.innerText(), await time.getAttribute('title')]).toEqual([
    '2026-01-12 10:00:00',
    '2026-01-12 04:30:00.000 UTC',
  ]);
  // The chart starts at zero, which is at height 38. 11,250 points are at the top, and 10,750 are close below.
  expect(await page.locator('.balance-chart .line').getAttribute('d')).toBe('M0 2V2H50V3.6H100');
  expect(await page.locator('.balance-chart .axis span').allInnerTexts()).toEqual(['11,250', '0']);
  await context.close();
}, 60_000);
