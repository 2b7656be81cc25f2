/** Tests the dashboard's list of redemptions, and the actions on a pending one, in a real browser. */
import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { inspect } from '../harness/inspecting.ts';
import { advance, kettle, redeem, vendorWill, voucher } from '../harness/orders.ts';
import { ok, testSandbox } from '../harness/sandbox.ts';
import { shell } from '../harness/shell.ts';
import { ledgerOf } from '../harness/state.ts';
import { open as openScreen, reveal, screens, waitForText } from './screens.ts';

const uid = 'CUST0007';
const voucherOrder = { line_items: [voucher], uid };
const onScreen = screens();

const rows = (page: Page) => page.locator('.listed');
const words = async (page: Page) =>
  (await rows(page).allInnerTexts()).map((text) => text.split(/[\n\t]+/).filter(Boolean));

it('lists redemptions as they happen, newest first, with retries and reasons of rejections (OP-68)', async () => {
  const sandbox = await testSandbox();
  await onScreen(sandbox, '/redemptions', async (page) => {
    await waitForText(page, 'No redemptions yet');
    expect(await inspect(page, 'dashboard-redemptions-empty')).toEqual([]);
    const commands = await page.getByLabel('Commands that place an order').innerText();
    const { redeemCode } = JSON.parse((await shell(commands)).stdout).lines[0];
    await waitForText(page, '1 of 1 redemptions');
    expect(await words(page)).toEqual([expect.arrayContaining([redeemCode, uid])]);
    ok(await sandbox.control.POST('/reset'));
    await waitForText(page, 'No redemptions yet');
    await vendorWill(sandbox, kettle.sku, { outcome: 'reject', reason: 'Not sold in this region' });
    const shipping_address = '12 Lake View Road, Bengaluru 560038';
    const first = await redeem(sandbox, { uid, line_items: [{ ...voucher, quantity: 2 }, kettle], shipping_address });
    await rows(page).nth(1).waitFor();
    await vendorWill(sandbox, 'EGV-CHAI-100', { outcome: 'fail_then_deliver', times: 2 });
    const second = await redeem(sandbox, { uid: 'CUST0010', line_items: [{ sku: 'EGV-CHAI-100', quantity: 1 }] });
    await waitForText(page, '3 of 3 redemptions');
    await advance(sandbox, 2);
    for (const text of ['1 retry', 'Not sold in this region', 'Delivered']) {
      await rows(page).getByText(text, { exact: true }).waitFor();
    }
    const { items } = ok(await sandbox.control.GET('/orders'));
    const [cart, chai] = items.map(({ order: { lines } }) => lines);
    const line = cart?.[1];
    expect(await words(page)).toEqual([
      ['Pending', chai?.[0]?.product_name, '1 retry', second, 'CUST0010', '100', expect.any(String)],
      ['Rejected', line?.product_name, 'Not sold in this region', line?.redeemCode, uid, '1,548', expect.any(String)],
      ['Delivered', `2 × ${cart?.[0]?.product_name}`, first, uid, '1,000', expect.any(String)],
    ]);
    expect(await inspect(page, 'dashboard-redemptions')).toEqual([]);
    await page.getByLabel('State').selectOption('Pending');
    await waitForText(page, '1 of 3 redemptions');
    await page.getByLabel('Find').fill('kettle');
    await waitForText(page, 'No matches');
    expect(new URL(page.url()).search).toBe('?state=Pending&q=kettle');
    const again = await page.context().newPage();
    await again.goto(page.url().replace('Pending', 'Rejected'));
    await waitForText(again, '1 of 3 redemptions');
    expect(await again.getByLabel('Find').inputValue()).toBe('kettle');
    await rows(again).getByRole('link').click();
    await again.getByRole('heading', { level: 1, name: line?.redeemCode ?? '' }).waitFor();
    await page.getByLabel('Find').fill('RDM-1');
    await page.getByRole('link', { name: 'open RDM-1' }).click();
    await page.getByText('Neither the platform nor the client has this redemption.').waitFor();
    expect(await inspect(page, 'dashboard-redemption-unknown')).toEqual([]);
  });
}, 120_000);

it('a pending redemption has a button for each next step: vendor, client, report, cancellation, time (OP-71, OP-127)', async () => {
  const sandbox = await testSandbox();
  const { control } = sandbox;
  await vendorWill(sandbox, voucher.sku, { outcome: 'never' });
  const codes: string[] = [];
  for (const _ of 'abcd') codes.push(await redeem(sandbox, voucherOrder));
  const sides = async (redeemCode = '') => {
    const path = { redeemCode };
    const { platform, client } = ok(await control.GET('/redemptions/{redeemCode}', { params: { path } }));
    return [platform?.state, client?.state];
  };
  await onScreen(sandbox, `/redemptions/${codes[0]}`, async (page) => {
    const open = async (code = '') => {
      await openScreen(page, sandbox, `/redemptions/${code}`);
      await page.getByText('The platform is waiting for the vendor.').waitFor();
    };
    await page.getByRole('button', { name: 'Deliver item' }).click();
    await waitForText(
      page,
      'The platform called the vendor. Outcome: deliver.',
      'No actions: this redemption is complete.',
    );
    expect(await sides(codes[0])).toEqual(['Delivered', 'Delivered']);

    ok(await control.POST('/faults', { body: { target: 'updateRedeemStatus', fault: 'reset', times: 1 } }));
    await open(codes[1]);
    await reveal(page, 'Reject item', 'The platform will notify the client in 5 s.');
    expect(await sides(codes[1])).toEqual(['Rejected', 'Pending']);
    expect(await inspect(page, 'dashboard-redemption-report-due')).toEqual([]);
    await reveal(page, 'Retry delivery', 'Retried.');
    await page.getByText('Ledger: +500 points, refunded, label Reversed').waitFor();
    expect(await sides(codes[1])).toEqual(['Rejected', 'Rejected']);

    await open(codes[2]);
    await reveal(page, 'Time out redemption', 'Timed out: the redemption is now Rejected at the client.');
    expect(await sides(codes[2])).toEqual(['Pending', 'Rejected']);

    await open(codes[3]);
    await reveal(
      page,
      'Cancel redemption',
      'Cancelled on the company’s behalf. The platform sent the client a status update.',
    );
    await page.getByText('The platform sent the vendor a cancellation: egift, accepted').waitFor();
    expect(await sides(codes[3])).toEqual(['Rejected', 'Rejected']);
    expect(await ledgerOf(sandbox, uid)).toMatchObject({ balance: 10_750 });
  });
}, 120_000);
