/** The dashboard's redemptions in a real browser: the list, and what happened to one, drawn and in words. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { shell } from '../docs/running.ts';
import { advance, kettle, ledgerOf, order, vendorWill, voucher } from '../platform/orders.ts';
import { ok, type TestSandbox, testSandbox } from '../sandbox.ts';
import { type Launched, launch } from './browser.ts';
import { hostile } from './hostile.ts';
import { inspect, withPage } from './inspecting.ts';

const uid = 'CUST0007';
const delivered = { line_items: [voucher], uid };
let launched: Launched;

beforeAll(async () => {
  launched = await launch();
}, 120_000);

afterAll(() => launched.close());

/** Places an order and answers the redeem code of its first line. */
async function redeem(sandbox: TestSandbox, body: Parameters<typeof order>[1] = delivered): Promise<string> {
  return ok(await order(sandbox, body)).lines[0]?.redeemCode ?? '';
}

const rows = (page: Page) => page.locator('.redemption-row');
const words = async (page: Page) => (await rows(page).allInnerTexts()).map((text) => text.split('\n').filter(Boolean));
const told = (page: Page, text: string) => page.getByText(text, { exact: true }).first().waitFor();

/** What a screen reader is told of each step, without the time of day. */
async function sentences(page: Page): Promise<string[]> {
  const all = await page.locator('.step > p').allInnerTexts();
  return all.map((text) => text.replaceAll(/\s+/g, ' ').trim());
}

it('lists what was redeemed, newest first, as it happens, with what went wrong (OP-68)', async () => {
  const sandbox = await testSandbox();
  await withPage(launched.browser, async (page) => {
    await page.goto(`${sandbox.urls.dashboard}/redemptions`);
    await told(page, 'No redemption yet');
    expect(await inspect(page, 'dashboard-redemptions-empty')).toEqual([]);
    const commands = await page.getByLabel('Commands that place an order').innerText();
    const { stdout } = await shell(commands);
    const pasted = JSON.parse(stdout).lines[0].redeemCode;
    await told(page, '1 of 1 redemptions');
    expect(await words(page)).toEqual([expect.arrayContaining([`${uid}, ${pasted}`])]);
    ok(await sandbox.control.POST('/reset'));
    await told(page, 'No redemption yet');
    await vendorWill(sandbox, kettle.sku, { outcome: 'reject', reason: 'Not sold in this region' });
    const shipping_address = '12 Lake View Road, Bengaluru 560038';
    const first = await redeem(sandbox, { uid, line_items: [{ ...voucher, quantity: 2 }, kettle], shipping_address });
    await rows(page).nth(1).waitFor();
    await vendorWill(sandbox, 'EGV-CHAI-100', { outcome: 'fail_then_deliver', times: 2 });
    const second = await redeem(sandbox, { uid: 'CUST0010', line_items: [{ sku: 'EGV-CHAI-100', quantity: 1 }] });
    await told(page, '3 of 3 redemptions');
    await advance(sandbox, 2);
    for (const text of ['1 retry', 'Not sold in this region', 'Delivered']) {
      await rows(page).getByText(text, { exact: true }).waitFor();
    }
    const { items } = ok(await sandbox.control.GET('/orders'));
    const [cart, chai] = items.map(({ order: { lines } }) => lines);
    expect(await words(page)).toEqual([
      [chai?.[0]?.product_name, `CUST0010, ${second}`, '1 retry', expect.any(String), '100 points', 'Pending'],
      [
        cart?.[1]?.product_name,
        `${uid}, ${cart?.[1]?.redeemCode}`,
        'Not sold in this region',
        expect.any(String),
        '1,548 points',
        'Rejected',
      ],
      [`2 × ${cart?.[0]?.product_name}`, `${uid}, ${first}`, expect.any(String), '1,000 points', 'Delivered'],
    ]);
    expect(await inspect(page, 'dashboard-redemptions')).toEqual([]);
    await page.getByLabel('State').selectOption('Pending');
    await told(page, '1 of 3 redemptions');
    await page.getByLabel('Find').fill('kettle');
    await told(page, 'Nothing fits');
    expect(new URL(page.url()).search).toBe('?state=Pending&q=kettle');
    const again = await page.context().newPage();
    await again.goto(page.url().replace('Pending', 'Rejected'));
    await told(again, '1 of 3 redemptions');
    expect(await again.getByLabel('Find').inputValue()).toBe('kettle');
    await rows(again).click();
    await again.getByRole('heading', { level: 1, name: cart?.[1]?.redeemCode ?? '' }).waitFor();
    await page.getByLabel('Find').fill('RDM-1');
    await page.getByRole('link', { name: 'open RDM-1' }).click();
    await page.getByText('Neither the platform nor the client knows this redemption.').waitFor();
    expect(await inspect(page, 'dashboard-redemption-unknown')).toEqual([]);
  });
}, 120_000);

