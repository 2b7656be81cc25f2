/** Opens dashboard screens, locates their elements, and operates them. */
import type { Locator, Page } from 'playwright-core';
import { pagesOfBrowser } from '../harness/inspecting.ts';
import type { TestSandbox } from '../harness/sandbox.ts';

/** Starts the browser for a test file. Returns a function that runs a test on a screen, in a window of a size. */
export function screens(size = { width: 1280, height: 720 }) {
  const inPage = pagesOfBrowser();
  return (sandbox: TestSandbox, path: string, use: (page: Page) => Promise<void>): Promise<void> =>
    inPage(async (page) => {
      await page.setViewportSize(size);
      await open(page, sandbox, path);
      await use(page);
    });
}

/** Opens a screen and waits until it receives live updates. */
export async function open(page: Page, { urls }: TestSandbox, path: string): Promise<void> {
  await page.goto(`${urls.dashboard}${path}`);
  await page.locator('#live.live').waitFor();
}

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

/** Waits for one element with exactly this text, for each of the texts. */
export async function waitForText(page: Page, ...texts: readonly string[]): Promise<void> {
  for (const text of texts) await page.getByText(text, { exact: true }).first().waitFor();
}

/** Waits for an element that contains the text, for each of the texts. */
export async function sees(where: Page | Locator, ...texts: readonly string[]): Promise<void> {
  for (const text of texts) await where.getByText(text).waitFor();
}

/** Sets fields and selections by their labels. */
export async function fill(where: Page | Locator, fields: Readonly<Record<string, string>>): Promise<void> {
  for (const [name, value] of Object.entries(fields)) {
    const labelled = where.getByRole('combobox', { name, exact: true }).or(where.getByLabel(name, { exact: true }));
    // A form can have the name of one of its fields.
    const field = where.locator('input, select, textarea').and(labelled);
    if (await field.evaluate((element) => element.tagName === 'SELECT')) await field.selectOption(value);
    else await field.fill(value);
  }
}

/** Presses a button, then waits for the status message that contains the text. */
export async function press(where: Page | Locator, name: string, message: string): Promise<void> {
  await where.getByRole('button', { name }).click();
  await where.getByRole('status').filter({ hasText: message }).waitFor();
}

/** Presses a button, then waits for an element that contains the text. */
export async function reveal(where: Page | Locator, name: string, text: string): Promise<void> {
  await where.getByRole('button', { name }).click();
  await where.getByText(text).first().waitFor();
}

/** Presses a button whose action needs a confirmation, and confirms it. */
export async function confirm(where: Page | Locator, name: string): Promise<void> {
  await where.getByRole('button', { name }).click();
  await where.getByRole('button', { name: `Yes, ${name}` }).click();
}

/** Presses a button that copies a text. Returns the text from the clipboard. */
export async function copied(page: Page, { origin }: TestSandbox, name: string): Promise<string> {
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write'], { origin });
  await page.getByRole('button', { name }).first().click();
  await page.getByRole('button', { name: name.replace(/^Copy( as curl| message| password)?/, 'Copied') }).waitFor();
  return page.evaluate(() => navigator.clipboard.readText());
}

/** Imports a module of the dashboard. Browser modules have their own type-check settings, so the import is dynamic. */
export async function browserModule<T>(path: string): Promise<T> {
  return await import(new URL(`../../sandbox/dashboard/browser/${path}`, import.meta.url).href);
}
