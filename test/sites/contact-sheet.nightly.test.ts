/**
 * Creates a contact sheet of every screen as a visitor first sees it, on desktop and phone, in light and dark. The
 * picture is saved below `test/harness/screenshots`. Inspect it after changing styles.
 */
import { mkdir, writeFile } from 'node:fs/promises';
import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { pagesOfBrowser } from '../harness/inspecting.ts';
import { advance, order } from '../harness/orders.ts';
import { PartnerServer } from '../harness/partner-server.ts';
import { ok, type TestSandbox, testSandbox } from '../harness/sandbox.ts';
import { root } from '../harness/sources.ts';
import { enter, hidden, look, onward, orderFields, send } from '../harness/visitor.ts';
import { workingDay } from '../harness/working-day.ts';

const folder = `${root}test/harness/screenshots/sheet/`;
const forms = [
  { width: 1440, height: 900, colorScheme: 'light' },
  { width: 1440, height: 900, colorScheme: 'dark' },
  { width: 390, height: 844, colorScheme: 'light' },
  { width: 390, height: 844, colorScheme: 'dark' },
] as const;

const inPage = pagesOfBrowser();

/** Returns the path of each dashboard screen. */
const dashboardScreens = (code: string): Readonly<Record<string, string>> => ({
  overview: '/',
  traffic: '/traffic',
  redemptions: '/redemptions',
  redemption: `/redemptions/${code}`,
  outbox: '/outbox',
  customers: '/ledger',
  customer: '/ledger?uid=CUST0007',
  orders: '/ledger?view=orders',
  reconciliation: '/ledger?view=reconciliation',
  'open-points': '/open-points',
  outcomes: '/simulation',
  ...Object.fromEntries(
    ['faults', 'triggers', 'clock', 'magic', 'snapshots', 'workspaces'].map((view) => [
      view,
      `/simulation?view=${view}`,
    ]),
  ),
  server: '/server',
  certification: '/server?view=certification',
  partners: '/partners',
});

/** Returns the URLs of the portal screens for a customer with orders. */
async function portalScreens(sandbox: TestSandbox): Promise<Readonly<Record<string, string>>> {
  const session = await enter(sandbox, 'CUST0007');
  const fields = await orderFields(session, 'EGV-CHAI-100');
  const pending = onward(await send(`${session}orders`, fields));
  const { form_key = '' } = hidden(await look(`${session}rewards/PHY-KETTLE-01`));
  return {
    catalogue: `${session}rewards`,
    reward: `${session}rewards/PHY-KETTLE-01`,
    checkout: `${session}checkout?${new URLSearchParams({ sku: 'PHY-KETTLE-01', quantity: '1', form_key })}`,
    order: pending,
    history: `${session}history`,
    ended: `${sandbox.urls.portal}/ended`,
  };
}

/** Takes screenshots of a screen in its four forms. Returns the names of the forms that are wider than their window. */
async function take(page: Page, name: string, url: string): Promise<readonly string[]> {
  const wide: string[] = [];
  for (const { width, height, colorScheme } of forms) {
    await page.setViewportSize({ width, height });
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
    await page.goto(url);
    await page.locator('main h1').first().waitFor();
    const scrolls = await page.evaluate(
      () => document.documentElement.scrollWidth > document.documentElement.clientWidth,
    );
    if (scrolls) wide.push(`${name} ${width}`);
    await page.screenshot({ path: `${folder}${name}-${width}-${colorScheme}.png`, animations: 'disabled' });
  }
  return wide;
}

it('every screen fits its window, and is on the contact sheet', async () => {
  await mkdir(folder, { recursive: true });
  const sandbox = await testSandbox();
  const { urls, origin } = sandbox;
  const code = await workingDay(sandbox);
  const portal = await portalScreens(sandbox);
  await inPage(async (page) => {
    const wide: string[] = [];
    const names: string[] = [];
    const see = async (name: string, url: string) => {
      wide.push(...(await take(page, name, url)));
      names.push(name);
    };
    await see('start', `${origin}/`);
    await see('not-found', `${origin}/dashboard/nothing`);
    await see('sign-in', `${urls.microsite}/`);
    for (const [name, url] of Object.entries(portal)) await see(`portal-${name}`, url);
    for (const [name, path] of Object.entries(dashboardScreens(code))) {
      if (name === 'server') {
        await new PartnerServer().standIn(sandbox);
        ok(await order(sandbox));
        await advance(sandbox, 2);
      }
      await see(`dashboard-${name}`, `${urls.dashboard}${path}`);
    }
    expect(wide).toEqual([]);
    const rows = names.map((name) => {
      const cells = forms.map(
        ({ width, colorScheme }) =>
          `<img src="file://${folder}${name}-${width}-${colorScheme}.png" height="300" alt="">`,
      );
      return `<p>${name}</p><div>${cells.join(' ')}</div>`;
    });
    await writeFile(`${folder}index.html`, rows.join('\n'));
    await page.setViewportSize({ width: 1300, height: 900 });
    await page.goto(`file://${folder}index.html`);
    await page.screenshot({ path: `${root}test/harness/screenshots/contact-sheet.png`, fullPage: true });
  });
}, 300_000);
