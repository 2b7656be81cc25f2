/** Tests the timeline of a redemption in a real browser, both as a diagram and as text. */
import type { Page } from 'playwright-core';
import { expect, it, test } from 'vitest';
import { failing } from '../harness/faults.ts';
import { httpServer } from '../harness/http-server.ts';
import { inspect } from '../harness/inspecting.ts';
import { advance, order, redeem, vendorWill, voucher } from '../harness/orders.ts';
import { ok, testSandbox } from '../harness/sandbox.ts';
import { browserModule, open, screens } from './screens.ts';

const uid = 'CUST0007';
const voucherOrder = { line_items: [voucher], uid };
const onScreen = screens();

const { stepsOf } = await browserModule<{
  stepsOf(redemption: object): readonly { name: string; at: string; lead: string; bad?: boolean }[];
}>('steps.ts');

/** The fields that all entries of a redemption share. */
const ofCode = { trace: 'one', uid, redeem_codes: ['RDM-1'], request: null, notices: [], method: 'POST' };

/** Returns each step's text for screen readers, without the time of day. */
async function sentences(page: Page): Promise<string[]> {
  await page.locator('.step').first().waitFor();
  const all = await page.locator('.step > p').allInnerTexts();
  return all.map((text) => text.replaceAll(/\s+/g, ' ').trim());
}

/** Returns the width of a lane in a window of the given width, in pixels. */
async function laneWidth(page: Page, width: number): Promise<number> {
  await page.setViewportSize({ width, height: 844 });
  const lanes = page.locator('.lanes');
  const { width: all = 0 } = (await lanes.boundingBox()) ?? {};
  return all / (await lanes.locator('span').count());
}

test('a call appears where it began, followed by its effects, although it is logged when it ends', () => {
  const at = (milliseconds: number) => new Date(Date.UTC(2026, 0, 12) + milliseconds).toISOString();
  const [orderSpan, saveSpan, receivedSpan] = ['aaaaaaaaaaaaaaaa', 'bbbbbbbbbbbbbbbb', 'cccccccccccccccc'];
  const state = (seq: number, milliseconds: number, event: string, parent?: string) => ({
    ...ofCode,
    kind: 'state',
    party: event.startsWith('order') ? 'platform' : 'client',
    seq,
    parent,
    at: at(milliseconds),
    event,
    detail: {},
  });
  const call = (seq: number, began: number, ended: number, fields: object) => {
    return { ...ofCode, seq, began: at(began), at: at(ended), status: 200, ...fields };
  };
  const saveCall = { party: 'client', operation: 'saveRedeemDetails' };
  const orderCall = { party: 'platform', operation: 'createRedemptionOrder', kind: 'call_in', caller: 'machine' };
  const entry = { kind: 'redeem', points: 500, label: 'Pending' };
  const items = [
    state(1, 10, 'order.placing', orderSpan),
    state(2, 18, 'another.change'),
    state(3, 20, 'redemption.deducted', receivedSpan),
    { kind: 'ledger', seq: 3, at: at(20), party: 'client', uid, entry },
    call(4, 16, 25, { ...saveCall, kind: 'call_in', caller: 'sandbox', span: receivedSpan, parent: saveSpan }),
    call(5, 15, 27, { ...saveCall, kind: 'call_out', span: saveSpan, parent: orderSpan }),
    state(6, 30, 'order.placed', orderSpan),
    call(7, 5, 40, { ...orderCall, span: orderSpan }),
  ];
  const steps = stepsOf({ items });
  expect(steps.map(({ at: moment, lead, name }) => `${Number(moment.slice(20, 23))} ${lead} ${name}`)).toEqual([
    '5 The client called the platform: createRedemptionOrder',
    '10 Platform: undefined stored',
    '15 The platform called the client: saveRedeemDetails',
    '20 Client: undefined',
    '20 Ledger: −500 points',
    '30 Platform: Pending',
    '40 The platform responded to the client: createRedemptionOrder',
    '18 Client: another.change',
  ]);
});

