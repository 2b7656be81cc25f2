/**
 * Takes the pictures for the dashboard guide. Each window shows the same traffic, in light and in dark colours.
 *
 * `GUIDE_PICTURES=write` replaces the pictures of the guide. By default, they are written to the folder for test
 * screenshots.
 */
import { mkdir, readFile, stat, writeFile } from 'node:fs/promises';
import { env } from 'node:process';
import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { pagesOfBrowser } from '../harness/inspecting.ts';
import { order } from '../harness/orders.ts';
import { PartnerServer } from '../harness/partner-server.ts';
import { ok, testSandbox } from '../harness/sandbox.ts';
import { root } from '../harness/sources.ts';
import { workingDay } from '../harness/working-day.ts';
import { open } from './screens.ts';

const committed = `${root}docs/pictures/dashboard/`;
const target = env.GUIDE_PICTURES === 'write' ? committed : `${root}test/harness/screenshots/guide/`;
const looks = ['light', 'dark'] as const;
/** Maximum size of each picture and of all together, in bytes. The package contains the pictures. */
const most = { each: 60_000, all: 600_000 };

/** A window: its address, and the text it shows once it is complete. */
interface Window {
  readonly path: string;
  readonly shows: string;
  readonly act?: (page: Page) => Promise<void>;
}

const inPage = pagesOfBrowser();

/** Saves screenshots of the current page in both colour schemes, with the port number that the guides use. */
async function take(page: Page, name: string): Promise<void> {
  await page.evaluate(() => {
    const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    for (let text = texts.nextNode(); text !== null; text = texts.nextNode())
      text.nodeValue = (text.nodeValue ?? '').replaceAll(/(127\.0\.0\.1):\d+/g, '$1:4010');
  });
  for (const colorScheme of looks) {
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
    const png = await page.screenshot({ animations: 'disabled', caret: 'hide' });
    const webp = await page.evaluate(async (base64) => {
      const bytes = Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));
      const bitmap = await createImageBitmap(new Blob([bytes]));
      const canvas = new OffscreenCanvas(bitmap.width, bitmap.height);
      canvas.getContext('2d')?.drawImage(bitmap, 0, 0);
      const blob = await canvas.convertToBlob({ type: 'image/webp', quality: 0.7 });
      const written = new Uint8Array(await blob.arrayBuffer());
      return btoa(Array.from(written, (byte) => String.fromCharCode(byte)).join(''));
    }, png.toString('base64'));
    await writeFile(`${target}${name}-${colorScheme}.webp`, Buffer.from(webp, 'base64'));
  }
}

it('each window shows its traffic, in light and in dark colours, in a small picture', async () => {
  await mkdir(target, { recursive: true });
  const sandbox = await testSandbox();
  const code = await workingDay(sandbox);
  const windows: Readonly<Record<string, Window>> = {
    overview: { path: '/', shows: 'Recent errors' },
    traffic: {
      path: '/traffic',
      shows: 'createRedemptionOrder',
      act: (page) => page.locator('.row', { hasText: 'createRedemptionOrder' }).first().click(),
    },
    redemption: {
      path: `/redemptions/${code}`,
      shows: 'getWalletDetail',
      act: (page) => page.getByRole('heading', { name: 'Timeline' }).evaluate((heading) => heading.scrollIntoView()),
    },
    outbox: { path: '/outbox', shows: 'CUST0007' },
    ledger: { path: '/ledger?uid=CUST0007', shows: 'Opening balance' },
    simulation: { path: '/simulation', shows: 'Vendor outcomes' },
  };
  await inPage(async (page) => {
    await page.setViewportSize({ width: 1200, height: 750 });
    for (const [name, { path, shows, act }] of Object.entries(windows)) {
      await open(page, sandbox, path);
      await page.getByText(shows).first().waitFor();
      await act?.(page);
      await take(page, name);
    }
    await new PartnerServer().standIn(sandbox);
    ok(await order(sandbox));
    await open(page, sandbox, '/server');
    const check = page.locator('.check').filter({ hasText: 'saveRedeemDetails' });
    await check.getByText('messages as specified').waitFor();
    await check.evaluate((element) => element.scrollIntoView({ block: 'center' }));
    await take(page, 'server');
  });
}, 120_000);

it('the guide has each picture once, with an alternative text, and together they are small', async () => {
  const guide = await readFile(`${root}docs/guides/dashboard.md`, 'utf8');
  const pictures = [...guide.matchAll(/^!\[([^\]]+)\]\(\/pictures\/dashboard\/(\w+)-light\.webp\)$/gm)];
  const names = pictures.map(([, , name]) => name).join(' ');
  expect(names).toBe('overview traffic redemption outbox ledger simulation server');
  for (const [, words = ''] of pictures) expect(words.length).toBeGreaterThan(40);
  const files = pictures.flatMap(([, , name]) => looks.map((look) => `${committed}${name}-${look}.webp`));
  const sizes = await Promise.all(files.map(async (file) => (await stat(file)).size));
  expect(Math.max(...sizes)).toBeLessThan(most.each);
  expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThan(most.all);
});
