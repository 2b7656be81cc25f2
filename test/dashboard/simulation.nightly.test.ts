/** Tests the failures that the simulation screen injects, in a real browser: vendor outcomes, faults and magic values. */
import { expect, it } from 'vitest';
import { hostile } from '../harness/hostile.ts';
import { inspect } from '../harness/inspecting.ts';
import { ok, testSandbox } from '../harness/sandbox.ts';
import { confirm, copied, fill, open, press, reveal, row, screens, statusMessage } from './screens.ts';

const onScreen = screens();

it('vendor outcomes: changed items are listed; a search finds any other item, to change and restore it (OP-35, OP-76)', async () => {
  const sandbox = await testSandbox();
  const { control } = sandbox;
  const outcomes = async () =>
    ok(await control.GET('/vendor-outcomes')).items.filter(({ sku_code }) => !sku_code.startsWith('MAGIC-'));
  await onScreen(sandbox, '/simulation?view=outcomes', async (page) => {
    const { items } = ok(await control.GET('/catalogue'));
    await page.getByText('No changed outcomes').waitFor();
    expect(await page.locator('.rows .row:visible').count()).toBe(0);
    expect(await inspect(page, 'dashboard-outcomes-none')).toEqual([]);
    await page.getByLabel('Find').fill('spice 500');
    const matchCount = items.filter(({ sku_code }) => sku_code.startsWith('EGV-SPICE-500')).length;
    await statusMessage(page, `${matchCount} of ${items.length + 8} items`).waitFor();
    await expect.poll(() => page.url()).toMatch(/\?view=outcomes&q=spice\+500$/);
    await row(page, 'EGV-SPICE-500').filter({ hasText: 'Deliver, 2 s' }).click();
    await fill(page, {
      Outcome: 'reject',
      'Responds after in seconds of sandbox time': '30',
      Reason: 'Not sold in this region',
    });
    await press(page, 'Save outcome of EGV-SPICE-500', 'Saved. Applies to redemptions');
    const set = { outcome: 'reject', reason: 'Not sold in this region', times: null, delay_seconds: 30 };
    expect(await outcomes()).toEqual([{ sku_code: 'EGV-SPICE-500', ...set }]);
    await row(page, 'Reject, 30 s: Not sold in this region').waitFor();
    await page.getByLabel('Find').fill('');
    await statusMessage(page, '1 changed; all other items').waitFor();
    const shown = await page.locator('.rows .row:visible').allInnerTexts();
    expect(shown).toEqual([expect.stringContaining('Reject, 30 s: Not sold in this region')]);
    const address = page.url();
    expect(await inspect(page, 'dashboard-outcomes-open')).toEqual([]);
    await page.goto('about:blank');
    await page.goto(address);
    expect(await page.getByLabel('Reason').inputValue()).toBe('Not sold in this region');
    await reveal(page, 'Restore default', 'No changed outcomes');
    expect(await outcomes()).toEqual([]);

    await page.getByText('8 magic values with an outcome').click();
    for (const delay of ['Deliver, 1 h', 'Deliver, 3 d']) await row(page, delay).waitFor();
    const magic = ok(await control.GET('/magic-values')).items;
    const rowTexts = await page.locator('.rows .row', { hasText: 'MAGIC-' }).locator('.what').allInnerTexts();
    expect(rowTexts.length).toBe(8);
    for (const text of rowTexts) {
      const [name, sku] = text.split(/\n+/);
      expect(magic.find(({ value }) => value === sku)?.does).toBe(name);
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
  await onScreen(sandbox, '/simulation?view=faults', async (page) => {
    await page.getByText('No active faults').waitFor();
    await fill(page, {
      Operation: 'companyAuth',
      'What happens': 'latency',
      'Applies to': 'share',
      'Delay in real milliseconds': '5',
      'Share of calls in percent': '0',
    });
    expect(await inspect(page, 'dashboard-faults-empty')).toEqual([]);
    await page.getByRole('button', { name: 'Add fault' }).click();
    await row(page, 'companyAuth').filter({ hasText: '0% of calls' }).waitFor();
    await open(page, sandbox, '/simulation?view=faults&target=companyAuth&fault=status&often=times');
    await fill(page, { Status: '503', 'Number of calls': '2' });
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
    await confirm(page, 'Delete all faults');
    await page.getByText('No active faults').first().waitFor();
    expect(await faults()).toEqual([]);
    await fill(page, { Operation: 'catalogueUpdated', 'What happens': 'malformed' });
    await page.getByRole('button', { name: 'Add fault' }).click();
    const why = '/fault malformed has no effect on catalogueUpdated';
    await page.locator('.problem').filter({ hasText: why }).waitFor();
    expect(await faults()).toEqual([]);
  });
}, 60_000);

it('magic values: all are grouped by use, with their effect and a copy button (OP-75)', async () => {
  const sandbox = await testSandbox();
  const { items } = ok(await sandbox.control.GET('/magic-values'));
  await onScreen(sandbox, '/simulation?view=magic', async (page) => {
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
    expect(await copied(page, sandbox, 'Copy MAGIC-ZERO')).toBe('MAGIC-ZERO');
    await page.getByLabel('Find').fill('4503.01');
    await page.getByRole('row').nth(2).waitFor({ state: 'detached' });
    await page.getByRole('link', { name: 'Report payment of 4503.01' }).click();
    await expect.poll(() => page.getByLabel('Amount in INR').inputValue()).toBe('4503.01');
    await open(page, sandbox, '/simulation?view=magic&q=elephant');
    await page.getByText('No matches').waitFor();
  });
}, 60_000);
