/**
 * What every screen is looked at for: nothing for axe to find, light and dark, nothing cut off, and a picture of each.
 */
import { mkdir } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { AxeBuilder } from '@axe-core/playwright';
import type { Page } from 'playwright-core';
import { expect } from 'vitest';
import { browserOfFile, watched } from '../harness/browser.ts';

const pictures = fileURLToPath(new URL('screenshots/', import.meta.url));
const looks = {
  phone: { width: 390, height: 844, colorScheme: 'light' },
  desktop: { width: 1280, height: 800, colorScheme: 'dark' },
} as const;

/** Looks at the page on a phone in light colours and on a desktop in dark ones, and takes a picture of each. */
export async function inspect(page: Page, name: string): Promise<unknown[]> {
  await mkdir(pictures, { recursive: true });
  const findings: unknown[] = [];
  for (const [size, { colorScheme, ...viewport }] of Object.entries(looks)) {
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
    await page.setViewportSize(viewport);
    const wide = await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
    if (wide > 0) findings.push({ name, size, wide });
    await page.screenshot({ path: `${pictures}${name}-${size}.png`, fullPage: true });
    const axe = new AxeBuilder({ page }).setLegacyMode().exclude('iframe');
    // The document is the same in dark colours: what depends on colour and size is looked at anew.
    if (colorScheme === 'dark') axe.withRules(['color-contrast', 'link-in-text-block', 'target-size']);
    const { violations } = await axe.analyze();
    findings.push(
      ...violations.map(({ id, nodes }) => ({ name, colorScheme, id, nodes: nodes.map(({ html }) => html) })),
    );
  }
  return findings;
}

/**
 * Starts the browser of a test file, and returns how a test gets a page of it; one that complained of anything fails
 * its test.
 */
export function pagesOfBrowser(): (use: (page: Page) => Promise<void>) => Promise<void> {
  const browser = browserOfFile();
  return async (use) => {
    const context = await browser().newContext();
    const { page, complaints } = await watched(context);
    await use(page);
    expect(complaints).toEqual([]);
    await context.close();
  };
}
