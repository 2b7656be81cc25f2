/** Tests the dashboard's customers, orders and reconciliation in a real browser. */
import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { redemption } from '../harness/client-requests.ts';
import { failing } from '../harness/faults.ts';
import { inspect } from '../harness/inspecting.ts';
import { advance, kettle, order, vendorWill, voucher } from '../harness/orders.ts';
import { PartnerServer } from '../harness/partner-server.ts';
import { ok, testSandbox } from '../harness/sandbox.ts';
import { fill, panel, press, reveal, screens, sees, statusMessage, waitForText } from './screens.ts';

const uid = 'CUST0007';
const shipping_address = '12 Lake View Road, Bengaluru 560038';
const onScreen = screens();

const figure = (points: number) => points.toLocaleString('en-IN');
/** Returns the cell texts of the ledger without timestamps. */
const cells = (page: Page) =>
  page.locator('.entries-table tbody tr').evaluateAll((rows) =>
    rows.map((row) => {
      const parts = row.querySelectorAll('td > a, td > span:not(.quiet), .badge, td:not(:first-child)');
      return [...parts].map((part) => part.textContent);
    }),
  );

it('a customer: profile, balance, and each ledger entry with its label and the balance after it (OP-68)', async () => {
  const sandbox = await testSandbox();
  const { control } = sandbox;
  await vendorWill(sandbox, kettle.sku, { outcome: 'reject' });
  await onScreen(sandbox, '/ledger', async (page) => {
    await waitForText(page, '31 of 31 customers');
    const { items } = ok(await control.GET('/customers'));
    expect(await page.locator('.row').allInnerTexts()).toEqual(
      items.map((one) => `${one.profile.name}\n${one.uid}\n${figure(one.points.balance)} points`),
    );
    expect(await inspect(page, 'dashboard-customers')).toEqual([]);
    await page.getByLabel('Find').fill('surya');
    await page.getByRole('link', { name: 'Surya Kaur' }).click();
    await waitForText(page, 'Opening balance');
    expect(new URL(page.url()).search).toBe(`?q=surya&uid=${uid}`);
    const { lines } = ok(await order(sandbox, { uid, line_items: [voucher, kettle], shipping_address }));
    await waitForText(page, 'Pending');
    await advance(sandbox, 2);
    await waitForText(page, 'Reversed');
    ok(await control.POST('/triggers/payment', { body: { uid, paymentAmount: '2000', transactionId: 'UPI-1' } }));
    ok(await control.POST('/settle'));
    await page.getByRole('link', { name: 'UPI-1' }).waitFor();
    await page.locator('.account').getByText('10,770').waitFor();
    const [deliveredCode, rejectedCode] = lines.map(({ redeemCode }) => redeemCode);
    expect(await cells(page)).toEqual([
      ['UPI-1', 'Earned', '+20', '10,770'],
      [rejectedCode, 'Reversed', '+1,548', '10,750'],
      [rejectedCode, 'Reversed', '−1,548', '9,202'],
      [deliveredCode, 'Redeemed', '−500', '10,750'],
      ['Opening balance', 'Earned', '+11,250', '11,250'],
    ]);
    const chartName = 'The balance over 5 entries: from 11,250 to 10,770, lowest 9,202, highest 11,250 points';
    const path = page.getByRole('img', { name: chartName }).locator('.line');
    // The line starts at the top left. Each entry takes a fifth of the width, and heights start at zero.
    expect(await path.getAttribute('d')).toBe('M0 2V2H20V3.6H40V8.55H60V3.6H80V3.54H100');
    const profile = ok(await control.GET('/customers')).items.find((one) => one.uid === uid)?.profile ?? {};
    expect(await panel(page, uid).locator('.facts dt').allTextContents()).toEqual(Object.keys(profile));
    expect(await panel(page, uid).locator('.facts dd').allTextContents()).toEqual(
      Object.values(profile).map((value) => (value === '' ? 'empty' : String(value))),
    );
    expect(await panel(page, uid).locator('.account dd').allTextContents()).toEqual(['10,770', '11,270', '500']);
    expect(await inspect(page, 'dashboard-customer')).toEqual([]);
    const again = await page.context().newPage();
    await again.goto(page.url());
    await again.getByRole('link', { name: 'UPI-1' }).waitFor();
    expect(await cells(again)).toEqual(await cells(page));
    await again.getByRole('link', { name: deliveredCode ?? '' }).click();
    await again.getByRole('heading', { level: 1, name: deliveredCode ?? '' }).waitFor();
    await page.getByLabel('Find').fill('MAGIC-ZERO');
    await page.getByRole('link', { name: 'open MAGIC-ZERO' }).click();
    await page.getByText('this customer does not appear in lists').waitFor();
    await waitForText(page, 'No ledger entries yet');
    expect(await inspect(page, 'dashboard-customer-magic')).toEqual([]);
  });
}, 120_000);