it('draws one as it goes: calls, retries, states on both sides, the ledger, and the time between (OP-42)', async () => {
  const sandbox = await testSandbox();
  const { control, urls } = sandbox;
  ok(await control.POST('/faults', { body: { target: 'saveRedeemDetails', fault: 'lost_reply', times: 1 } }));
  ok(await control.POST('/faults', { body: { target: 'updateRedeemStatus', fault: 'status', status: 503, times: 1 } }));
  await vendorWill(sandbox, voucher.sku, { outcome: 'fail_then_deliver', times: 1 });
  const code = await redeem(sandbox);
  await withPage(launched.browser, async (page) => {
    await page.goto(`${urls.dashboard}/redemptions/${code}`);
    await page.locator('.step').first().waitFor();
    const {
      items: [placed],
    } = ok(await control.GET('/orders'));
    const id = placed?.order.order_id;
    const before = [
      'The client called the platform: createRedemptionOrder',
      'The platform called the client: getProfileAndPoints, answered 200',
      `Platform: ${id} is stored, the client is asked for the points`,
      'The platform called the client: saveRedeemDetails, no reply',
      'Client: Pending, the redemption is booked',
      'Ledger: −500 points, deducted, label Pending',
      'The platform called the client: saveRedeemDetails, answered 200 try 2',
      `Platform: Pending, ${id} stands`,
      'The platform answered the client: createRedemptionOrder, with 200',
    ];
    expect(await sentences(page)).toEqual(before);
    expect(await inspect(page, 'dashboard-redemption-pending')).toEqual([]);
    await advance(sandbox, 2);
    await page.getByText('did not do it').waitFor();
    await page.getByRole('button', { name: 'Let 1 min pass' }).click();
    await page.getByRole('link', { name: 'getWalletDetail' }).waitFor();
    const all = await sentences(page);
    expect(all[5]).toBe('Ledger: −500 points, deducted, label Redeemed');
    expect(all.slice(before.length)).toEqual([
      '2 s later',
      'The platform asked the vendor: egift, did not do it',
      expect.stringMatching(/^\d+ s later$/),
      'The platform asked the vendor: egift, delivered try 2',
      expect.stringMatching(/^Vendor: \d+ left, of EGV-SPICE-500$/),
      'Platform: Delivered, was Pending',
      'The platform called the client: updateRedeemStatus, answered 503',
      expect.stringMatching(
        /^Platform: Status report put off, after try 1 until [\d:]{8}, because: status 503: Temporarily unavailable$/,
      ),
      '5 s later',
      'The platform called the client: updateRedeemStatus, answered 200 try 2',
      'Client: Delivered, was Pending',
      'The client called the platform: getWalletDetail, answered 200',
    ]);
    expect(await page.locator('.step .again').allTextContents()).toEqual(['2', '2', '2']);
    expect(await page.locator('.step.call .arrow, .step.answer .arrow').count()).toBe(10);
    expect(await page.locator('.step.booking .mark').count()).toBe(1);
    expect(await page.locator('.facts').innerText()).toMatch(/At the platform\s+Delivered\s+At the client\s+Delivered/);
    expect(await inspect(page, 'dashboard-redemption-delivered')).toEqual([]);
    await page.getByRole('link', { name: 'updateRedeemStatus' }).first().click();
    await page.getByText('Temporarily unavailable').first().waitFor();
    expect(page.url()).toMatch(/\/dashboard\/traffic\?seq=\d+$/);
  });
}, 120_000);

