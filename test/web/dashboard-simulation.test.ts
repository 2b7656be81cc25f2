/** The simulation screen in a real browser: each view against the control API, what it does, and how it follows. */
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { order, voucher } from '../platform/orders.ts';
import { ok, type TestSandbox, testSandbox } from '../sandbox.ts';
import { type Launched, launch } from './browser.ts';
import { hostile } from './hostile.ts';
import { inspect, withPage } from './inspecting.ts';

let launched: Launched;

beforeAll(async () => {
  launched = await launch();
}, 120_000);

afterAll(() => launched.close());

const inPage = (use: (page: Page) => Promise<void>) => withPage(launched.browser, use);
const panel = (page: Page, name: string) => page.getByRole('region', { name, exact: true });
const row = (page: Page, text: string) => page.locator('.row').filter({ hasText: text });
const told = (page: Page, text: string) => page.getByRole('status').filter({ hasText: text });

/** Opens a view, and waits until it follows what happens. */
async function open(page: Page, { urls }: TestSandbox, query: string): Promise<void> {
  page.setDefaultTimeout(8000);
  await page.goto(`${urls.dashboard}/simulation?${query}`);
  await page.locator('#live.live').waitFor();
}

/** An order that waits for its vendor. Answers its redeem code. */
async function pending(sandbox: TestSandbox): Promise<string> {
  const placed = ok(await order(sandbox, { line_items: [voucher] }));
  return placed.lines[0]?.redeemCode ?? '';
}

it('vendor outcomes: every item with what its vendor will do, found by text, set and taken back (OP-35, OP-76)', async () => {
  const sandbox = await testSandbox();
  const { control } = sandbox;
  const outcomes = async () =>
    ok(await control.GET('/vendor-outcomes')).items.filter(({ sku_code }) => !sku_code.startsWith('MAGIC-'));
  await inPage(async (page) => {
    await open(page, sandbox, 'view=outcomes');
    const { items } = ok(await control.GET('/catalogue'));
    await told(page, 'items, 8 with an outcome').waitFor();
    await page.getByLabel('Find').fill('spice 500');
    const found = items.filter(({ sku_code }) => sku_code.startsWith('EGV-SPICE-500')).length;
    await told(page, `${found} of ${items.length + 8} items`).waitFor();
    await expect.poll(() => page.url()).toMatch(/\?view=outcomes&q=spice\+500$/);
    await row(page, 'EGV-SPICE-500').filter({ hasText: 'Deliver, 2 s' }).click();
    await page.getByLabel('The vendor will').selectOption('reject');
    await page.getByLabel('Answers after in seconds of sandbox time').fill('30');
    await page.getByLabel('Reason').fill('Not sold in this region');
    await page.getByRole('button', { name: 'Set outcome of EGV-SPICE-500' }).click();
    await told(page, 'Set: it counts').waitFor();
    const set = { outcome: 'reject', reason: 'Not sold in this region', times: null, delay_seconds: 30 };
    expect(await outcomes()).toEqual([{ sku_code: 'EGV-SPICE-500', ...set }]);
    await row(page, 'Reject, 30 s: Not sold in this region').waitFor();
    const address = page.url();
    expect(await inspect(page, 'dashboard-outcomes-open')).toEqual([]);
    await page.goto('about:blank');
    await page.goto(address);
    expect(await page.getByLabel('Reason').inputValue()).toBe('Not sold in this region');
    await page.getByRole('button', { name: 'Back to the default' }).click();
    await row(page, 'Deliver, 2 s').waitFor();
    expect(await outcomes()).toEqual([]);

    await open(page, sandbox, 'view=outcomes&only=set');
    await told(page, '8 of 148 items').waitFor();
    const params = { path: { sku_code: 'EGV-CHAI-100' } };
    const [reason = ''] = hostile;
    ok(await control.PUT('/vendor-outcomes/{sku_code}', { params, body: { outcome: 'reject', reason } }));
    const [, skus = ''] = hostile;
    const body = { sku_code: 'EGV-HOSTILE-1', product_type: 'EGV', skus, stock: 1 } as const;
    ok(await control.POST('/catalogue', { body }));
    await row(page, `Reject, 2 s: ${reason}`).waitFor();
    expect(await inspect(page, 'dashboard-outcomes')).toEqual([]);
    await open(page, sandbox, 'view=outcomes&q=EGV-HOSTILE');
    await row(page, skus).waitFor();
    await open(page, sandbox, 'view=outcomes&q=elephant');
    await page.getByText('No item fits').waitFor();
    await open(page, sandbox, 'view=outcomes&sku=NONE');
    await page.getByText('There is no such item').waitFor();
  });
}, 60_000);

