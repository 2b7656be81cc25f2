/** What the tests of the simulation screen share. */
import type { Locator, Page } from 'playwright-core';
import type { TestSandbox } from '../harness/sandbox.ts';

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
