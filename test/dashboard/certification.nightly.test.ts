/** Tests certifications on the "Your server" screen in a real browser, against a faulty and a correct partner server. */
import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { closesWithTest, httpServer } from '../harness/http-server.ts';
import { inspect } from '../harness/inspecting.ts';
import { startPartnerServer } from '../harness/partner/server.ts';
import { reported } from '../harness/reported.ts';
import { ok, testSandbox } from '../harness/sandbox.ts';
import { browserModule, confirm, fill, panel, press, screens, sees } from './screens.ts';

const onScreen = screens();
/** A run first loads the contracts, which takes time. */
const timeout = 120_000;

type Changes = readonly { readonly before: string; readonly verdict: { readonly id: string } }[];
const { changesOf } = await browserModule<{
  changesOf(before: unknown, after: unknown): Record<'fixed' | 'broken' | 'other', Changes>;
}>('server/verdicts.ts');

async function partner(mistake?: 'credit-twice') {
  const server = await startPartnerServer({ mistake });
  closesWithTest(() => server.close());
  return server.url;
}

/** Fills in and submits the form by keyboard, then waits until the run has ended. */
async function run(page: Page, id: string, address: string): Promise<void> {
  await fill(page, { Server: address, 'Service token': 'partner-service-token', 'One-time passwords': '' });
  await page.getByRole('button', { name: 'Run certification' }).press('Enter');
  await panel(page, `Run ${id}`).waitFor();
  await panel(page, `Run ${id}`).getByRole('button', { name: 'Delete run' }).waitFor();
}

it('a server that credits twice fails, and the screen says what to fix; a comparison then shows the effect of the fix', async () => {
  const sandbox = await testSandbox();
  const [wrong, right] = [await partner('credit-twice'), await partner()];
  await onScreen(sandbox, '/server', async (page) => {
    page.setDefaultTimeout(timeout);
    await page.getByRole('link', { name: 'Certification' }).click();
    await page.getByText('No certification runs yet').waitFor();
    expect(await inspect(page, 'dashboard-certification-empty')).toEqual([]);

    await run(page, 'CRT-000001', wrong);
    const row = page.getByRole('row').filter({ has: page.getByRole('rowheader', { name: 'creditPoints' }) });
    expect(await row.getByText(/^failed/).count()).toBeGreaterThan(0);
    const failure = panel(page, 'Failures').getByRole('listitem').filter({ hasText: 'CRD-02:' });
    await sees(failure, 'Store each transactionId with its credit', 'rewards-sandbox certify --only CRD-02');
    await failure.getByText(/^curl -i -X POST/).waitFor();
    await failure.locator('summary').press('Enter');
    await failure.getByText('Response to').first().waitFor({ state: 'attached' });
    expect(await inspect(page, 'dashboard-certification-failed')).toEqual([]);

    await run(page, 'CRT-000002', right);
    await page.getByText('No failures').waitFor();
    await page.getByRole('combobox', { name: 'Compare with' }).selectOption('CRT-000001');
    const compared = panel(page, 'Compare runs');
    await compared.getByRole('heading', { name: 'Fixed' }).waitFor();
    const fixed = compared.getByRole('listitem').filter({ hasText: 'CRD-02' });
    await fixed.getByText('failed, now passed').waitFor();
    expect(await compared.getByRole('heading', { name: 'Newly failing' }).count()).toBe(0);
    expect(await inspect(page, 'dashboard-certification-compared')).toEqual([]);

    // On a later visit, the screen opens with the result and a collapsed form.
    await page.reload();
    await panel(page, 'Run CRT-000002').waitFor();
    expect(await page.getByRole('button', { name: 'Run certification' }).isVisible()).toBe(false);
    expect(await inspect(page, 'dashboard-certification-returned')).toEqual([]);
    await page.locator('summary', { hasText: 'Run the certification' }).press('Enter');
    await page.getByRole('button', { name: 'Run certification' }).waitFor();

    // Compare in the other direction, from the page of the first run.
    await page.getByRole('link', { name: 'CRT-000001' }).click();
    await page.getByRole('combobox', { name: 'Compare with' }).selectOption('CRT-000002');
    await compared.getByRole('heading', { name: 'Newly failing' }).waitFor();
    await confirm(panel(page, 'Run CRT-000001'), 'Delete run');
    await panel(page, 'Run CRT-000002').waitFor();
  });
  const { items } = ok(await sandbox.control.GET('/certifications'));
  expect(items.map(({ id }) => id)).toEqual(['CRT-000002']);
}, 240_000);

it('the screen shows the progress of a run, can stop it, and reports a refused address', async () => {
  const sandbox = await testSandbox();
  // The server never responds, so the run continues until it is stopped.
  const { port } = await httpServer(() => {});
  await onScreen(sandbox, '/server?view=certification', async (page) => {
    page.setDefaultTimeout(timeout);
    await page.getByRole('textbox', { name: 'Server', exact: true }).fill('https://169.254.169.254');
    const button = page.getByRole('button', { name: 'Run certification' });
    await press(page, 'Run certification', 'Is this a test server?');
    await page.getByRole('button', { name: 'Yes, run certification' }).click();
    await page.locator('.problem').filter({ hasText: '/client_url must be a public address' }).waitFor();
    await page.getByRole('textbox', { name: 'Server', exact: true }).fill(`http://127.0.0.1:${port}`);
    await button.click();
    const runPanel = panel(page, 'Run CRT-000001');
    await runPanel.getByRole('progressbar').waitFor();
    await confirm(runPanel, 'Stop run');
    await page.getByText('No certification runs yet').waitFor();
  });
}, 120_000);

it('a comparison of two runs lists fixed, newly failing and otherwise changed requirements', () => {
  const before = reported({ 'CRD-01': 'fail', 'CRD-02': 'fail', 'CRD-03': 'pass', 'CRD-04': 'not_selected' });
  const after = reported({ 'CRD-01': 'pass', 'CRD-02': 'blocked', 'CRD-03': 'fail', 'CRD-04': 'pass' });
  const changes = Object.entries(changesOf(before.verdicts, after.verdicts));
  expect(changes.map(([kind, all]) => [kind, ...all.map((one) => `${one.verdict.id} ${one.before}`)])).toEqual([
    ['fixed', 'CRD-01 fail'],
    ['broken', 'CRD-03 pass'],
    ['other', 'CRD-02 fail', 'CRD-04 not_selected'],
  ]);
  expect(changesOf(after.verdicts, after.verdicts)).toEqual({ fixed: [], broken: [], other: [] });
});