it('faults: those that are left as calls meet them, set by a form, deleted once one has said yes (OP-70)', async () => {
  const sandbox = await testSandbox();
  const { control } = sandbox;
  const faults = async () => ok(await control.GET('/faults')).items;
  await inPage(async (page) => {
    await open(page, sandbox, 'view=faults');
    await page.getByText('No call meets a fault').waitFor();
    await page.getByLabel('Operation').selectOption('companyAuth');
    await page.getByLabel('What happens').selectOption('latency');
    await page.getByLabel('How often').selectOption('share');
    await page.getByLabel('Late by in real milliseconds').fill('5');
    await page.getByLabel('How large a part in percent').fill('0');
    expect(await inspect(page, 'dashboard-faults-empty')).toEqual([]);
    await page.getByRole('button', { name: 'Set a fault' }).click();
    await row(page, 'companyAuth').filter({ hasText: '0 % of calls' }).waitFor();
    await open(page, sandbox, 'view=faults&target=companyAuth&fault=status&often=times');
    await page.getByRole('spinbutton', { name: 'Status' }).fill('503');
    await page.getByLabel('How many in calls').fill('2');
    await page.getByRole('button', { name: 'Set a fault' }).click();
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
    await told(page, 'Its calls go through again.').waitFor();
    expect(await faults()).toHaveLength(2);
    await page.getByRole('button', { name: 'Cancel fault' }).click();
    await row(page, '1 call left').getByRole('button', { name: 'Delete fault' }).click();
    await page.getByRole('button', { name: 'Yes, delete fault' }).click();
    await row(page, '1 call left').waitFor({ state: 'detached' });
    expect(await faults()).toHaveLength(1);
    await page.getByRole('button', { name: 'Delete all' }).click();
    await page.getByRole('button', { name: 'Yes, delete all' }).click();
    await page.getByText('No call meets a fault').first().waitFor();
    expect(await faults()).toEqual([]);
  });
}, 60_000);

it('triggers: each event with its form, its outcome, and the way to it in the traffic (OP-71)', async () => {
  const sandbox = await testSandbox();
  const { control } = sandbox;
  const stateOf = async (redeemCode: string) =>
    ok(await control.GET('/redemptions/{redeemCode}', { params: { path: { redeemCode } } })).client?.state;
  await inPage(async (page) => {
    await open(page, sandbox, 'view=triggers&amount=2500.00&uid=CUST0002');
    await page.getByText('There is none yet').waitFor();
    const [, , name = ''] = hostile;
    ok(await control.PATCH('/customers/{uid}', { params: { path: { uid: 'CUST0003' } }, body: { profile: { name } } }));
    await page.locator('option[value="CUST0003"]').filter({ hasText: name }).waitFor({ state: 'attached' });
    expect(await inspect(page, 'dashboard-triggers')).toEqual([]);
    await page.getByRole('button', { name: 'Pay payment' }).click();
    await told(page, '25 points will be credited to CUST0002.').waitFor();
    await page.getByRole('button', { name: 'Settle' }).click();
    await told(page, '1 piece of work ran.').waitFor();
    const [one, other] = [await pending(sandbox), await pending(sandbox)];
    await page.getByRole('link', { name: other }).click();
    await expect.poll(() => new URL(page.url()).searchParams.get('code')).toBe(other);
    const answer = page.getByRole('form', { name: "vendor's answer" });
    await expect.poll(() => answer.getByLabel('Redemption').inputValue()).toBe(other);
    await answer.getByLabel('The vendor will').selectOption('reject');
    await answer.getByRole('button').click();
    await told(page, 'The vendor of EGV-SPICE-500 is asked at once, and will reject.').waitFor();
    await page.getByRole('button', { name: 'Settle' }).click();
    await page.getByText('voucher 500, Rejected').first().waitFor({ state: 'attached' });
    expect(await stateOf(other)).toBe('Rejected');

    await page.getByLabel('Redemption for the triggers').fill(one);
    const update = page.getByRole('form', { name: 'status update' });
    await expect.poll(() => update.getByLabel('Redemption').inputValue()).toBe(one);
    await update.getByRole('combobox', { name: 'Status', exact: true }).selectOption('Delivered');
    await update.getByRole('button').click();
    await told(page, 'The client took Delivered.').waitFor();
    expect(await stateOf(one)).toBe('Delivered');
    await update.getByLabel('Redemption').fill('RDM-NONE');
    await update.getByRole('button').click();
    await update.locator('.problem').waitFor();
    const timeout = page.getByRole('form', { name: 'timeout' });
    await timeout.getByLabel('The client will').selectOption('reverse');
    await timeout.getByRole('button').click();
    await told(page, 'At the client it is Delivered now.').waitFor();

    const change = page.getByRole('form', { name: 'catalogue change' });
    await change.getByLabel('Item').fill('EGV-CHAI-100');
    await change.getByLabel('New stock in pieces').fill('3');
    await change.getByRole('button').click();
    await told(page, 'EGV-CHAI-100 updated: 0 webhooks are told.').waitFor();
    const chai = async () =>
      ok(await control.GET('/catalogue')).items.find(({ sku_code }) => sku_code === 'EGV-CHAI-100');
    expect((await chai())?.stock).toBe(3);
    await change.getByLabel('Item').fill('EGV-CHAI-100');
    await change.getByRole('combobox', { name: 'Change' }).selectOption('removed');
    await change.getByRole('button').click();
    await told(page, 'EGV-CHAI-100 goes from the catalogue.').waitFor();
    expect((await chai())?.stock).toBe(3);
    expect(await inspect(page, 'dashboard-triggers-done')).toEqual([]);
    await change.getByRole('button').click();
    await told(page, 'EGV-CHAI-100 removed').waitFor();
    expect(await chai()).toBeUndefined();
    await update.getByLabel('Redemption').fill(one);
    await update.getByRole('button').click();
    await told(page, 'The client took Delivered.').getByRole('link', { name: 'See it in the traffic' }).click();
    await page.locator('a.row').filter({ hasText: 'updateRedeemStatus' }).first().waitFor();
    await page.locator('a.row').filter({ hasText: 'triggerStatusUpdate' }).waitFor();
  });
}, 60_000);

