/** Tests the failures that the simulation screen injects, in a real browser: vendor outcomes, faults and magic values. */
import { expect, it } from 'vitest';
import { hostile } from '../harness/hostile.ts';
import { inspect, pagesOfBrowser } from '../harness/inspecting.ts';
import { redeem } from '../harness/orders.ts';
import { ok, testSandbox } from '../harness/sandbox.ts';
import { open, row, statusMessage } from './screens.ts';

const inPage = pagesOfBrowser();

it('vendor outcomes: changed items are listed; a search finds any other item, to change and restore it (OP-35, OP-76)', async () => {
  const sandbox = await testSandbox();
  const { control } = sandbox;
  const outcomes = async () =>
    ok(await control.GET('/vendor-outcomes')).items.filter(({ sku_code }) => !sku_code.startsWith('MAGIC-'));
  await inPage(async (page) => {
    await open(page, sandbox, '/simulation?view=outcomes');
    const { items } = ok(await control.GET('/catalogue'));
    await page.getByText('No changed outcomes').waitFor();
    expect(await page.locator('.rows .row:visible').count()).toBe(0);
    expect(await inspect(page, 'dashboard-outcomes-none')).toEqual([]);
    await page.getByLabel('Find').fill('spice 500');
    const matchCount = items.filter(({ sku_code }) => sku_code.startsWith('EGV-SPICE-500')).length;
    await statusMessage(page, `${matchCount} of ${items.length + 8} items`).waitFor();
    await expect.poll(() => page.url()).toMatch(/\?view=outcomes&q=spice\+500$/);
    await row(page, 'EGV-SPICE-500').filter({ hasText: 'Deliver, 2 s' }).click();
    await page.getByRole('combobox', { name: 'Outcome' }).selectOption('reject');
    await page.getByLabel('Responds after in seconds of sandbox time').fill('30');
    await page.getByLabel('Reason').fill('Not sold in this region');
    await page.getByRole('button', { name: 'Save outcome of EGV-SPICE-500' }).click();
    await statusMessage(page, 'Saved. Applies to redemptions').waitFor();
    const set = { outcome: 'reject', reason: 'Not sold in this region', times: null, delay_seconds: 30 };
    expect(await outcomes()).toEqual([{ sku_code: 'EGV-SPICE-500', ...set }]);
    await row(page, 'Reject, 30 s: Not sold in this region').waitFor();
    await page.getByLabel('Find').fill('');
    await statusMessage(page, '1 changed; all other items').waitFor();
    expect(await page.locator('.rows .row:visible').allInnerTexts()).toEqual([
      expect.stringContaining('Reject, 30 s: Not sold in this region'),
    ]);
    const address = page.url();
    expect(await inspect(page, 'dashboard-outcomes-open')).toEqual([]);
    await page.goto('about:blank');
    await page.goto(address);
    expect(await page.getByLabel('Reason').inputValue()).toBe('Not sold in this region');
    await page.getByRole('button', { name: 'Restore default' }).click();
    await page.getByText('No changed outcomes').waitFor();
    expect(await outcomes()).toEqual([]);

    await page.getByText('8 magic values with an outcome').click();
    for (const delay of ['Deliver, 1 h', 'Deliver, 3 d']) await row(page, delay).waitFor();
    const magic = ok(await control.GET('/magic-values')).items;
    const rowTexts = await page.locator('.rows .row', { hasText: 'MAGIC-' }).locator('.what').allInnerTexts();
    expect(rowTexts.length).toBe(8);
    for (const text of rowTexts) {
      const [name, sku] = text.split(/\n+/);
      expect({ sku, name }).toEqual({ sku, name: magic.find(({ value }) => value === sku)?.does });
    }
    const params = { path: { sku_code: 'EGV-CHAI-100' } };
    const [reason = ''] = hostile;
    ok(await control.PUT('/vendor-outcomes/{sku_code}', { params, body: { outcome: 'reject', reason } }));
    const [, skus = ''] = hostile;
    const body = { sku_code: 'EGV-HOSTILE-1', product_type: 'EGV', skus, stock: 1 } as const;
    ok(await control.POST('/catalogue', { body }));
    await row(page, `Reject, 2 s: ${reason}`).waitFor();
    expect(await inspect(page, 'dashboard-outcomes')).toEqual([]);
    await open(page, sandbox, '/simulation?view=outcomes&q=EGV-HOSTILE');
    await row(page, skus).waitFor();
    await open(page, sandbox, '/simulation?view=outcomes&q=elephant');
    await page.getByText('No matches').waitFor();
    await open(page, sandbox, '/simulation?view=outcomes&sku=NONE');
    await page.getByText('Item not found').waitFor();
  });
}, 60_000);

