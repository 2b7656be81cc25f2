/** Checks pages at two sizes and in two colour schemes: accessibility with axe, and clipped content. Also takes screenshots. */
import { mkdir } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { AxeBuilder } from '@axe-core/playwright';
import type { Page } from 'playwright-core';
import { expect } from 'vitest';
import { browserOfFile, watched } from './browser.ts';

const pictures = fileURLToPath(new URL('screenshots/', import.meta.url));
const phone = { width: 390, height: 844 };
const desktop = { width: 1280, height: 800 };
/** Colour rules run in every form. The target size rule also runs on one desktop form. All other rules run once. */
const ofColour = ['color-contrast', 'link-in-text-block'];
const forms = [
  { form: 'phone-light', size: phone, colorScheme: 'light', rules: undefined },
  { form: 'phone-dark', size: phone, colorScheme: 'dark', rules: ofColour },
  { form: 'desktop-dark', size: desktop, colorScheme: 'dark', rules: [...ofColour, 'target-size'] },
  { form: 'desktop-light', size: desktop, colorScheme: 'light', rules: ofColour },
] as const;

/** Checks the page on a phone and on a desktop, each in light and dark colours, and takes a screenshot of each. */
export async function inspect(page: Page, name: string): Promise<unknown[]> {
  await mkdir(pictures, { recursive: true });
  const findings: unknown[] = [];
  for (const { form, size, colorScheme, rules } of forms) {
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
    await page.setViewportSize(size);
    const wide = await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
    if (wide > 0) findings.push({ name, form, wide });
    // Sticky elements would otherwise appear in the middle of the screenshot.
    await page.evaluate(() => scrollTo(0, 0));
    await page.screenshot({ path: `${pictures}${name}-${form}.png`, fullPage: true });
    const axe = new AxeBuilder({ page }).setLegacyMode().exclude('iframe');
    if (rules !== undefined) axe.withRules([...rules]);
    const { violations } = await axe.analyze();
    findings.push(...violations.map(({ id, nodes }) => ({ name, form, id, nodes: nodes.map(({ html }) => html) })));
  }
  return findings;
}

/** Starts the browser for a test file. Returns a function that runs a test with a page. Any complaint of the page fails the test. */
export function pagesOfBrowser(): (use: (page: Page) => Promise<void>) => Promise<void> {
  const browser = browserOfFile();
  return async (use) => {
    // Pages show times in the viewer's time zone.
    const context = await browser().newContext({ timezoneId: 'UTC' });
    const { page, complaints } = await watched(context);
    await use(page);
    expect(complaints).toEqual([]);
    await context.close();
  };
}