it('creates and edits a customer, and shows the error message of the control API', async () => {
  const sandbox = await testSandbox();
  const { control } = sandbox;
  await onScreen(sandbox, '/ledger?uid=CUST9001', async (page) => {
    await waitForText(page, 'Customer not found');
    expect(await inspect(page, 'dashboard-customer-unknown')).toEqual([]);
    await page.getByRole('link', { name: 'Create customer' }).click();
    expect(await page.getByLabel('uid').inputValue()).toBe('CUST9001');
    await fill(page, { balance: '5000', name: 'Rohan Kulkarni', pincode: '411005' });
    await page.getByLabel('pincode').press('Enter');
    await statusMessage(page, 'CUST9001 was created.').waitFor();
    await waitForText(page, 'Opening balance');
    expect(new URL(page.url()).search).toBe('?uid=CUST9001');
    const findCustomer = async (id: string) => ok(await control.GET('/customers')).items.find((one) => one.uid === id);
    const customer = await findCustomer('CUST9001');
    expect(customer).toMatchObject({
      profile: { name: 'Rohan Kulkarni', pincode: 411005, city: expect.stringMatching(/./) },
      points: { balance: 5000 },
    });
    await page.getByRole('link', { name: 'Edit customer' }).click();
    expect(await inspect(page, 'dashboard-customer-change')).toEqual([]);
    await fill(page, { balance: '100', city: 'Pune' });
    ok(await control.POST('/triggers/payment', { body: { uid } }));
    await press(page, 'Save changes', 'Updated CUST9001: balance, city.');
    await waitForText(page, 'Balance set manually');
    expect(await findCustomer('CUST9001')).toEqual({
      ...customer,
      profile: { ...customer?.profile, city: 'Pune' },
      points: { totalEarned: 5000, balance: 100, totalRedeemed: 4900 },
    });
    await page.getByRole('link', { name: 'Add customer' }).click();
    await page.getByLabel('uid').fill('CUST9001');
    await page.getByRole('button', { name: 'Create customer' }).click();
    const alert = page.getByRole('alert').filter({ hasText: /./ });
    await alert.waitFor();
    const { error } = await control.POST('/customers', { body: { uid: 'CUST9001' } });
    expect(await alert.innerText()).toBe(error?.message);
    expect(await inspect(page, 'dashboard-customer-taken')).toEqual([]);
  });
}, 120_000);

it('orders appear with their lines as they are placed and completed, each with an address', async () => {
  const sandbox = await testSandbox();
  const { urls } = sandbox;
  await onScreen(sandbox, '/ledger?view=orders', async (page) => {
    await waitForText(page, 'No orders yet');
    expect(await inspect(page, 'dashboard-orders-empty')).toEqual([]);
    await vendorWill(sandbox, kettle.sku, { outcome: 'reject', reason: 'Not sold in this region' });
    const body = { uid, line_items: [voucher, kettle], shipping_address, reference_id: 'CART-1' };
    const cart = ok(await order(sandbox, body));
    await waitForText(page, '1 of 1 orders');
    await advance(sandbox, 2);
    await waitForText(page, 'Not sold in this region');
    ok(await sandbox.control.PATCH('/workspace', { body: { settings: { tds_percent: 2, processing_fee_egv: 7 } } }));
    const later = ok(await order(sandbox, { uid: 'CUST0010', line_items: [{ ...voucher, quantity: 2 }] }));
    await waitForText(page, '2 of 2 orders');
    const [deliveredLine, rejectedLine] = cart.lines;
    const names = cart.lines.map(({ product_name }) => product_name);
    const rows = (await page.locator('.listed').allInnerTexts()).map((text) => text.split(/[\n\t]+/).filter(Boolean));
    expect(rows).toEqual([
      ['Pending', later.order_id, `2 × ${later.lines[0]?.product_name}`, 'CUST0010', '1,027', expect.any(String)],
      ['Delivered', cart.order_id, 'CART-1', ...names, 'Not sold in this region', uid, '2,048', expect.any(String)],
    ]);
    expect(await inspect(page, 'dashboard-orders')).toEqual([]);
    await page.getByLabel('Find').fill('cart-1');
    await waitForText(page, '1 of 2 orders');
    await page.getByRole('link', { name: cart.order_id }).click();
    await page.getByLabel('Find').waitFor({ state: 'detached' });
    const words = (await panel(page, cart.order_id).innerText()).replaceAll(/\s+/g, ' ');
    expect(words).toContain(
      `${cart.order_id} Delivered ${names[0]} ${deliveredLine?.redeemCode} 500 points Delivered ` +
        `${names[1]} ${rejectedLine?.redeemCode} Not sold in this region`,
    );
    expect(words).toContain('Points 2,048 points (including 49 fee)');
    expect(words).toContain('Client reference CART-1');
    // Opens the order with its points (OP-124).
    await page.goto(`${urls.dashboard}/ledger?view=orders&order=${later.order_id}`);
    await page.getByText('1,027 points (including 20 TDS and 7 fee)').waitFor();
    const again = await page.context().newPage();
    await again.goto(`${urls.dashboard}/ledger?view=orders&order=${cart.order_id}`);
    await again.getByRole('link', { name: deliveredLine?.redeemCode ?? '' }).click();
    await again.getByRole('heading', { level: 1, name: deliveredLine?.redeemCode ?? '' }).waitFor();
    await again.goto(`${urls.dashboard}/ledger?view=orders&order=ORD-9`);
    await waitForText(again, 'No order ORD-9');
  });
}, 120_000);

