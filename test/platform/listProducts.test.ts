/** Tests the catalogue with numbered pages (F3, OP-28). */
import { expect, it } from 'vitest';
import { flat, plain } from '../harness/envelopes.ts';
import { logIn, ok, raw, type TestSandbox, testSandbox } from '../harness/sandbox.ts';

type Query = { page?: number; limit?: number; type?: 'egv' | 'physical'; q?: string };

async function products(sandbox: TestSandbox, query: Query = {}) {
  return ok(await sandbox.general(await logIn(sandbox, 'CUST0001')).GET('/v1/products', { params: { query } }));
}

it('OP-28: the first page holds 50 of the items that the rewards API lists, with the totals', async () => {
  const sandbox = await testSandbox();
  const rewards = ok(await sandbox.rewards(await sandbox.companyToken()).GET('/v1/partner/rewards'));
  expect(await products(sandbox)).toEqual({ items: rewards.items, page: 1, limit: 50, total: 150, total_pages: 3 });
});

it('F3: OP-28: the pages together list every item once; the last is short, the page after it empty', async () => {
  const sandbox = await testSandbox();
  const ids: number[] = [];
  for (const page of [1, 2, 3]) {
    const { items, ...rest } = await products(sandbox, { page, limit: 60 });
    expect(rest).toEqual({ page, limit: 60, total: 150, total_pages: 3 });
    ids.push(...items.map(({ id }) => id));
  }
  expect(ids).toEqual(Array.from({ length: 150 }, (_, index) => index + 1));
  const behind = { items: [], page: 4, limit: 60, total: 150, total_pages: 3 };
  expect(await products(sandbox, { page: 4, limit: 60 })).toEqual(behind);
  expect((await products(sandbox, { page: 1_000_000, limit: 200 })).items).toEqual([]);
});

it('F3: OP-28: type lists and counts one kind only', async () => {
  const sandbox = await testSandbox();
  const egv = await products(sandbox, { type: 'egv', limit: 200 });
  expect(new Set(egv.items.map(({ product_type }) => product_type))).toEqual(new Set(['EGV']));
  expect({ total: egv.total, total_pages: egv.total_pages }).toEqual({ total: 106, total_pages: 1 });
  const physical = await products(sandbox, { type: 'physical', limit: 43 });
  expect({ total: physical.total, total_pages: physical.total_pages }).toEqual({ total: 44, total_pages: 2 });
});

it.each([
  ['a SKU', 'EGV-SPICE-500', ['EGV-SPICE-500']],
  ['small letters', 'egv-spice-500', ['EGV-SPICE-500']],
  ['words of the name', 'route kitchen 500', ['EGV-SPICE-500']],
  ['words in another order, apart', '  500   KITCHEN route ', ['EGV-SPICE-500']],
  ['words of name and SKU', 'kettle indigo', ['PHY-KETTLE-01']],
  ['text that no item has', 'no such thing', []],
])('OP-28: q finds by %s', async (_, q, skus) => {
  const sandbox = await testSandbox();
  const { items, ...rest } = await products(sandbox, { q });
  expect(items.map(({ sku_code }) => sku_code)).toEqual(skus);
  const total_pages = skus.length === 0 ? 0 : 1;
  expect(rest).toEqual({ page: 1, limit: 50, total: skus.length, total_pages });
});

it('an empty q finds everything, and q and type combine', async () => {
  const sandbox = await testSandbox();
  expect((await products(sandbox, { q: '' })).total).toBe(150);
  const spice = await products(sandbox, { q: 'spice' });
  expect(spice.total).toBeGreaterThan(0);
  expect((await products(sandbox, { q: 'spice', type: 'physical' })).total).toBe(
    spice.items.filter(({ product_type }) => product_type === 'PHYSICAL').length,
  );
});

it.each([
  ['page=0', flat(400, 53, 'Invalid request: query parameter page must be at least 1')],
  ['page=1000001', flat(400, 53, 'Invalid request: query parameter page must be at most 1,000,000')],
  ['page=1.5', flat(400, 53, 'Invalid request: query parameter page must be an integer')],
  ['page=1&page=2', flat(400, 53, 'Invalid request: query parameter page must be an integer')],
  ['limit=0', flat(400, 52, 'Invalid limit')],
  ['limit=201', flat(400, 52, 'Invalid limit')],
  ['type=EGV', flat(400, 50, 'Invalid type filter value')],
  [`q=${'x'.repeat(101)}`, flat(400, 53, 'Invalid request: query parameter q must have at most 100 characters')],
])('?%s is refused', async (query, expected) => {
  const sandbox = await testSandbox();
  const headers = { authorization: `Bearer ${await logIn(sandbox, 'CUST0001')}` };
  expect(plain(await raw(`${sandbox.urls.general}/v1/products?${query}`, { headers }))).toEqual(expected);
});
