/** Takes the picture for the README: the dashboard's diagram of one redemption, from the order to the voucher. */
import { readFile } from 'node:fs/promises';
import { env } from 'node:process';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { browserOfFile } from '../harness/browser.ts';
import { advance, order, vendorWill, voucher } from '../harness/orders.ts';
import { ok, testSandbox } from '../harness/sandbox.ts';

const root = fileURLToPath(new URL('../../', import.meta.url));
const committed = 'docs/pictures/redemption.png';
/**
 * `README_PICTURE=write` replaces the README's picture. Reduce it to 256 colours before you commit it, for example with pngquant. By default,
 * the picture is written to the folder for test screenshots.
 */
const target = root + (env.README_PICTURE === 'write' ? committed : 'test/sites/screenshots/readme.png');
/** Maximum size in bytes, because people also read the README over slow networks. */
const mostBytes = 80_000;

const browser = browserOfFile();

/** Returns the width and height from a PNG file's header, and the file's size in bytes. */
async function readPngSize(path: string): Promise<{ width: number; height: number; bytes: number }> {
  const file = await readFile(path);
  expect(file.toString('latin1', 1, 4)).toBe('PNG');
  return { width: file.readUInt32BE(16), height: file.readUInt32BE(20), bytes: file.length };
}

it('is a screenshot of the page that draws a redemption', async () => {
  const sandbox = await testSandbox();
  await vendorWill(sandbox, voucher.sku, { outcome: 'fail_then_deliver', times: 1 });
  const code = ok(await order(sandbox, { uid: 'CUST0001', line_items: [voucher] })).lines[0]?.redeemCode;
  await advance(sandbox, 60);
  const context = await browser().newContext();
  try {
    const page = await context.newPage();
    await page.emulateMedia({ colorScheme: 'light', reducedMotion: 'reduce' });
    await page.setViewportSize({ width: 1260, height: 900 });
    await page.goto(`${sandbox.urls.dashboard}/redemptions/${code}`);
    await page.getByRole('link', { name: 'getWalletDetail' }).waitFor();
    const drawing = await page.locator('.sequence').evaluate((element, margin) => {
      const { x, y, width, height } = element.getBoundingClientRect();
      return { x: x - margin, y: y - margin, width: width + 2 * margin, height: height + 2 * margin };
    }, 16);
    await page.screenshot({ fullPage: true, clip: drawing, path: target });
    const { width, height } = await readPngSize(target);
    expect([width > 800, height > 600]).toEqual([true, true]);
  } finally {
    await context.close();
  }
}, 60_000);

it('the picture of the README exists, is small, and has a text alternative', async () => {
  const readme = await readFile(`${root}README.md`, 'utf8');
  const [, words = '', path] = /!\[([^\]]*)\]\((.*\.png)\)/.exec(readme) ?? [];
  expect(path).toBe(committed);
  expect(words.length).toBeGreaterThan(60);
  const { width, height, bytes } = await readPngSize(root + committed);
  expect({ width: width > 800, height: height > 600, small: bytes < mostBytes }).toEqual({
    width: true,
    height: true,
    small: true,
  });
});
