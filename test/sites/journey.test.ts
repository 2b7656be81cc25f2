/** Tests the portal and the microsite in a real browser: with and without scripts, framed by another site, and with live updates. */
import type { BrowserContext, BrowserContextOptions, Frame, Page } from 'playwright-core';
import { afterEach, expect, it } from 'vitest';
import { blockThirdPartyCookies, browserOfFile, type Watched, watched } from '../harness/browser.ts';
import { httpServer } from '../harness/http-server.ts';
import { advance, vendorWill, voucher } from '../harness/orders.ts';
import { proxiedSandbox } from '../harness/proxied.ts';
import { ok, type TestSandbox, testSandbox } from '../harness/sandbox.ts';
import { eventsOf, ledgerOf } from '../harness/state.ts';
import { entryFor } from '../harness/visitor.ts';

const uid = 'CUST0007';
const browser = browserOfFile();
const contexts = new Set<BrowserContext>();
const pages = new Set<Watched>();

afterEach(async () => {
  const complaints = [...pages].flatMap((each) => each.complaints);
  await Promise.all([...contexts].map((context) => context.close()));
  contexts.clear();
  pages.clear();
  expect(complaints).toEqual([]);
});

async function open(options: BrowserContextOptions = {}): Promise<Page> {
  const context = await browser().newContext(options);
  context.setDefaultTimeout(120_000);
  contexts.add(context);
  const each = await watched(context);
  pages.add(each);
  return each.page;
}

const ordersOf = async (sandbox: TestSandbox) => (await eventsOf(sandbox))['order.placed'] ?? 0;
const heading = (page: Page | Frame) => page.getByRole('heading', { level: 1 });

/** Signs in, from the microsite's first page to its dashboard. */
async function signIn(sandbox: TestSandbox, page: Page): Promise<void> {
  await page.goto(sandbox.urls.microsite);
  await page.getByLabel('Customer ID').fill(uid);
  await page.getByRole('button', { name: 'Send code' }).click();
  await heading(page).filter({ hasText: 'Enter your code' }).waitFor();
  const { items } = ok(await sandbox.control.GET('/messages', { params: { query: { uid } } }));
  await page.getByLabel('One-time password').fill(items[0]?.otp ?? '');
  await page.getByRole('button', { name: 'Sign in' }).click();
  await heading(page).filter({ hasText: 'Your points' }).waitFor();
}

/** Orders one voucher in the portal, from the catalogue to the order page. */
async function redeem(page: Page | Frame): Promise<void> {
  await page.getByLabel('Search by name').fill('spice 500');
  await page.getByRole('button', { name: 'Search' }).click();
  await page.getByRole('link', { name: 'Spice Route Kitchen e-gift voucher 500' }).click();
  await page.getByRole('button', { name: 'Continue' }).click();
  await page.getByRole('button', { name: 'Redeem 500 points' }).click();
  await heading(page).filter({ hasText: 'Order placed' }).waitFor();
}

it('C3: from the microsite through the portal to a delivered reward, and out again', async () => {
  const sandbox = await proxiedSandbox();
  const page = await open();
  await signIn(sandbox, page);
  await page.getByRole('button', { name: 'Open portal' }).click();
  await heading(page).filter({ hasText: 'Hello Surya Kaur' }).waitFor();
  expect(page.url()).toMatch(/\/portal\/s\/[\w.-]+\/rewards$/);
  await redeem(page);
  await advance(sandbox, 2);
  await heading(page).filter({ hasText: 'Delivered' }).waitFor();
  expect(await page.locator('.balance').innerText()).toBe('Balance 10,750 points');
  await page.getByRole('link', { name: 'History' }).click();
  expect(await page.locator('.entry').allInnerTexts()).toEqual([
    expect.stringMatching(
      /^Spice Route Kitchen e-gift voucher 500\n.*ORD-000001.*\nRedeemed\n−500 points\n10,750 points left$/,
    ),
  ]);
  await page.getByRole('button', { name: 'End visit' }).click();
  await heading(page).filter({ hasText: 'Your visit has ended' }).waitFor();
  await page.goBack();
  expect(await heading(page).innerText()).toBe('Your visit has ended');
  expect(await page.context().cookies()).toEqual([]);
});

it('an open order page shows a rejection by itself, and then the refund of the points', async () => {
  const sandbox = await proxiedSandbox();
  await vendorWill(sandbox, voucher.sku, { outcome: 'reject', reason: 'Not sold in this region' });
  ok(await sandbox.control.POST('/faults', { body: { target: 'updateRedeemStatus', fault: 'reset', times: 1 } }));
  const page = await open();
  await page.goto(await entryFor(sandbox, uid));
  await redeem(page);
  const result = page.locator('.result');
  await advance(sandbox, 2);
  await result.getByText('Your points are being refunded.').waitFor();
  expect(await page.locator('.balance').innerText()).toBe('Balance 10,750 points');
  await advance(sandbox, 5);
  await result.getByText('Your points were refunded.').waitFor();
  expect(await result.innerText()).toContain('Reason: Not sold in this region');
  expect(await page.locator('.balance').innerText()).toBe('Balance 11,250 points');
});

