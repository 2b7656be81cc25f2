/** Tests the dashboard's numbers in a real browser. The control API computes each number, unless the page states which part it covers. */
import { expect, it } from 'vitest';
import { closedPort } from '../harness/http-server.ts';
import { inspect } from '../harness/inspecting.ts';
import { advance, order } from '../harness/orders.ts';
import { PartnerServer } from '../harness/partner-server.ts';
import { ok, testSandbox } from '../harness/sandbox.ts';
import { panel, screens, sees } from './screens.ts';

const onScreen = screens();

it('OP-255: after 160 orders each number of the overview is that of the control API, also where the page has read a part of the log', async () => {
  const sandbox = await testSandbox();
  const { control } = sandbox;
  for (let placed = 0; placed < 160; placed += 1) await order(sandbox, { uid: `CUST00${10 + (placed % 20)}` });
  const token = await sandbox.companyToken();
  await sandbox.rewards(token).GET('/v1/partner/rewards', { params: { query: { limit: 5000 } } });
  await advance(sandbox, 2);
  await onScreen(sandbox, '/', async (page) => {
    const { calls, failed, operations, validated, to } = ok(await control.GET('/activity/summary'));
    expect(to).toBeGreaterThan(1000);
    const pulse = panel(page, 'API calls per minute');
    await pulse.getByText(`${calls} in the last 30 minutes, ${failed} failed`).waitFor();
    const rows = await pulse.locator('tbody tr').allInnerTexts();
    expect(rows.map((text) => text.split(/\s+/).slice(0, 3))).toEqual(
      operations.slice(0, 6).map((one) => [one.operation, `${one.calls}`, `${one.failed}`]),
    );
    expect(validated.violating).toBe(1);
    const violations = panel(page, 'Contract violations');
    await sees(violations, `${validated.calls - 1} of ${validated.calls} calls with messages as specified`);
    expect(ok(await control.GET('/findings')).items).toHaveLength(1);
    expect(await violations.locator('.row').count()).toBe(1);
    const parked = ok(await control.GET('/deliveries')).items.filter(({ status }) => status === 'parked').length;
    const differences = ok(await control.GET('/reconciliation')).items.length;
    const health = panel(page, 'Health');
    const figures = async () => (await health.locator('dd').allInnerTexts()).toSpliced(2, 1).slice(1);
    await expect.poll(figures).toEqual(['reference client', `${parked}`, `${differences}`]);
    await panel(page, 'Recent errors').getByText('In the newest 1,000 entries of the log.').waitFor();
    await page.getByRole('link', { name: 'Traffic', exact: true }).click();
    await page.getByText(/calls and changes, in the newest [\d,]+ entries of the log/).waitFor();
  });
}, 120_000);

it('OP-255: an own server that does not answer shows on the overview and on its screen within five seconds, as does its return', async () => {
  const sandbox = await testSandbox();
  ok(await sandbox.control.PATCH('/workspace', { body: { settings: { client_url: await closedPort() } } }));
  await onScreen(sandbox, '/', async (page) => {
    page.setDefaultTimeout(5000);
    const health = panel(page, 'Health');
    await health.getByText('your server: not called yet').waitFor();
    await order(sandbox);
    await sees(health, 'your server: no answer', 'ECONNREFUSED');
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
