/**
 * Checks a screen in its four forms: axe finds nothing, in light and in dark colours, nothing is cut off; takes a picture of
 * each.
 */
import { mkdir } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { AxeBuilder } from '@axe-core/playwright';
import type { Page } from 'playwright-core';
import { expect } from 'vitest';
import { browserOfFile, watched } from './browser.ts';

const pictures = fileURLToPath(new URL('screenshots/', import.meta.url));
const phone = { width: 390, height: 844 };
const desktop = { width: 1280, height: 800 };
/** Rules about colours run in each form, the rule about target sizes on the desktop too, all others once. */
const ofColour = ['color-contrast', 'link-in-text-block'];
const forms = [
  { form: 'phone-light', size: phone, colorScheme: 'light', rules: undefined },
  { form: 'phone-dark', size: phone, colorScheme: 'dark', rules: ofColour },
  { form: 'desktop-dark', size: desktop, colorScheme: 'dark', rules: [...ofColour, 'target-size'] },
  { form: 'desktop-light', size: desktop, colorScheme: 'light', rules: ofColour },
] as const;

/** Checks the page on a phone and on a desktop, each in light and in dark colours, and takes a picture of each. */
export async function inspect(page: Page, name: string): Promise<unknown[]> {
  await mkdir(pictures, { recursive: true });
  const findings: unknown[] = [];
  for (const { form, size, colorScheme, rules } of forms) {
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
    await page.setViewportSize(size);
    const wide = await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
    if (wide > 0) findings.push({ name, form, wide });
    // Elements that stay in view would be in the middle of the picture.
    await page.evaluate(() => scrollTo(0, 0));
    await page.screenshot({ path: `${pictures}${name}-${form}.png`, fullPage: true });
    const axe = new AxeBuilder({ page }).setLegacyMode().exclude('iframe');
    if (rules !== undefined) axe.withRules([...rules]);
    const { violations } = await axe.analyze();
    findings.push(...violations.map(({ id, nodes }) => ({ name, form, id, nodes: nodes.map(({ html }) => html) })));
  }
  return findings;
}

/**
 * Starts the browser of a test file, and returns a function that gives a test a page; a page with complaints fails its
 * test.
 */
export function pagesOfBrowser(): (use: (page: Page) => Promise<void>) => Promise<void> {
  const browser = browserOfFile();
  return async (use) => {
    // Pages show times in the viewer's zone.
    const context = await browser().newContext({ timezoneId: 'UTC' });
    const { page, complaints } = await watched(context);
    await use(page);
    expect(complaints).toEqual([]);
    await context.close();
  };
}