it('C3: works without script: pages reload until the order is complete', async () => {
  const sandbox = await proxiedSandbox();
  const page = await open({ javaScriptEnabled: false });
  await signIn(sandbox, page);
  await page.getByRole('button', { name: 'Open portal' }).click();
  await page.getByRole('link', { name: 'Gift vouchers' }).click();
  await redeem(page);
  await advance(sandbox, 2);
  await heading(page).filter({ hasText: 'Delivered' }).waitFor();
  await page.getByRole('button', { name: 'End visit' }).click();
  expect(await heading(page).innerText()).toBe('Your visit has ended');
});

it('C3: works in a frame of another site that gets no cookies (OP-34, OP-95)', async () => {
  const sandbox = await proxiedSandbox();
  const entry = await entryFor(sandbox, uid);
  const client = await httpServer((_, response) => {
    response.setHeader('Content-Type', 'text/html');
    response.end(`<!doctype html><title>Client</title><iframe width="800" height="900" src="${entry}"></iframe>`);
  });
  const page = await open();
  await blockThirdPartyCookies(page);
  await page.goto(`http://localhost:${client.port}/`);
  const frame = page.frames()[1];
  if (frame === undefined) throw new Error('the page has no frame');
  await heading(frame).filter({ hasText: 'Hello' }).waitFor();
  expect(new URL(frame.url()).hostname).toBe('127.0.0.1');
  // The page around the frame does not identify the sandbox, so the ribbon must be visible.
  expect(await frame.locator('.ribbon').isVisible()).toBe(true);
  await frame.evaluate("document.cookie = 'seen=1; SameSite=None; Secure'");
  expect(await frame.evaluate('document.cookie')).toBe('');
  await redeem(frame);
  await advance(sandbox, 2);
  await heading(frame).filter({ hasText: 'Delivered' }).waitFor();
  await frame.getByRole('link', { name: 'History' }).click();
  await frame.getByText('Redeemed', { exact: true }).first().waitFor();
});

