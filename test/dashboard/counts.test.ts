/** Tests the dashboard's numbers in a real browser. The control API computes each number, unless the page states which part it covers. */
import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { closedPort } from '../harness/http-server.ts';
import { inspect, pagesOfBrowser } from '../harness/inspecting.ts';
import { advance, order } from '../harness/orders.ts';
import { PartnerServer } from '../harness/partner-server.ts';
import { ok, type TestSandbox, testSandbox } from '../harness/sandbox.ts';

const inPage = pagesOfBrowser();

async function open(page: Page, { urls }: TestSandbox): Promise<void> {
  await page.goto(`${urls.dashboard}/`);
  await page.locator('#live.live').waitFor();
}

const panel = (page: Page, name: string) => page.getByRole('region', { name });

it('OP-255: after 160 orders each number of the overview is that of the control API, also where the page has read a part of the log', async () => {
  const sandbox = await testSandbox();
  const { control } = sandbox;
  for (let placed = 0; placed < 160; placed += 1) await order(sandbox, { uid: `CUST00${10 + (placed % 20)}` });
  const token = await sandbox.companyToken();
  await sandbox.rewards(token).GET('/v1/partner/rewards', { params: { query: { limit: 5000 } } });
  await advance(sandbox, 2);
  await inPage(async (page) => {
    await open(page, sandbox);
    const { calls, failed, operations, validated, to } = ok(await control.GET('/activity/summary'));
    expect(to).toBeGreaterThan(1000);
    const pulse = panel(page, 'API calls per minute');
    await pulse.getByText(`${calls} in the last 30 minutes, ${failed} failed`).waitFor();
    const rows = await pulse.locator('tbody tr').allInnerTexts();
    expect(rows.map((text) => text.split(/\s+/).slice(0, 3))).toEqual(
      operations.slice(0, 6).map((one) => [one.operation, `${one.calls}`, `${one.failed}`]),
    );
    const right = validated.calls - validated.violating;
    expect(validated.violating).toBe(1);
    await panel(page, 'Contract violations')
      .getByText(`${right} of ${validated.calls} calls with messages as specified`)
      .waitFor();
    expect(ok(await control.GET('/findings')).items).toHaveLength(1);
    expect(await panel(page, 'Contract violations').locator('.row').count()).toBe(1);
    const parked = ok(await control.GET('/deliveries')).items.filter(({ status }) => status === 'parked').length;
    const differences = ok(await control.GET('/reconciliation')).items.length;
    const health = panel(page, 'Health');
    await health
      .getByRole('link', { name: `${differences}`, exact: true })
      .first()
      .waitFor();
    expect(await health.locator('dd').allInnerTexts()).toMatchObject({
      1: 'reference client',
      3: `${parked}`,
      4: `${differences}`,
    });
    await panel(page, 'Recent errors').getByText('In the newest 1,000 entries of the log.').waitFor();
    await page.getByRole('link', { name: 'Traffic', exact: true }).click();
    await page.getByText(/calls and changes, in the newest [\d,]+ entries of the log/).waitFor();
  });
}, 120_000);

it('OP-255: an own server that does not answer shows on the overview and on its screen within five seconds, as does its return', async () => {
  const sandbox = await testSandbox();
  ok(await sandbox.control.PATCH('/workspace', { body: { settings: { client_url: await closedPort() } } }));
  await inPage(async (page) => {
    await open(page, sandbox);
    page.setDefaultTimeout(5000);
    const health = panel(page, 'Health');
    await health.getByText('your server: not called yet').waitFor();
    await order(sandbox);
    await health.getByText('your server: no answer').waitFor();
    await health.getByText('ECONNREFUSED').waitFor();
    await panel(page, 'Next steps').getByText('has not answered a call with 2xx yet').waitFor();
    expect(await inspect(page, 'dashboard-overview-silent')).toEqual([]);
    await page.getByRole('link', { name: 'Your server', exact: true }).first().click();
    await panel(page, 'Client').getByText('your server: no answer').waitFor();
    await new PartnerServer().standIn(sandbox);
    ok(await order(sandbox));
    await panel(page, 'Client').getByText('your server: answers').waitFor();
    await page.getByRole('link', { name: 'Ledger and orders' }).click();
    await page.getByText('These are the customers and balances of the reference client').waitFor();
  });
}, 60_000);