test('two calls of one operation are each drawn once, since the span joins the two ends of a call', () => {
  const at = '2026-01-12T00:00:00.000Z';
  const call = { ...ofCode, reply: null, at, party: 'client', operation: 'saveRedeemDetails', began: at };
  const items = [
    { ...call, seq: 1, kind: 'call_in', status: 200, parent: 'aaaaaaaaaaaaaaaa' },
    { ...call, seq: 2, kind: 'call_in', status: 200, parent: 'bbbbbbbbbbbbbbbb' },
    { ...call, seq: 3, kind: 'call_out', status: 200, span: 'bbbbbbbbbbbbbbbb' },
    { ...call, seq: 4, kind: 'call_out', status: null, span: 'aaaaaaaaaaaaaaaa' },
  ];
  expect(stepsOf({ items }).map(({ bad }) => bad === true)).toEqual([true, false]);
});

it('draws a redemption as it progresses: calls, retries, states on both sides, the ledger, and the time between (OP-42)', async () => {
  const sandbox = await testSandbox();
  const { control } = sandbox;
  await failing(sandbox, { target: 'saveRedeemDetails', fault: 'lost_reply', times: 1 });
  await failing(sandbox, { target: 'updateRedeemStatus', fault: 'status', status: 503, times: 1 });
  await vendorWill(sandbox, voucher.sku, { outcome: 'fail_then_deliver', times: 1 });
  const code = await redeem(sandbox, voucherOrder);
  await onScreen(sandbox, `/redemptions/${code}`, async (page) => {
    const id = ok(await control.GET('/orders')).items[0]?.order.order_id;
    const before = [
      'The client called the platform: createRedemptionOrder',
      'The platform called the client: getProfileAndPoints, response 200',
      `Platform: ${id} stored, asks the client to deduct the points`,
      'The platform called the client: saveRedeemDetails, no response',
      'Client: Pending, redemption recorded',
      'Ledger: −500 points, deducted, label Pending',
      'The platform called the client: saveRedeemDetails, response 200 attempt 2',
      `Platform: Pending, ${id} placed`,
      'The platform responded to the client: createRedemptionOrder, with 200',
    ];
    expect(await sentences(page)).toEqual(before);
    expect(await inspect(page, 'dashboard-redemption-pending')).toEqual([]);
    await advance(sandbox, 2);
    await page.getByText('egift, failed').waitFor();
    await page.getByRole('button', { name: 'Advance 1 min' }).click();
    await page.getByRole('link', { name: 'getWalletDetail' }).waitFor();
    const all = await sentences(page);
    expect(all[5]).toBe('Ledger: −500 points, deducted, label Redeemed');
    expect(all.slice(before.length)).toEqual([
      '2 s later',
      'The platform called the vendor: egift, failed',
      expect.stringMatching(/^\d+ s later$/),
      'The platform called the vendor: egift, delivered attempt 2',
      expect.stringMatching(/^Vendor: \d+ left, of EGV-SPICE-500$/),
      'Platform: Delivered, was Pending',
      'The platform called the client: updateRedeemStatus, response 503',
      expect.stringMatching(
        /^Platform: Status update postponed, attempt 1 failed, next at [\d:]{8}, reason: status 503: Temporarily unavailable$/,
      ),
      '5 s later',
      'The platform called the client: updateRedeemStatus, response 200 attempt 2',
      'Client: Delivered, was Pending',
      'The client called the platform: getWalletDetail, response 200',
    ]);
    expect(await page.locator('.step .again').allTextContents()).toEqual(['2', '2', '2']);
    expect(await page.locator('.step.call .arrow, .step.answer .arrow').count()).toBe(10);
    expect(await page.locator('.step.booking .mark').count()).toBe(1);
    expect(await page.locator('.facts').innerText()).toMatch(/Platform\s+Delivered\s+Client\s+Delivered/);
    expect(await inspect(page, 'dashboard-redemption-delivered')).toEqual([]);
    // Steps are milliseconds apart, so the times must show milliseconds.
    for (const time of await page.locator('.step > .quiet time').allInnerTexts()) {
      expect(time).toMatch(/^\d\d:\d\d:\d\d\.\d{3}$/);
    }
    expect(await laneWidth(page, 390)).toBeGreaterThanOrEqual(36);
    expect(await laneWidth(page, 900)).toBeGreaterThanOrEqual(120);
    expect(await laneWidth(page, 1440)).toBeGreaterThanOrEqual(190);
    await page.setViewportSize({ width: 640, height: 844 });
    expect((await page.locator('.step > p').last().boundingBox())?.width).toBeGreaterThan(120);
    await page.getByRole('link', { name: 'updateRedeemStatus' }).first().click();
    await page.getByText('Temporarily unavailable').first().waitFor();
    expect(page.url()).toMatch(/\/dashboard\/traffic\?seq=\d+$/);
  });
}, 120_000);