it('clock: where it stands, moved by steps, by any, and settled; what ran', async () => {
  const sandbox = await testSandbox();
  const { control } = sandbox;
  const seconds = async () => Date.parse(ok(await control.GET('/clock')).now) / 1000;
  await inPage(async (page) => {
    await open(page, sandbox, 'view=clock');
    await page.getByText('Time stands still').waitFor();
    await page.getByText('Nothing was run from here yet').waitFor();
    const start = await seconds();
    expect(await page.locator('time.face').getAttribute('datetime')).toBe(ok(await control.GET('/clock')).now);
    await pending(sandbox);
    await page.getByLabel('Advance by in seconds of sandbox time').fill('2');
    await page.getByRole('button', { name: 'Advance the clock' }).click();
    await row(page, 'fulfilLine').waitFor();
    await row(page, 'reportStatus').waitFor();
    expect(await seconds()).toBe(start + 2);
    expect(await inspect(page, 'dashboard-clock')).toEqual([]);
    for (const [label, step] of [
      ['1 minute', 60],
      ['5 minutes', 300],
      ['1 hour', 3600],
      ['1 day', 86_400],
    ] as const) {
      const before = await seconds();
      const { now } = ok(await control.GET('/clock'));
      const after = new Date(Date.parse(now) + step * 1000).toISOString();
      await page.getByRole('button', { name: `Advance ${label}` }).click();
      await page.locator(`time.face[datetime="${after}"]`).waitFor();
      expect(await seconds()).toBe(before + step);
    }
    ok(await control.POST('/triggers/payment', { body: {} }));
    await page.getByRole('button', { name: 'Settle' }).click();
    await row(page, 'creditPoints').waitFor();
    const { now } = ok(await control.POST('/clock/advance', { body: { seconds: 7 } }));
    await page.locator(`time.face[datetime="${now}"]`).waitFor();
  });
}, 60_000);

it('a clock that runs is seen to run', async () => {
  const sandbox = await testSandbox({ clock: 'running' });
  await inPage(async (page) => {
    await open(page, sandbox, 'view=clock');
    await page.getByText('Time runs by itself').waitFor();
    const first = (await page.locator('time.face').getAttribute('datetime')) ?? '';
    await expect.poll(() => page.locator('time.face').getAttribute('datetime'), { timeout: 8000 }).not.toBe(first);
  });
});