it('while one is pending, what to do next is a button: vendor, client, report, time (OP-71)', async () => {
  const sandbox = await testSandbox();
  const { control, urls } = sandbox;
  await vendorWill(sandbox, voucher.sku, { outcome: 'never' });
  const codes = [await redeem(sandbox), await redeem(sandbox), await redeem(sandbox)];
  const sides = async (code = '') => {
    const { platform, client } = ok(
      await control.GET('/redemptions/{redeemCode}', { params: { path: { redeemCode: code } } }),
    );
    return [platform?.state, client?.state];
  };
  await withPage(launched.browser, async (page) => {
    const open = async (code = '') => {
      await page.goto(`${urls.dashboard}/redemptions/${code}`);
      await page.getByText('The platform waits for its vendor.').waitFor();
    };
    await open(codes[0]);
    await page.getByRole('button', { name: 'Deliver it' }).click();
    await told(page, 'The vendor was asked at once, and told to deliver.');
    await told(page, 'Nothing: it has ended.');
    expect(await sides(codes[0])).toEqual(['Delivered', 'Delivered']);

    ok(await control.POST('/faults', { body: { target: 'updateRedeemStatus', fault: 'reset', times: 1 } }));
    await open(codes[1]);
    await page.getByRole('button', { name: 'Reject it' }).click();
    await page.getByText('The platform will tell the client in 5 s.').waitFor();
    expect(await sides(codes[1])).toEqual(['Rejected', 'Pending']);
    expect(await inspect(page, 'dashboard-redemption-report-due')).toEqual([]);
    await page.getByRole('button', { name: 'Try it now' }).click();
    await told(page, 'It was tried again.');
    await page.getByText('Ledger: +500 points, given back, label Reversed').waitFor();
    expect(await sides(codes[1])).toEqual(['Rejected', 'Rejected']);

    await open(codes[2]);
    await page.getByRole('button', { name: 'Let the client time out' }).click();
    await told(page, 'The client has waited long enough: it holds the redemption as Rejected.');
    expect(await sides(codes[2])).toEqual(['Pending', 'Rejected']);
    expect(await ledgerOf(sandbox, uid)).toMatchObject({ balance: 10_750 });
  });
}, 120_000);