it('a webhook receiver that is notified of the stock has its own lane (OP-26)', async () => {
  const sandbox = await testSandbox();
  const receiver = await httpServer((_, response) => void response.end());
  const url = new URL('/hook', receiver).href;
  const rewards = sandbox.rewards(await sandbox.companyToken());
  ok(await rewards.POST('/v1/partner/webhooks', { body: { url } }));
  const code = await redeem(sandbox, voucherOrder);
  await advance(sandbox, 2);
  await onScreen(sandbox, `/redemptions/${code}`, async (page) => {
    expect(await sentences(page)).toContain('The platform called the webhook receiver: catalogueUpdated, response 200');
    expect(await page.locator('.lanes span').allTextContents()).toEqual(['Client', 'Platform', 'Vendor', 'Webhook']);
    expect(await inspect(page, 'dashboard-redemption-webhook')).toEqual([]);
    expect(await laneWidth(page, 390)).toBeGreaterThanOrEqual(28);
    expect(await laneWidth(page, 1440)).toBeGreaterThanOrEqual(150);
    // In every window, a sentence is at least as wide as a lane.
    for (const width of [640, 768, 896, 1152, 1440]) {
      const lane = await laneWidth(page, width);
      const { width: words = 0 } = (await page.locator('.step > p').last().boundingBox()) ?? {};
      expect(words).toBeGreaterThan(lane);
    }
  });
}, 120_000);

it('an order of the version 2.0 list, whose final state the client reads, and a code that was only ever rejected (OP-29, OP-22)', async () => {
  const sandbox = await testSandbox();
  const body = { customer_id: uid, line_items: [voucher] };
  const placedOrder = ok(await sandbox.v2Platform(await sandbox.companyToken()).POST('/api/v1/orders', { body }));
  const rejected = { status: 'Rejected', orderStatus: 'Rejected', remark: '' } as const;
  const report = { redeemCode: 'RDM-UNHEARD', projectCode: 'DEMO01', ...rejected };
  expect((await sandbox.client().POST('/updateRedeemStatus', { body: report })).response.status).toBe(422);
  await advance(sandbox, 10);
  await onScreen(sandbox, `/redemptions/${placedOrder.lines[0]?.redeemCode}`, async (page) => {
    expect((await sentences(page)).slice(-6)).toEqual([
      expect.stringMatching(/^Vendor: \d+ left, of EGV-SPICE-500$/),
      'Platform: Delivered, was Pending',
      '3 s later',
      'The client called the platform: getOrderStatus, response 200',
      'Client: Delivered, was Pending',
      'The client called the platform: getWalletDetail, response 200',
    ]);
    await open(page, sandbox, '/redemptions/RDM-UNHEARD');
    expect(await sentences(page)).toEqual([
      'The platform called the client: updateRedeemStatus, response 422',
      'Client: Refused, a late deduction will be refused',
    ]);
    expect(await page.locator('.facts').innerText()).toMatch(/^Platform\s+not found\s+Client\s+Refused$/);
  });
}, 60_000);

it('a failed order still has its timeline (OP-07)', async () => {
  const sandbox = await testSandbox();
  await failing(sandbox, { target: 'saveRedeemDetails', fault: 'status', status: 503 });
  expect((await order(sandbox, voucherOrder)).response.status).toBe(502);
  const { items } = ok(await sandbox.control.GET('/activity'));
  const code = items.find((entry) => entry.kind === 'state' && entry.event === 'order.failed')?.redeem_codes[0];
  await onScreen(sandbox, `/redemptions/${code}`, async (page) => {
    await page.getByText('This redemption has no order').waitFor();
    const attempt = 'The platform called the client: saveRedeemDetails, response 503 attempt 3';
    expect(await sentences(page)).toContain(attempt);
    expect(await inspect(page, 'dashboard-redemption-failed')).toEqual([]);
  });
}, 120_000);