it('magic values: all of them, what they do, how to use them, to copy (OP-75)', async () => {
  const sandbox = await testSandbox();
  const { items } = ok(await sandbox.control.GET('/magic-values'));
  await inPage(async (page) => {
    await open(page, sandbox, 'view=magic');
    await page.getByRole('row').nth(items.length).waitFor();
    const cells = await page.getByRole('cell').allTextContents();
    expect(cells.map((text) => text.replaceAll(/\s+/g, ' ').trim())).toEqual(
      items.flatMap(({ kind, value, does, use }) => [
        does,
        kind === 'amount' ? `${use} Let a customer pay it ${value}` : use,
      ]),
    );
    expect(await page.locator('th code').allInnerTexts()).toEqual(items.map(({ value }) => value));
    expect(await inspect(page, 'dashboard-magic')).toEqual([]);
    const origin = new URL(sandbox.urls.sandbox).origin;
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write'], { origin });
    await page.getByRole('button', { name: 'Copy MAGIC-ZERO' }).click();
    await page.getByRole('button', { name: 'Copied MAGIC-ZERO' }).waitFor();
    expect(await page.evaluate(() => navigator.clipboard.readText())).toBe('MAGIC-ZERO');
    await page.getByLabel('Find').fill('4422.02');
    await page.getByRole('row').nth(2).waitFor({ state: 'detached' });
    await page.getByRole('link', { name: 'Let a customer pay it 4422.02' }).click();
    await expect.poll(() => page.getByLabel('Amount in INR').inputValue()).toBe('4422.02');
    await open(page, sandbox, 'view=magic&q=elephant');
    await page.getByText('No magic value fits').waitFor();
  });
}, 60_000);

it('snapshots: taken under any name, restored and deleted once one has said yes, forked (OP-64)', async () => {
  const sandbox = await testSandbox();
  const { control } = sandbox;
  const names = async () => ok(await control.GET('/snapshots')).items.map(({ name }) => name);
  const [name = ''] = hostile;
  await inPage(async (page) => {
    await open(page, sandbox, 'view=snapshots');
    await page.getByText('No snapshot was taken').waitFor();
    expect(await inspect(page, 'dashboard-snapshots-empty')).toEqual([]);
    await page.getByLabel('Name').fill(name);
    await page.getByRole('button', { name: 'Take a snapshot' }).click();
    await row(page, name).waitFor();
    ok(await control.POST('/snapshots', { body: { name: 'from elsewhere' } }));
    await row(page, 'from elsewhere').waitFor();
    expect(await names()).toEqual([name, 'from elsewhere']);

    await pending(sandbox);
    await page.getByRole('button', { name: 'Restore snapshot SNP-000001' }).click();
    await row(page, 'What was done since is lost.').waitFor();
    expect(ok(await control.GET('/orders')).items).toHaveLength(1);
    await page.getByRole('button', { name: 'Yes, restore snapshot SNP-000001' }).click();
    await told(page, 'Everything is as it was then.').waitFor();
    expect(ok(await control.GET('/orders')).items).toEqual([]);

    await page.getByRole('button', { name: 'Fork snapshot SNP-000001' }).click();
    const made = page.getByRole('region', { name: /^Workspace ws_/ });
    await made.waitFor();
    expect(await inspect(page, 'dashboard-snapshots')).toEqual([]);
    await page.getByRole('button', { name: 'Delete snapshot SNP-000002' }).click();
    await page.getByRole('button', { name: 'Yes, delete snapshot SNP-000002' }).click();
    await row(page, 'from elsewhere').waitFor({ state: 'detached' });
    expect(await names()).toEqual([name]);
  });
}, 60_000);

