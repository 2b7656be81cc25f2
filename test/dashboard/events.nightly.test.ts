/** Tests triggers and the clock on the simulation screen in a real browser. */
import { expect, it } from 'vitest';
import { hostile } from '../harness/hostile.ts';
import { inspect } from '../harness/inspecting.ts';
import { redeem } from '../harness/orders.ts';
import { ok, testSandbox } from '../harness/sandbox.ts';
import { fill, open, press, row, screens, sees, statusMessage } from './screens.ts';

const onScreen = screens();

it('triggers: each event has a form, shows its outcome, and links to its traffic (OP-71)', async () => {
  const sandbox = await testSandbox();
  const { control } = sandbox;
  const stateOf = async (redeemCode: string) =>
    ok(await control.GET('/redemptions/{redeemCode}', { params: { path: { redeemCode } } })).client?.state;
  await onScreen(sandbox, '/simulation?view=triggers&amount=2500.00&uid=CUST0002', async (page) => {
    await sees(page, 'No redemptions yet', 'No redemption chosen');
    const [, , name = ''] = hostile;
    ok(await control.PATCH('/customers/{uid}', { params: { path: { uid: 'CUST0003' } }, body: { profile: { name } } }));
    await page.locator('option[value="CUST0003"]').filter({ hasText: name }).waitFor({ state: 'attached' });
    expect(await inspect(page, 'dashboard-triggers')).toEqual([]);
    await press(page, 'Report payment', '25 points will be credited to CUST0002.');
    await press(page, 'Run due jobs', '1 job ran.');
    const [one, other] = [await redeem(sandbox), await redeem(sandbox)];
    await page.getByRole('link', { name: other }).click();
    await expect.poll(() => new URL(page.url()).searchParams.get('code')).toBe(other);
    const answer = page.getByRole('form', { name: 'Vendor response' });
    await expect.poll(() => answer.locator('[name=redeemCode]').inputValue()).toBe(other);
    await answer.getByLabel('Outcome').selectOption('reject');
    await press(answer, 'Set outcome', 'The platform calls the vendor of EGV-SPICE-500 now. Outcome: reject.');
    await page.getByRole('button', { name: 'Run due jobs' }).click();
    await page.getByText('voucher 500, Rejected').first().waitFor({ state: 'attached' });
    expect(await stateOf(other)).toBe('Rejected');

    await page.locator('.filters').getByLabel('Redemption').selectOption(one);
    const update = page.getByRole('form', { name: 'status update' });
    await expect.poll(() => update.locator('[name=redeemCode]').inputValue()).toBe(one);
    await update.getByRole('combobox', { name: 'Status', exact: true }).selectOption('Delivered');
    await press(update, 'Send status update', 'The client accepted Delivered.');
    expect(await stateOf(one)).toBe('Delivered');
    const timeout = page.getByRole('form', { name: 'timeout' });
    await timeout.getByLabel('Client action').selectOption('reverse');
    await press(timeout, 'Time out redemption', 'The redemption is now Delivered at the client.');

    const cancellation = page.getByRole('form', { name: 'cancellation' });
    await expect.poll(() => cancellation.locator('[name=redeemCode]').inputValue()).toBe(one);
    await cancellation.getByLabel('Reason').fill('Ordered twice');
    await press(cancellation, 'Cancel redemption', `Cancelled: ${one}. The client is notified.`);

    const change = page.getByRole('form', { name: 'catalogue change' });
    await fill(change, { Item: 'EGV-CHAI-100', 'New stock in pieces': '3' });
    await press(change, 'Change item', 'EGV-CHAI-100 updated: 0 webhooks are notified.');
    const stock = async () =>
      ok(await control.GET('/catalogue')).items.find(({ sku_code }) => sku_code === 'EGV-CHAI-100')?.stock;
    expect(await stock()).toBe(3);
    await fill(change, { Item: 'EGV-CHAI-100', Change: 'removed' });
    await press(change, 'Change item', 'EGV-CHAI-100 will be removed from the catalogue.');
    expect(await stock()).toBe(3);
    expect(await inspect(page, 'dashboard-triggers-done')).toEqual([]);
    await press(change, 'Yes, change item', 'EGV-CHAI-100 removed');
    expect(await stock()).toBeUndefined();
    await update.getByRole('button').click();
    await statusMessage(page, 'The client accepted Delivered.').getByRole('link', { name: 'View in Traffic' }).click();
    await page.locator('a.row').filter({ hasText: 'updateRedeemStatus' }).first().waitFor();
    await page.locator('a.row').filter({ hasText: 'triggerStatusUpdate' }).waitFor();

    // A URL can name a redemption that does not exist. The form explains why it is refused.
    await open(page, sandbox, '/simulation?view=triggers&code=RDM-NONE');
    await expect.poll(() => update.locator('[name=redeemCode]').inputValue()).toBe('RDM-NONE');
    await update.getByRole('button').click();
    await update.locator('.problem').waitFor();
  });
}, 60_000);

it('clock: shows its time, advances by a preset or any duration, runs due jobs, and lists the jobs that ran', async () => {
  const sandbox = await testSandbox();
  const { control } = sandbox;
  const seconds = async () => Date.parse(ok(await control.GET('/clock')).now) / 1000;
  await onScreen(sandbox, '/simulation?view=clock', async (page) => {
    await sees(page, 'The clock is frozen', 'No jobs have run from here yet');
    const start = await seconds();
    expect(await page.locator('time.face').getAttribute('datetime')).toBe(ok(await control.GET('/clock')).now);
    await redeem(sandbox);
    await page.getByLabel('Advance by in seconds of sandbox time').fill('2');
    await page.getByRole('button', { name: 'Advance clock' }).click();
    await row(page, 'fulfilLine').waitFor();
    await row(page, 'reportStatus').waitFor();
    expect(await seconds()).toBe(start + 2);
    expect(await inspect(page, 'dashboard-clock')).toEqual([]);
    for (const [label, step] of Object.entries({ '1 minute': 60, '5 minutes': 300, '1 hour': 3600, '1 day': 86_400 })) {
      const after = (await seconds()) + step;
      await page.getByRole('button', { name: `Advance ${label}` }).click();
      await page.locator(`time.face[datetime="${new Date(after * 1000).toISOString()}"]`).waitFor();
      expect(await seconds()).toBe(after);
    }
    ok(await control.POST('/triggers/payment', { body: {} }));
    await page.getByRole('button', { name: 'Run due jobs' }).click();
    await row(page, 'creditPoints').waitFor();
    const { now } = ok(await control.POST('/clock/advance', { body: { seconds: 7 } }));
    await page.locator(`time.face[datetime="${now}"]`).waitFor();
  });
}, 60_000);

it('the page shows that a running clock advances', async () => {
  const sandbox = await testSandbox({ clock: 'running' });
  await onScreen(sandbox, '/simulation?view=clock', async (page) => {
    await page.getByText('The clock is running').waitFor();
    const first = (await page.locator('time.face').getAttribute('datetime')) ?? '';
    await expect.poll(() => page.locator('time.face').getAttribute('datetime'), { timeout: 15_000 }).not.toBe(first);
  });
});
