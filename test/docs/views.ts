/** Views of documentation pages: screen sizes and colour schemes. */
import type { Browser, Page } from 'playwright-core';
import { watched } from '../harness/browser.ts';

export interface View {
  readonly name: string;
  readonly width: number;
  readonly height: number;
  readonly scheme: 'light' | 'dark';
}

export const desktop: View = { name: 'desktop', width: 1280, height: 900, scheme: 'light' };
export const phone: View = { name: 'phone', width: 390, height: 844, scheme: 'dark' };

/** Each kind of screen in light and dark colours. */
export const forms: readonly View[] = [desktop, phone].flatMap((view) => [
  { ...view, scheme: 'light' as const },
  { ...view, scheme: 'dark' as const },
]);

/** Switches an open page to another view without reloading it. */
export async function show(page: Page, { width, height, scheme }: View): Promise<void> {
  await page.emulateMedia({ colorScheme: scheme, reducedMotion: 'reduce' });
  await page.setViewportSize({ width, height });
}

/**
 * Opens a page in a browser with a view's screen. `problems` collects everything that a reader's browser would report, and every request to
 * another origin.
 */
export async function open(browser: Browser, url: string, view: View): Promise<{ page: Page; problems: string[] }> {
  const { width, height, scheme } = view;
  const context = await browser.newContext({
    viewport: { width, height },
    colorScheme: scheme,
    reducedMotion: 'reduce',
  });
  const { page, complaints: problems } = await watched(context);
  const { origin } = new URL(url);
  // Every file that a documentation page requests must exist.
  page.on('response', (response) => {
    if (response.status() >= 400) problems.push(`${response.status()} ${response.url()}`);
  });
  page.on('request', (request) => {
    if (!request.url().startsWith(origin) && !request.url().startsWith('data:')) problems.push(request.url());
  });
  await page.goto(url);
  return { page, problems };
}