it('faults: a form adds them, the list counts the calls left, and deletion needs a confirmation (OP-70)', async () => {
  const sandbox = await testSandbox();
  const { control } = sandbox;
  const faults = async () => ok(await control.GET('/faults')).items;
  await inPage(async (page) => {
    await open(page, sandbox, '/simulation?view=faults');
    await page.getByText('No active faults').waitFor();
    await page.getByLabel('Operation').selectOption('companyAuth');
    await page.getByLabel('What happens').selectOption('latency');
    await page.getByLabel('Applies to').selectOption('share');
    await page.getByLabel('Delay in real milliseconds').fill('5');
    await page.getByLabel('Share of calls in percent').fill('0');
    expect(await inspect(page, 'dashboard-faults-empty')).toEqual([]);
    await page.getByRole('button', { name: 'Add fault' }).click();
    await row(page, 'companyAuth').filter({ hasText: '0% of calls' }).waitFor();
    await open(page, sandbox, '/simulation?view=faults&target=companyAuth&fault=status&often=times');
    await page.getByRole('spinbutton', { name: 'Status' }).fill('503');
    await page.getByRole('spinbutton', { name: 'Number of calls' }).fill('2');
    await page.getByRole('button', { name: 'Add fault' }).click();
    await row(page, '2 calls left').waitFor();
    expect(await page.getByLabel('What happens').inputValue()).toBe('status');
    expect(await faults()).toMatchObject([
      { target: 'companyAuth', fault: 'latency', ms: 5, share: 0, times: null },
      { target: 'companyAuth', fault: 'status', status: 503, share: null, times: 2, left: 2 },
    ]);
    const secret = sandbox.credentials.company_secret;
    expect((await sandbox.rewards().POST('/v1/company/auth', { body: { secret } })).response.status).toBe(503);
    await row(page, '1 call left').waitFor();
    expect(await inspect(page, 'dashboard-faults')).toEqual([]);
    await row(page, '1 call left').getByRole('button', { name: 'Delete fault' }).click();
    await statusMessage(page, 'Calls are no longer affected.').waitFor();
    expect(await faults()).toHaveLength(2);
    await page.getByRole('button', { name: 'Cancel fault' }).click();
    await row(page, '1 call left').getByRole('button', { name: 'Delete fault' }).click();
    await page.getByRole('button', { name: 'Yes, delete fault' }).click();
    await row(page, '1 call left').waitFor({ state: 'detached' });
    expect(await faults()).toHaveLength(1);
    await page.getByRole('button', { name: 'Delete all faults' }).click();
    await page.getByRole('button', { name: 'Yes, delete all faults' }).click();
    await page.getByText('No active faults').first().waitFor();
    expect(await faults()).toEqual([]);
    await page.getByLabel('Operation').selectOption('catalogueUpdated');
    await page.getByLabel('What happens').selectOption('malformed');
    await page.getByRole('button', { name: 'Add fault' }).click();
    const why = '/fault malformed has no effect on catalogueUpdated';
    await page.locator('.problem').filter({ hasText: why }).waitFor();
    expect(await faults()).toEqual([]);
  });
}, 60_000);