it('describes each ledger mismatch in words, with the action to take (OP-23)', async () => {
  const sandbox = await testSandbox();
  const { control } = sandbox;
  await failing(sandbox, { target: 'updateRedeemStatus', fault: 'reset' });
  await onScreen(sandbox, '/ledger?view=reconciliation', async (page) => {
    await waitForText(page, 'The ledgers agree');
    expect(await inspect(page, 'dashboard-reconciliation-empty')).toEqual([]);
    await vendorWill(sandbox, voucher.sku, { outcome: 'reject' });
    const { lines } = ok(await order(sandbox, { uid, line_items: [voucher] }));
    await advance(sandbox, 2);
    const code = lines[0]?.redeemCode ?? '';
    await waitForText(page, '1 to review');
    await page.getByText('The last attempt failed: ECONNRESET.').waitFor();
    const words = async (name: string) => (await panel(page, name).innerText()).replaceAll(/\s+/g, ' ');
    expect(await words(code)).toBe(
      `${code} missing reversal The platform rejected the redemption, but the client has not refunded the points. ` +
        'The customer paid 500 points too much. Platform Rejected 0 points Client Pending 500 points ' +
        'Customer CUST0007 What to do The platform will notify the client in 5 s. ' +
        `The last attempt failed: ECONNRESET. Retry delivery ${code} Timeline of ${code}`,
    );
    ok(await sandbox.client().POST('/saveRedeemDetails', { body: redemption }));
    await waitForText(page, '2 to review');
    const orphan = 'orphan deduction The client deducted points, but there is no';
    expect(await words(redemption.redeemCode)).toContain(orphan);
    expect(await inspect(page, 'dashboard-reconciliation')).toEqual([]);
    await reveal(
      page,
      `Time out redemption ${redemption.redeemCode}`,
      `${redemption.redeemCode} is now Rejected at the client.`,
    );
    await waitForText(page, '1 to review');
    await advance(sandbox, 2 * 86_400);
    await page.getByText('The platform gave up after 8 attempts to notify the client.').waitFor();
    await control.DELETE('/faults');
    await reveal(page, `Retry delivery ${code}`, `${code}: retried, 1 due job ran.`);
    await waitForText(page, 'The ledgers agree');
    expect(ok(await control.GET('/reconciliation')).items).toEqual([]);
  });
}, 120_000);

it('OP-110, OP-111: shows balance mismatches of your own server, and reads the balances on request', async () => {
  const sandbox = await testSandbox();
  const server = await new PartnerServer('forgets the reversal').standIn(sandbox);
  await onScreen(sandbox, '/ledger?view=reconciliation', async (page) => {
    await sees(page, 'Your own server is connected.', 'Every balance that your server returned matches its responses.');
    await vendorWill(sandbox, voucher.sku, { outcome: 'reject' });
    const { lines } = ok(await order(sandbox, { uid, line_items: [voucher] }));
    await advance(sandbox, 2);
    const code = lines[0]?.redeemCode ?? '';
    await page.getByText('The balance has not been read since these changes.').waitFor();
    expect(server.calls).toEqual(['getProfileAndPoints', 'saveRedeemDetails', 'updateRedeemStatus']);
    await reveal(page, 'Check balances', 'Balances checked: 1 to review.');
    const words = async () => (await panel(page, uid).innerText()).replaceAll(/\s+/g, ' ');
    const shown =
      `${uid} balance differs The balance does not match your server’s own responses. ` +
      'The customer paid 500 points too much. Balance 24,500 points Read at 04:30:02 Possible causes ' +
      `${code} deduction of 500 points: deducted twice? ${code} reversal of 500 points: not refunded?`;
    await expect.poll(words).toBe(shown);
    expect(await inspect(page, 'dashboard-reconciliation-own-server')).toEqual([]);
    server.move(uid, 500);
    await reveal(page, 'Check balances', 'Balances checked: no differences.');
  });
}, 120_000);
