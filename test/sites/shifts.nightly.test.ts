/** Tests that content that arrives later does not move drawn content, measured as the sum of layout shifts. */
import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { pagesOfBrowser } from '../harness/inspecting.ts';
import { advance, redeem } from '../harness/orders.ts';
import { testSandbox } from '../harness/sandbox.ts';

const inPage = pagesOfBrowser();
const uid = 'CUST0007';
/** Browser vendors rate a page as good below 0.1. The first view here needs less. */
const maxShift = 0.05;

/** Delays the responses to a page by different times, like a network between two machines. */
async function delayResponses(page: Page): Promise<void> {
  let requestCount = 0;
  await page.route('**/sandbox/v1/**', async (route) => {
    requestCount += 1;
    await new Promise((resolve) => setTimeout(resolve, 80 * (1 + (requestCount % 3))));
    await route.continue();
  });
}

/** Returns the sum of a page's layout shifts, from its first paint until it has not changed for a second. */
async function shifts(page: Page, url: string): Promise<number> {
  await page.goto(url);
  await page.waitForTimeout(1500);
  return page.evaluate(
    () =>
      new Promise<number>((resolve) => {
        let sum = 0;
        new PerformanceObserver((list) => {
          for (const entry of list.getEntries()) sum += (entry as PerformanceEntry & { value: number }).value;
        }).observe({ type: 'layout-shift', buffered: true });
        setTimeout(() => resolve(sum), 100);
      }),
  );
}

it('on a phone no screen of the dashboard moves what it has drawn', async () => {
  const sandbox = await testSandbox();
  const codes: string[] = [];
  for (let count = 0; count < 4; count += 1) codes.push(await redeem(sandbox, { uid }));
  await advance(sandbox, 2);
  const screens = ['', 'traffic', 'redemptions', `redemptions/${codes[0]}`, 'outbox', 'ledger', `ledger?uid=${uid}`];
  const shiftingScreens: unknown[] = [];
  await inPage(async (page) => {
    await page.setViewportSize({ width: 390, height: 844 });
    await delayResponses(page);
    for (const screen of [...screens, 'simulation', 'server']) {
      const sum = await shifts(page, `${sandbox.urls.dashboard}/${screen}`);
      if (sum > maxShift) shiftingScreens.push([screen, sum]);
    }
    await page.unrouteAll({ behavior: 'ignoreErrors' });
  });
  expect(shiftingScreens).toEqual([]);
});

it('on a phone the views of a screen form one row, and the current one is in view', async () => {
  const { urls } = await testSandbox();
  await inPage(async (page) => {
    await page.setViewportSize({ width: 390, height: 844 });
    await page.goto(`${urls.dashboard}/simulation?view=workspaces`);
    const current = page.locator('.tabs [aria-current]');
    await current.waitFor();
    const tops = await page
      .locator('.tabs a')
      .evaluateAll((links) => links.map((link) => link.getBoundingClientRect().top));
    expect(tops.length).toBeGreaterThan(5);
    expect(new Set(tops).size).toBe(1);
    await expect.poll(async () => (await current.boundingBox())?.x).toBeLessThan(390 - 80);
  });
});

it('a screen does not wait for a full log: it reads a hundred entries before it draws, and the rest afterwards', async () => {
  const { urls } = await testSandbox();
  for (let count = 0; count < 150; count += 1) await (await fetch(`${urls.rewards}/v1/partner/rewards`)).text();
  const limits: string[] = [];
  await inPage(async (page) => {
    page.on('request', (request) => {
      const { pathname, searchParams } = new URL(request.url());
      if (pathname.endsWith('/activity')) limits.push(searchParams.get('limit') ?? '');
    });
    await page.goto(`${urls.dashboard}/traffic`);
    await page.getByRole('status').filter({ hasText: '150 of 150 calls' }).waitFor();
  });
  expect(limits).toEqual(['100', '50']);
});
