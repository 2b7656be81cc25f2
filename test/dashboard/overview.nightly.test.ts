/** Tests the dashboard's overview in a real browser: next steps, calls per minute, the last redemption, and the phone layout. */
import { expect, it } from 'vitest';
import { inspect } from '../harness/inspecting.ts';
import { advance, order, vendorWill, voucher } from '../harness/orders.ts';
import { PartnerServer } from '../harness/partner-server.ts';
import { ok, testSandbox } from '../harness/sandbox.ts';
import { panel, screens } from './screens.ts';

const onScreen = screens();

it('next steps: completed steps are marked done, and the others say what to do', async () => {
  const sandbox = await testSandbox();
  await onScreen(sandbox, '/', async (page) => {
    const steps = panel(page, 'Next steps');
    await steps.getByText('0 of 4 done').waitFor();
    expect(await steps.getByRole('link', { name: 'microsite' }).getAttribute('href')).toBe(sandbox.urls.microsite);
    ok(await order(sandbox));
    await steps.getByText('1 of 4 done').waitFor();
    await advance(sandbox, 2);
    await steps.getByText('2 of 4 done').waitFor();
    const done = await steps.locator('li.done').allTextContents();
    expect(done).toEqual(['Place an order (done)', 'See a voucher delivered (done)']);
    const partner = await new PartnerServer().standIn(sandbox);
    await steps.getByText(`${partner.url} has not answered a call with 2xx yet.`).waitFor();
    ok(await order(sandbox));
    await steps.getByText('3 of 4 done').waitFor();
    expect(await steps.getByRole('link').allInnerTexts()).toEqual(['Certification']);
  });
}, 60_000);

it('calls per minute appear as a chart and in words; each operation has its calls, failures and durations', async () => {
  const sandbox = await testSandbox();
  await onScreen(sandbox, '/', async (page) => {
    await page.getByText('No calls yet').waitFor();
    const token = await sandbox.companyToken();
    const listing = (limit: number) =>
      sandbox.rewards(token).GET('/v1/partner/rewards', { params: { query: { limit } } });
    for (const limit of [10, 20, 5000]) await listing(limit);
    await advance(sandbox, 60);
    await listing(30);
    const calls = panel(page, 'API calls per minute');
    await calls.getByText('5 in the last 30 minutes, 1 failed').waitFor();
    const name = '5 calls in the last 30 minutes of sandbox time, 1 of them failed';
    const drawing = calls.getByRole('img', { name });
    const heights = (kind: string) =>
      drawing.locator(`.${kind}`).evaluateAll((bars) => bars.slice(-2).map((bar) => bar.getAttribute('height')));
    // The second-to-last minute has three calls, one of them failed. The last minute has two, because advancing the clock is also a call.
    expect(await heights('calls')).toEqual(['40', '27']);
    expect(await heights('errors')).toEqual(['13', '0']);
    expect((await calls.locator('tr:not(thead tr)').allInnerTexts()).map((text) => text.trim().split(/\s+/))).toEqual([
      ['listRewards', '4', '1', '0', 'ms', '0', 'ms'],
      ['advanceClock', '1', '0', '–', '–'],
      ['All', 'API', 'calls', '5', '1'],
    ]);
    await calls.getByRole('link', { name: 'listRewards' }).click();
    await page.getByRole('heading', { level: 1, name: 'Traffic' }).waitFor();
    expect(page.url()).toMatch(/\/dashboard\/traffic\?show=in&q=listRewards$/);
  });
}, 60_000);

it('the last redemption shows its progress, and links to its timeline', async () => {
  const sandbox = await testSandbox();
  await vendorWill(sandbox, voucher.sku, { outcome: 'reject', reason: 'Product out of stock' });
  const code = ok(await order(sandbox, { uid: 'CUST0001', line_items: [voucher] })).lines[0]?.redeemCode;
  await onScreen(sandbox, '/', async (page) => {
    const last = panel(page, 'Last redemption');
    const steps = () =>
      last.locator('li').evaluateAll((all) => all.map((one) => `${one.textContent} ${one.className}`));
    await expect.poll(steps).toEqual(['Placed done', 'With vendor now', 'Delivered ']);
    await advance(sandbox, 60);
    await expect.poll(steps).toEqual(['Placed done', 'With vendor done', 'Rejected failed']);
    expect(await inspect(page, 'dashboard-overview-rejected')).toEqual([]);
    await last.getByRole('link', { name: 'voucher' }).click();
    await page.getByRole('heading', { level: 1 }).waitFor();
    expect(page.url()).toContain(`/dashboard/redemptions/${code}`);
  });
}, 60_000);

it('on a phone the links to the screens form one row, with the current one in view', async () => {
  await onScreen(await testSandbox(), '/server', async (page) => {
    await page.setViewportSize({ width: 390, height: 844 });
    await page.reload();
    const row = page.locator('nav.screens');
    await page.locator('#live.live').waitFor();
    const tops = await row.locator('a').evaluateAll((links) => links.map((link) => link.getBoundingClientRect().top));
    expect(new Set(tops).size).toBe(1);
    const { x = -1, width = 0 } = (await row.locator('[aria-current=page]').boundingBox()) ?? {};
    expect(x >= 0 && x + width <= 390).toBe(true);
    // The page itself must not scroll horizontally.
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(390);
  });
}, 60_000);
