/**
 * Creates a contact sheet of every screen as a visitor first sees it, on desktop and phone, in light and dark. The
 * picture is saved below `test/harness/screenshots`. Inspect it after changing styles.
 */
import { execFileSync } from 'node:child_process';
import { mkdir, writeFile } from 'node:fs/promises';
import { execPath } from 'node:process';
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

const fileOf = (name: string, { width, colorScheme }: (typeof forms)[number]) =>
  `${folder}${name}-${width}-${colorScheme}.png`;

const inPage = pagesOfBrowser();

/** Pages of the documentation: one of each layout, and the page for an unknown address. */
const docsPages = ['index', 'quickstart', 'interface', 'errors', 'going-live', 'reference/rewards', 'nothing'];

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
  faults: '/simulation?view=faults',
  triggers: '/simulation?view=triggers',
  clock: '/simulation?view=clock',
  magic: '/simulation?view=magic',
  snapshots: '/simulation?view=snapshots',
  workspaces: '/simulation?view=workspaces',
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
  for (const form of forms) {
    await page.setViewportSize(form);
    await page.emulateMedia({ colorScheme: form.colorScheme, reducedMotion: 'reduce' });
    await page.goto(url);
    await page.locator('main h1').first().waitFor();
    const scrolls = await page.evaluate(
      () => document.documentElement.scrollWidth > document.documentElement.clientWidth,
    );
    if (scrolls) wide.push(`${name} ${form.width}`);
    await page.screenshot({ path: fileOf(name, form), animations: 'disabled' });
  }
  return wide;
}

it('every screen fits its window, and is on the contact sheet', async () => {
  await mkdir(folder, { recursive: true });
  execFileSync(execPath, ['tools/docs/build.ts'], { cwd: root });
  const sandbox = await testSandbox({ docs: `${root}docs/site` });
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
    for (const name of docsPages) await see(`docs-${name.replace('/', '-')}`, `${origin}/docs/${name}`);
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
    const image = (file: string) => `<img src="file://${file}" height="300" alt="">`;
    const rows = names.map((name) => `<p>${name}</p>${forms.map((form) => image(fileOf(name, form))).join(' ')}`);
    await writeFile(`${folder}index.html`, rows.join('\n'));
    await page.setViewportSize({ width: 1300, height: 900 });
    await page.goto(`file://${folder}index.html`);
    await page.screenshot({ path: `${root}test/harness/screenshots/contact-sheet.png`, fullPage: true });
  });
}, 300_000);