it('a frame on a site that is not on the list stays empty (OP-95)', async () => {
  const sandbox = await proxiedSandbox();
  ok(
    await sandbox.control.PATCH('/workspace', { body: { settings: { frame_ancestors: ['https://client.example'] } } }),
  );
  const entry = `${sandbox.urls.portal}/ended`;
  const stranger = await httpServer((_, response) => {
    response.setHeader('Content-Type', 'text/html');
    response.end(`<!doctype html><title>Stranger</title><iframe src="${entry}"></iframe>`);
  });
  const page = await open();
  await page.goto(`http://localhost:${stranger.port}/`);
  const [complaint] = [...pages].flatMap((each) => each.complaints.splice(0));
  expect(complaint).toMatch(/violates the following Content Security Policy directive: "frame-ancestors 'self' https:/);
  expect(await page.frames()[1]?.getByText('Your visit has ended').count()).toBe(0);
});

it('OP-182: the microsite frames the portal too, and only one ribbon appears', async () => {
  const sandbox = await proxiedSandbox();
  const page = await open();
  await signIn(sandbox, page);
  await page.getByRole('button', { name: 'Open in this page' }).click();
  const frame = page.frameLocator('iframe');
  await frame.getByRole('heading', { name: 'Hello Surya Kaur' }).waitFor();
  const ribbons = [page.locator('.ribbon'), frame.locator('.ribbon')].map((ribbon) => ribbon.isVisible());
  expect(await Promise.all(ribbons)).toEqual([true, false]);
});

it.each([360, 1280])('OP-182: at %i pixels header and content share the same edges', async (width) => {
  const sandbox = await proxiedSandbox();
  const page = await open({ viewport: { width, height: 800 } });
  for (const url of [await entryFor(sandbox, uid), sandbox.urls.microsite, sandbox.urls.dashboard]) {
    await page.goto(url);
    const edges = await page.evaluate(() =>
      ['.masthead > div', 'main'].map((selector) => {
        const element = document.querySelector(selector) as HTMLElement;
        const { left, right } = element.getBoundingClientRect();
        const { paddingLeft, paddingRight } = getComputedStyle(element);
        return [left + Number.parseFloat(paddingLeft), right - Number.parseFloat(paddingRight)];
      }),
    );
    expect(edges[0], url).toEqual(edges[1]);
  }
});

it('a double click, the back button, a reload and a second tab never order twice (OP-20, OP-96)', async () => {
  const sandbox = await proxiedSandbox();
  for (const javaScriptEnabled of [true, false]) {
    const before = await ordersOf(sandbox);
    const page = await open({ javaScriptEnabled });
    await page.goto(await entryFor(sandbox, uid));
    await page.goto(new URL(`rewards/${voucher.sku}`, page.url()).href);
    await page.getByRole('button', { name: 'Continue' }).click();
    const tab = await page.context().newPage();
    await tab.goto(page.url());
    await page.getByRole('button', { name: 'Redeem 500 points' }).dblclick();
    await heading(page).filter({ hasText: 'Order placed' }).waitFor();
    const order = page.url();
    await page.reload();
    await page.goBack();
    await page.getByRole('button', { name: 'Redeem 500 points' }).click();
    await heading(page).filter({ hasText: 'Order placed' }).waitFor();
    expect(page.url()).toBe(order);
    await tab.getByRole('button', { name: 'Redeem 500 points' }).click();
    await heading(tab).filter({ hasText: 'Order placed' }).waitFor();
    expect(tab.url()).toBe(order);
    expect(await ordersOf(sandbox)).toBe(before + 1);
  }
  expect(await ledgerOf(sandbox, uid)).toMatchObject({ balance: 10_250 });
});

it('OP-182: while other rewards load, their cards are empty', async () => {
  const sandbox = await proxiedSandbox();
  const page = await open();
  await page.goto(await entryFor(sandbox, uid));
  // A browser stays on the current page if the reply contains no page.
  await page.route('**/rewards?page=2', (route) => route.fulfill({ status: 204 }));
  const empty = () => getComputedStyle(document.querySelector('.price') as Element).color === 'rgba(0, 0, 0, 0)';
  expect(await page.evaluate(empty)).toBe(false);
  await page.getByRole('link', { name: 'Next' }).click();
  await page.waitForFunction(empty);
  expect(await page.locator('.shelf').getAttribute('aria-busy')).toBe('true');
  await page.getByRole('link', { name: 'Products' }).click();
  await page.getByText('44 rewards').waitFor();
  expect([await page.evaluate(empty), await page.locator('.shelf').getAttribute('aria-busy')]).toEqual([false, null]);
});

it('OP-186: one click fills in a demo customer, another fills in the code; every new code appears by itself', async () => {
  const sandbox = await testSandbox();
  const page = await open();
  await page.goto(sandbox.urls.microsite);
  await page.getByRole('button', { name: /CUST0001 25,000 points$/ }).click();
  await page.keyboard.press('Enter');
  await heading(page).filter({ hasText: 'Enter your code' }).waitFor();
  const digits = page.locator('.code-card p.digits');
  const newest = async () => ok(await sandbox.control.GET('/messages')).items[0]?.otp ?? '';
  await page.getByRole('button', { name: 'Fill in code' }).waitFor();
  const first = await newest();
  expect(await digits.innerText()).toBe(first);
  await advance(sandbox, 30);
  await page.reload();
  await page.getByRole('button', { name: 'Send new code' }).click();
  await page.getByRole('button', { name: 'Send new code in' }).waitFor();
  await page.getByRole('button', { name: 'Fill in code' }).waitFor();
  expect([await digits.innerText(), (await newest()) === first]).toEqual([await newest(), false]);
  await page.getByRole('button', { name: 'Fill in code' }).click();
  await page.keyboard.press('Enter');
  await heading(page).filter({ hasText: 'Your points' }).waitFor();
});

it('OP-186: a code that the client’s own server sends through the gateway appears when it arrives', async () => {
  const sandbox = await testSandbox();
  const otpReply = { success: true, status: 200, reference_id: 'REF-1', expires_in: 300, mobile: '******0007' };
  const server = await httpServer((_, response) => {
    response.setHeader('Content-Type', 'application/json');
    response.end(JSON.stringify(otpReply));
  });
  const client_url = `http://127.0.0.1:${server.port}`;
  ok(await sandbox.control.PATCH('/workspace', { body: { settings: { client_url } } }));
  const page = await open();
  await page.goto(sandbox.urls.microsite);
  await page.getByLabel('Customer ID').fill('ANN');
  await page.getByRole('button', { name: 'Send code' }).click();
  await page.getByText(client_url).waitFor();
  expect(await page.getByRole('button', { name: 'Fill in code' }).count()).toBe(0);
  const message = {
    channel: 'sms',
    to: '5000000007',
    text: '493027 is your code. It is valid for 5 minutes.',
    reference_id: 'REF-1',
  };
  const reply = await fetch(`${sandbox.urls.gateway}/v1/messages`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', Authorization: `Bearer ${sandbox.credentials.gateway_token}` },
    body: JSON.stringify(message),
  });
  expect(reply.status).toBe(201);
  await page.getByRole('button', { name: 'Fill in code' }).click();
  expect(await page.getByLabel('One-time password').inputValue()).toBe('493027');
});

it('accepts a pasted code with blanks around it, and counts down to the next code', async () => {
  const sandbox = await proxiedSandbox();
  const page = await open();
  await page.goto(sandbox.urls.microsite);
  await page.getByLabel('Customer ID').fill(uid);
  await page.getByRole('button', { name: 'Send code' }).click();
  const resend = page.getByRole('button', { name: /^Send new code in \d+ s$/ });
  expect(await resend.isDisabled()).toBe(true);
  await page.getByLabel('One-time password').evaluate((input) => {
    const clipboardData = new DataTransfer();
    clipboardData.setData('text', ' 123 456\n');
    input.dispatchEvent(new ClipboardEvent('paste', { clipboardData, cancelable: true, bubbles: true }));
  });
  expect(await page.getByLabel('One-time password').inputValue()).toBe('123456');
});