it('a receiver of webhooks that is told of the stock has a lane of its own (OP-26)', async () => {
  const sandbox = await testSandbox();
  const receiver = createServer((_, response) => response.end());
  await new Promise<void>((listening) => receiver.listen(0, '127.0.0.1', listening));
  try {
    const url = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/hook`;
    const rewards = sandbox.rewards(await sandbox.companyToken());
    ok(await rewards.POST('/v1/partner/webhooks', { body: { url } }));
    const code = await redeem(sandbox);
    await advance(sandbox, 2);
    await withPage(launched.browser, async (page) => {
      await page.goto(`${sandbox.urls.dashboard}/redemptions/${code}`);
      await page.locator('.step').first().waitFor();
      expect(await sentences(page)).toContain(
        'The platform called the webhook receiver: catalogueUpdated, answered 200',
      );
      expect(await page.locator('.lanes span').allTextContents()).toEqual(['Client', 'Platform', 'Vendor', 'Webhook']);
      expect(await inspect(page, 'dashboard-redemption-webhook')).toEqual([]);
    });
  } finally {
    receiver.close();
  }
}, 120_000);

it('an order of the version 2.0 list, whose end the client reads, and a code that was only ever rejected (OP-29, OP-22)', async () => {
  const sandbox = await testSandbox();
  const { urls } = sandbox;
  const body = { customer_id: uid, line_items: [voucher] };
  const placed = ok(await sandbox.v2Platform(await sandbox.companyToken()).POST('/api/v1/orders', { body }));
  const report = {
    redeemCode: 'RDM-UNHEARD',
    status: 'Rejected',
    orderStatus: 'Rejected',
    remark: '',
    projectCode: 'DEMO01',
  } as const;
  expect((await sandbox.client().POST('/updateRedeemStatus', { body: report })).response.status).toBe(422);
  await advance(sandbox, 10);
  await withPage(launched.browser, async (page) => {
    await page.goto(`${urls.dashboard}/redemptions/${placed.lines[0]?.redeemCode}`);
    await page.locator('.step').first().waitFor();
    expect((await sentences(page)).slice(-6)).toEqual([
      expect.stringMatching(/^Vendor: \d+ left, of EGV-SPICE-500$/),
      'Platform: Delivered, was Pending',
      '3 s later',
      'The client called the platform: getOrderStatus, answered 200',
      'Client: Delivered, was Pending',
      'The client called the platform: getWalletDetail, answered 200',
    ]);
    await page.goto(`${urls.dashboard}/redemptions/RDM-UNHEARD`);
    await page.locator('.step').first().waitFor();
    expect(await sentences(page)).toEqual([
      'The platform called the client: updateRedeemStatus, answered 422',
      'Client: Refused, a deduction that comes late will be refused',
    ]);
    expect(await page.locator('.facts').innerText()).toMatch(/^At the platform\s+not known\s+At the client\s+Refused$/);
  });
}, 60_000);

it('an order that came to nothing still has its timeline (OP-07)', async () => {
  const sandbox = await testSandbox();
  const fault = { target: 'saveRedeemDetails', fault: 'status', status: 503 } as const;
  ok(await sandbox.control.POST('/faults', { body: fault }));
  expect((await order(sandbox, delivered)).response.status).toBe(502);
  const { items } = ok(await sandbox.control.GET('/activity'));
  const code = items.find((entry) => entry.kind === 'state' && entry.event === 'order.failed')?.redeem_codes[0];
  await withPage(launched.browser, async (page) => {
    await page.goto(`${sandbox.urls.dashboard}/redemptions/${code}`);
    await page.getByText('No order stands for it').waitFor();
    expect(await sentences(page)).toContain('The platform called the client: saveRedeemDetails, answered 503 try 3');
    expect(await inspect(page, 'dashboard-redemption-failed')).toEqual([]);
  });
}, 120_000);

it('hostile names and remarks are text in the list and in the timeline, and run nowhere', async () => {
  const sandbox = await testSandbox();
  const { control, urls } = sandbox;
  ok(await control.PATCH('/customers/{uid}', { params: { path: { uid } }, body: { points: { balance: 1_000_000 } } }));
  const codes: string[] = [];
  for (const [index, skus] of hostile.entries()) {
    const sku_code = `EGV-HOSTILE-${index}`;
    const body = { sku_code, product_type: 'EGV', skus, denomination_value: '1', stock: 9 } as const;
    ok(await control.POST('/catalogue', { body }));
    await vendorWill(sandbox, sku_code, { outcome: 'reject', reason: `${index}: ${skus}` });
  }
  for (let start = 0; start < hostile.length; start += 20) {
    const chosen = hostile.slice(start, start + 20);
    const line_items = chosen.map((_, offset) => ({ sku: `EGV-HOSTILE-${start + offset}`, quantity: 1 }));
    codes.push(...ok(await order(sandbox, { uid, line_items })).lines.map(({ redeemCode }) => redeemCode));
  }
  await advance(sandbox, 2);
  await withPage(launched.browser, async (page) => {
    await page.goto(`${urls.dashboard}/redemptions?rows=200`);
    await told(page, `${hostile.length} of ${hostile.length} redemptions`);
    await page.waitForFunction(
      (count) => document.querySelectorAll('.redemption-row .remark').length === count,
      hostile.length,
    );
    const shown = await page.locator('.redemption-row .what strong').allTextContents();
    expect(shown.toReversed()).toEqual(hostile);
    const remarks = await page.locator('.redemption-row .remark').allTextContents();
    expect(remarks.toReversed()).toEqual(hostile.map((text, index) => `${index}: ${text}`));
    const wrong: string[] = [];
    for (const [index, text] of hostile.entries()) {
      // The screen changes without a page load, so that a hundred of them are quick.
      await page.evaluate((path) => {
        history.pushState(null, '', path);
        dispatchEvent(new PopStateEvent('popstate'));
      }, `/dashboard/redemptions/${codes[index]}`);
      await page.getByRole('heading', { level: 1, name: codes[index] ?? '', exact: true }).waitFor();
      await page.locator('.step').first().waitFor();
      const seen = await page.locator('#screen').textContent();
      if (!seen?.includes(`${text}Points`) || !seen.includes(`because: ${index}: ${text}`)) wrong.push(text);
    }
    expect(wrong).toEqual([]);
  });
}, 120_000);
