/** Locates elements on dashboard screens, and opens screens. */
import type { Locator, Page } from 'playwright-core';
import type { TestSandbox } from '../harness/sandbox.ts';

/** Returns the list row that contains the text. */
export function row(page: Page, text: string): Locator {
  return page.locator('.row').filter({ hasText: text });
}

/** Returns the status message that contains the text. */
export function statusMessage(page: Page, text: string): Locator {
  return page.getByRole('status').filter({ hasText: text });
}

/** Returns the part of a screen with the given heading. */
export function panel(page: Page, name: string): Locator {
  return page.getByRole('region', { name, exact: true });
}

/** Waits for an element with exactly this text. */
export function waitForText(page: Page, text: string): Promise<void> {
  return page.getByText(text, { exact: true }).first().waitFor();
}

/** Opens a screen and waits until it receives live updates. */
export async function open(page: Page, { urls }: TestSandbox, path = '/'): Promise<void> {
  page.setDefaultTimeout(15_000);
  await page.goto(`${urls.dashboard}${path}`);
  await page.locator('#live.live').waitFor();
}
