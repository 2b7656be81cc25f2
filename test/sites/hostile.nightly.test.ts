/** Tests that product names, profiles, remarks and typed values appear as text on every page. */
import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { browserOfFile, watched } from '../harness/browser.ts';
import { hostile } from '../harness/hostile.ts';
import { advance, order, vendorWill } from '../harness/orders.ts';
import { ok, type TestSandbox, testSandbox } from '../harness/sandbox.ts';
import { enter, look, send } from '../harness/visitor.ts';

const uid = 'CUST0007';
const skuOf = (index: number) => `EGV-HOSTILE-${index}`;
const browser = browserOfFile();

/** A page as a browser parses it: its text, its field values, and everything that could run or load. */
interface ParsedPage {
  readonly texts: string[];
  readonly active: string[];
}

/** Parses a page in a browser without running its scripts. */
function parsePage(page: Page, text: string): Promise<ParsedPage> {
  return page.evaluate((source) => {
    const parsed = new DOMParser().parseFromString(source, 'text/html');
    const elements = [...parsed.querySelectorAll('*')];
    const own = (element: Element) => [...element.childNodes].filter((node) => node.nodeType === 3);
    const values = elements.flatMap((element) => [
      element.getAttribute('value') ?? '',
      ...own(element).map((node) => node.textContent ?? ''),
    ]);
    const allowed = new Set([
      '/assets/',
      'rewards',
      'history',
      '../',
      'orders/',
      '#main',
      '/sandbox/v1/',
      '/microsite/',
      '',
    ]);
    const elsewhere = (address: string) => ![...allowed].some((start) => start !== '' && address.startsWith(start));
    const active = elements.flatMap((element) => [
      ...(['IFRAME', 'OBJECT', 'BASE', 'STYLE', 'TEMPLATE', 'IMG', 'MATH'].includes(element.tagName.toUpperCase())
        ? [element.tagName]
        : []),
      ...[...element.attributes].filter(({ name }) => /^on|^style$|^srcdoc$/.test(name)).map(({ name }) => name),
      ...['href', 'src'].flatMap((name) => element.getAttribute(name) ?? []).filter(elsewhere),
      ...(element.tagName === 'SCRIPT' && !element.getAttribute('src')?.startsWith('/assets/') ? ['script'] : []),
    ]);
    return { texts: values, active };
  }, text);
}

/** Creates an item and a rejection reason for each hostile string, and orders all items. The vendor rejects them. Returns the order ids. */
async function rejectHostileOrders(sandbox: TestSandbox): Promise<string[]> {
  const { control } = sandbox;
  ok(await control.PATCH('/customers/{uid}', { params: { path: { uid } }, body: { points: { balance: 1_000_000 } } }));
  for (const [index, skus] of hostile.entries()) {
    const body = { sku_code: skuOf(index), product_type: 'EGV', skus, denomination_value: '1', stock: 9 } as const;
    ok(await control.POST('/catalogue', { body }));
    await vendorWill(sandbox, skuOf(index), { outcome: 'reject', reason: `${index}: ${skus}` });
  }
  const orders: string[] = [];
  for (let start = 0; start < hostile.length; start += 20) {
    const line_items = hostile
      .slice(start, start + 20)
      .map((_, offset) => ({ sku: skuOf(start + offset), quantity: 1 }));
    orders.push(ok(await order(sandbox, { uid, line_items })).order_id);
  }
  await advance(sandbox, 2);
  return orders;
}

it('more than a hundred hostile names and remarks are text on every page of the portal, and run nowhere', async () => {
  expect(new Set(hostile).size).toBe(hostile.length);
  expect(hostile.length).toBeGreaterThan(100);
  const sandbox = await testSandbox();
  const orders = await rejectHostileOrders(sandbox);
  const session = await enter(sandbox, uid);
  const context = await browser().newContext();
  const { page, complaints } = await watched(context);

  // Check pages with many hostile strings in a real browser.
  const pageTexts: string[] = [];
  const shelves = Array.from(
    { length: Math.ceil(hostile.length / 12) },
    (_, index) => `rewards?q=hostile&page=${index + 1}`,
  );
  const collectTexts = async () => {
    pageTexts.push(...(await page.locator('.what strong, .ordered strong, .remark, .entry .quiet').allTextContents()));
  };
  for (const path of [...shelves, ...orders.map((id) => `orders/${id}`), 'history']) {
    await page.goto(session + path);
    await collectTexts();
  }
  for (const older = page.locator('a[rel=next]'); (await older.count()) > 0; await collectTexts()) await older.click();
  const count = (text: string) => pageTexts.filter((each) => each === text).length;
  expect(hostile.filter((text) => count(text) !== 3)).toEqual([]);
  expect(hostile.filter((text, index) => count(`Reason: ${index}: ${text}`) !== 2)).toEqual([]);
  expect(complaints).toEqual([]);

  // Check pages with one hostile string, and typed values, with only the browser's parser.
  const wrong: unknown[] = [];
  for (const [index, text] of hostile.entries()) {
    const form = `sku=${skuOf(index)}&quantity=1&form_key=${'0'.repeat(32)}`;
    for (const path of [`rewards/${skuOf(index)}`, `checkout?${form}`, `rewards?${new URLSearchParams({ q: text })}`]) {
      const response = await look(session + path);
      const { texts, active } = await parsePage(page, response.text);
      if (response.status !== 200 || !texts.includes(text) || active.length > 0) wrong.push({ path, text, active });
    }
  }
  expect(wrong).toEqual([]);
  await context.close();
}, 120_000);

it('names and addresses of a profile, rejected form values and customer ids are text too', async () => {
  const sandbox = await testSandbox();
  const session = await enter(sandbox, uid);
  const context = await browser().newContext();
  const { page, complaints } = await watched(context);
  const wrong: unknown[] = [];
  const judge = async (where: string, response: { text: string }, expectedText: string) => {
    const { texts, active } = await parsePage(page, response.text);
    if (!texts.some((text) => text.includes(expectedText)) || active.length > 0)
      wrong.push({ where, expectedText, active });
  };
  const fields = { form_key: '0'.repeat(32), sku: 'PHY-KETTLE-01', quantity: '1' };
  for (const text of hostile) {
    const profile = { name: text, address1: text, address2: '', city: 'Pune' };
    ok(await sandbox.control.PATCH('/customers/{uid}', { params: { path: { uid } }, body: { profile } }));
    await judge('name', await look(`${session}rewards`), `Hello ${text}`);
    await judge('address', await look(`${session}checkout?${new URLSearchParams(fields)}`), `${text}, Pune`);
    const again = await send(`${session}orders`, { ...fields, address: text, pincode: text.slice(0, 100), state: '' });
    await judge('address again', again, text);
    await judge('customer id', await send(`${sandbox.urls.microsite}/codes`, { customer_id: text }), text);
  }
  expect(wrong).toEqual([]);
  await page.goto(`${session}rewards`);
  expect(await page.locator('h1').textContent()).toBe(`Hello ${hostile.at(-1)}`);
  expect(complaints).toEqual([]);
  await context.close();
}, 120_000);