it('magic values: all are grouped by use, with their effect and a copy button (OP-75)', async () => {
  const sandbox = await testSandbox();
  const { items } = ok(await sandbox.control.GET('/magic-values'));
  await inPage(async (page) => {
    await open(page, sandbox, '/simulation?view=magic');
    await page.getByRole('row').nth(items.length).waitFor();
    expect(await page.getByRole('table').count()).toBeLessThan(items.length / 3);
    const cells = await page.getByRole('cell').allTextContents();
    expect(cells.map((text) => text.replaceAll(/\s+/g, ' ').trim())).toEqual(
      items.map(({ kind, value, does }) => (kind === 'amount' ? `${does} Report payment of ${value}` : does)),
    );
    for (const use of new Set(items.map(({ use }) => use)))
      expect(await page.getByText(use, { exact: true }).count()).toBeLessThanOrEqual(2);
    expect(await page.locator('th code').allInnerTexts()).toEqual(items.map(({ value }) => value));
    expect(await inspect(page, 'dashboard-magic')).toEqual([]);
    const origin = new URL(sandbox.urls.sandbox).origin;
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write'], { origin });
    await page.getByRole('button', { name: 'Copy MAGIC-ZERO' }).click();
    await page.getByRole('button', { name: 'Copied MAGIC-ZERO' }).waitFor();
    expect(await page.evaluate(() => navigator.clipboard.readText())).toBe('MAGIC-ZERO');
    await page.getByLabel('Find').fill('4503.01');
    await page.getByRole('row').nth(2).waitFor({ state: 'detached' });
    await page.getByRole('link', { name: 'Report payment of 4503.01' }).click();
    await expect.poll(() => page.getByLabel('Amount in INR').inputValue()).toBe('4503.01');
    await open(page, sandbox, '/simulation?view=magic&q=elephant');
    await page.getByText('No matches').waitFor();
  });
}, 60_000);

it('hostile names of items, customers and snapshots, and reasons of vendors, appear as text in each view', async () => {
  const sandbox = await testSandbox();
  const { control } = sandbox;
  for (const [index, text] of hostile.entries()) {
    const sku_code = `EGV-HOSTILE-${index}`;
    ok(await control.POST('/catalogue', { body: { sku_code, product_type: 'EGV', skus: text, stock: 1 } }));
    const reason = `${index}: ${text}`;
    const params = { path: { sku_code } };
    ok(await control.PUT('/vendor-outcomes/{sku_code}', { params, body: { outcome: 'reject', reason } }));
    ok(
      await control.POST('/customers', {
        body: { uid: `HOSTILE-${String(index).padStart(3, '0')}`, profile: { name: text } },
      }),
    );
  }
  const names = hostile.filter(({ length }) => length <= 100).slice(0, 20);
  for (const name of names) ok(await control.POST('/snapshots', { body: { name } }));
  const body = { redeemCode: await redeem(sandbox), status: 'Rejected', remark: hostile[0] ?? '' } as const;
  ok(await control.POST('/triggers/status_update', { body }));
  await inPage(async (page) => {
    await open(page, sandbox, '/simulation?view=outcomes&rows=500&q=HOSTILE');
    await statusMessage(page, `${hostile.length} of`).waitFor();
    const itemNames = await page.locator('.row .what strong').allTextContents();
    expect(itemNames.toSorted()).toEqual(hostile.toSorted());
    const outcomeTexts = await page.locator('.row .says').allTextContents();
    expect(outcomeTexts.toSorted()).toEqual(hostile.map((text, index) => `Reject, 2 s: ${index}: ${text}`).toSorted());
    await open(page, sandbox, '/simulation?view=outcomes&sku=EGV-HOSTILE-3');
    await page
      .locator('dd')
      .filter({ hasText: hostile[3] ?? '' })
      .first()
      .waitFor();
    expect(await page.getByLabel('Reason').inputValue()).toBe(`3: ${hostile[3]}`);
    await open(page, sandbox, '/simulation?view=triggers');
    await page.locator('option[value="HOSTILE-104"]').waitFor({ state: 'attached' });
    const options = await page.locator('option[value^="HOSTILE-"]').allTextContents();
    expect(options).toEqual(hostile.map((text, index) => `${text}, HOSTILE-${String(index).padStart(3, '0')}`));
    await open(page, sandbox, '/simulation?view=snapshots');
    await page
      .locator('.row')
      .nth(names.length - 1)
      .waitFor();
    expect(await page.locator('.row .what strong').allTextContents()).toEqual(names);
  });
}, 60_000);