it('workspaces: made with seed, clock and settings, opened in this tab, deleted; settings; back to the seed (OP-63)', async () => {
  const sandbox = await testSandbox();
  const { control, urls } = sandbox;
  const settings = async () => ok(await control.GET('/workspace')).settings;
  await inPage(async (page) => {
    await open(page, sandbox, 'view=workspaces');
    const form = page.getByRole('form', { name: 'settings' });
    await form.waitFor();
    await page.getByText('The demo workspace cannot be deleted.').waitFor();
    await form.getByRole('button').click();
    await told(page, 'Nothing has changed.').waitFor();
    const before = await settings();
    const sent = page.waitForRequest((request) => request.method() === 'PATCH');
    await form.getByLabel('Earned for each 100 INR paid in points').fill('3');
    await form.getByLabel('One point is worth in INR').fill('0.50');
    await form.getByRole('combobox', { name: 'Pending for too long' }).selectOption('reverse');
    await form.getByLabel('Whose pages may frame the portal').fill('https://client.example\nhttps://other.example');
    await form.getByRole('button').click();
    const change = {
      points_per_100_inr: 3,
      point_value_inr: '0.50',
      on_timeout: 'reverse',
      frame_ancestors: ['https://client.example', 'https://other.example'],
    } as const;
    expect((await sent).postDataJSON()).toEqual({ settings: change });
    await told(page, 'Changed: points_per_100_inr').waitFor();
    expect(await settings()).toEqual({ ...before, ...change });
    await form.getByLabel('Who may call the rewards API').fill('no range');
    await form.getByRole('button').click();
    await form.locator('.problem').filter({ hasText: '/settings/allowlist/0' }).waitFor();

    const maker = page.getByRole('form', { name: 'a workspace' });
    await maker.getByLabel('Seed').fill('build-4711');
    await maker.getByLabel('Clock').selectOption('frozen');
    await maker.getByLabel('Settings').selectOption('these');
    await maker.getByRole('button').click();
    const made = page.getByRole('region', { name: /^Workspace ws_/ });
    await made.waitFor();
    expect(await inspect(page, 'dashboard-workspaces')).toEqual([]);
    const token = (await made.locator('dd code').first().innerText()).trim();
    await made.getByRole('button', { name: 'Open its dashboard' }).click();
    await page.getByText('Live, by admin token').waitFor();
    const headers = { authorization: `Bearer ${token}` };
    const theirs = (await (await fetch(`${urls.sandbox}/workspace`, { headers })).json()) as {
      id: string;
      settings: object;
    };
    expect(theirs.settings).toMatchObject(change);
    await panel(page, 'This workspace').getByText(theirs.id).waitFor();
    await page.getByRole('button', { name: 'Delete this workspace' }).click();
    await told(page, 'It goes with its snapshots').waitFor();
    await page.getByRole('button', { name: 'Yes, delete this workspace' }).click();
    await panel(page, 'This workspace').getByText('demo', { exact: true }).waitFor();
    expect((await fetch(`${urls.sandbox}/workspace`, { headers })).status).toBe(401);

    await pending(sandbox);
    // The second click of a double click is no answer.
    await page.getByRole('button', { name: 'Reset this workspace' }).dblclick({ delay: 100 });
    await told(page, 'Everything since the start is lost.').waitFor();
    expect(ok(await control.GET('/orders')).items).toHaveLength(1);
    await page.getByRole('button', { name: 'Yes, reset this workspace' }).click();
    await told(page, 'Everything is as it was at the start.').waitFor();
    expect(ok(await control.GET('/orders')).items).toEqual([]);
    await expect.poll(() => form.getByLabel('Earned for each 100 INR paid in points').inputValue()).toBe('1');
    expect(await settings()).toEqual(before);
  });
}, 60_000);

it('hostile names of items, customers and snapshots, and reasons of vendors, are text in each view', async () => {
  const sandbox = await testSandbox();
  const { control } = sandbox;
  for (const [index, text] of hostile.entries()) {
    const sku_code = `EGV-HOSTILE-${index}`;
    ok(await control.POST('/catalogue', { body: { sku_code, product_type: 'EGV', skus: text, stock: 1 } }));
    const reason = `${index}: ${text}`;
    const params = { path: { sku_code } };
    ok(await control.PUT('/vendor-outcomes/{sku_code}', { params, body: { outcome: 'reject', reason } }));
    ok(await control.POST('/customers', { body: { uid: `HOSTILE-${index}`, profile: { name: text } } }));
  }
  const names = hostile.filter(({ length }) => length <= 100).slice(0, 20);
  for (const name of names) ok(await control.POST('/snapshots', { body: { name } }));
  const body = { redeemCode: await pending(sandbox), status: 'Rejected', remark: hostile[0] ?? '' } as const;
  ok(await control.POST('/triggers/status_update', { body }));
  await inPage(async (page) => {
    await open(page, sandbox, 'view=outcomes&rows=500&q=HOSTILE');
    await told(page, `${hostile.length} of`).waitFor();
    const shown = await page.locator('.row .what strong').allTextContents();
    expect(shown.toSorted()).toEqual(hostile.toSorted());
    const said = await page.locator('.row .says').allTextContents();
    expect(said.toSorted()).toEqual(hostile.map((text, index) => `Reject, 2 s: ${index}: ${text}`).toSorted());
    await open(page, sandbox, 'view=outcomes&sku=EGV-HOSTILE-3');
    await page
      .locator('dd')
      .filter({ hasText: hostile[3] ?? '' })
      .first()
      .waitFor();
    expect(await page.getByLabel('Reason').inputValue()).toBe(`3: ${hostile[3]}`);
    await open(page, sandbox, 'view=triggers');
    await page.locator('option[value="HOSTILE-104"]').waitFor({ state: 'attached' });
    const options = await page.locator('option[value^="HOSTILE-"]').allTextContents();
    expect(options).toEqual(hostile);
    await open(page, sandbox, 'view=snapshots');
    await page
      .locator('.row')
      .nth(names.length - 1)
      .waitFor();
    expect(await page.locator('.row .what strong').allTextContents()).toEqual(names);
  });
}, 60_000);
