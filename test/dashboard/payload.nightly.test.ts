/** Tests how many bytes the dashboard transfers if the activity log is full of calls. */
import type { Page, Request } from 'playwright-core';
import { expect, it } from 'vitest';
import { pagesOfBrowser } from '../harness/inspecting.ts';
import { advance, redeem, voucher } from '../harness/orders.ts';
import { ok, testSandbox } from '../harness/sandbox.ts';

const inPage = pagesOfBrowser();
const maxBytes = 150_000;
const entries = 1000;

/** Returns the bytes that a screen transfers until it is fully loaded, by request path. The font is excluded. */
async function weigh(page: Page, url: string): Promise<ReadonlyMap<string, number>> {
  const sizes: Promise<readonly [string, number]>[] = [];
  const recordSize = (request: Request) => {
    if (request.resourceType() === 'font') return;
    const { pathname, search } = new URL(request.url());
    const size = request.sizes().then((all) => all.responseBodySize + all.responseHeadersSize);
    sizes.push(size.then((bytes) => [pathname + search, bytes] as const));
  };
  page.on('requestfinished', recordSize);
  await page.goto(url);
  await page.locator('#live.live').waitFor();
  // The page reads the rest of the log after it has drawn the screen.
  await page.waitForTimeout(4000);
  page.off('requestfinished', recordSize);
  const sizeByPath = new Map<string, number>();
  for (const [path, bytes] of await Promise.all(sizes)) sizeByPath.set(path, (sizeByPath.get(path) ?? 0) + bytes);
  return sizeByPath;
}

it('OP-225: a screen of the dashboard takes at most 150 KB over the wire, with 1,000 entries in the log', async () => {
  const sandbox = await testSandbox();
  const { control, urls } = sandbox;
  const count = async () => ok(await control.GET('/activity', { params: { query: { limit: 10_000 } } })).items.length;
  const { items: customers } = ok(await control.GET('/customers'));
  const rich = customers.filter(({ points }) => points.balance >= 10_000).map(({ uid }) => uid);
  while ((await count()) < entries) {
    for (const uid of rich) await redeem(sandbox, { line_items: [voucher], uid });
    await advance(sandbox, 60);
  }
  for (const screen of ['', '/traffic']) {
    await inPage(async (page) => {
      const weights = await weigh(page, `${urls.dashboard}${screen}`);
      const total = [...weights.values()].reduce((sum, bytes) => sum + bytes);
      const heaviest = [...weights].sort(([, one], [, other]) => other - one).slice(0, 8);
      console.info(`dashboard${screen}, ${entries} entries: ${total} bytes`, heaviest);
      expect([...weights.keys()].filter((path) => path.startsWith('/sandbox/v1/activity?')).length).toBeGreaterThan(1);
      expect(total).toBeLessThanOrEqual(maxBytes);
    });
  }
}, 180_000);
