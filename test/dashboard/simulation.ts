/** Helpers for the tests of the simulation screen. */
import type { Locator, Page } from 'playwright-core';
import type { TestSandbox } from '../harness/sandbox.ts';

/** A row of a list that contains the text. */
export function row(page: Page, text: string): Locator {
  return page.locator('.row').filter({ hasText: text });
}

/** A status message that contains the text. */
export function statusMessage(page: Page, text: string): Locator {
  return page.getByRole('status').filter({ hasText: text });
}

/** Opens a view of the screen, and waits until it receives live updates. */
export async function openView(page: Page, { urls }: TestSandbox, query: string): Promise<void> {
  page.setDefaultTimeout(15_000);
  await page.goto(`${urls.dashboard}/simulation?${query}`);
  await page.locator('#live.live').waitFor();
}
