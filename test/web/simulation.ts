/** What the tests of the simulation screen share. */
import type { Locator, Page } from 'playwright-core';
import { order, voucher } from '../harness/orders.ts';
import { ok, type TestSandbox } from '../harness/sandbox.ts';

/** A line of a list that has a text. */
export function row(page: Page, text: string): Locator {
  return page.locator('.row').filter({ hasText: text });
}

/** Where a page tells how something went, with a text. */
export function told(page: Page, text: string): Locator {
  return page.getByRole('status').filter({ hasText: text });
}

/** Opens a view of the screen, and waits until it follows what happens. */
export async function openView(page: Page, { urls }: TestSandbox, query: string): Promise<void> {
  page.setDefaultTimeout(15_000);
  await page.goto(`${urls.dashboard}/simulation?${query}`);
  await page.locator('#live.live').waitFor();
}

/** An order that waits for its vendor. Answers its redeem code. */
export async function pending(sandbox: TestSandbox): Promise<string> {
  const placed = ok(await order(sandbox, { line_items: [voucher] }));
  return placed.lines[0]?.redeemCode ?? '';
}
