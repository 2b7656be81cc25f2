import { expect, it } from 'vitest';
import { flat, plain } from '../harness/envelopes.ts';
import { ok, raw, type TestSandbox, testSandbox } from '../harness/sandbox.ts';

type Query = { type?: 'egv' | 'physical'; limit?: number; cursor?: string };

async function page({ rewards, companyToken }: TestSandbox, query: Query = {}) {
  return ok(await rewards(await companyToken()).GET('/v1/partner/rewards', { params: { query } }));
}

/** Follows the cursors to the last page. `between` runs after each page. */
async function walk(sandbox: TestSandbox, query: Query, between = async (_page: number) => {}) {
  const items: Awaited<ReturnType<typeof page>>['items'] = [];
  let pages = 0;
  for (let cursor: string | null | undefined; cursor !== null; pages += 1) {
    const part = await page(sandbox, { ...query, ...(cursor !== undefined && { cursor }) });
    expect(part.has_more).toBe(part.next_cursor !== null);
    items.push(...part.items);
    cursor = part.next_cursor;
    await between(pages);
  }
  return { items, pages };
}

const ids = (items: readonly { id: number }[]) => items.map(({ id }) => id);
const firstIds = (count: number, from = 1) => Array.from({ length: count }, (_, index) => from + index);

it('A7, L2, L3: a page holds 50 items without a limit, and 200 at most', async () => {
  const sandbox = await testSandbox();
  expect(ids((await page(sandbox)).items)).toEqual(firstIds(50));
  const all = await page(sandbox, { limit: 200 });
  expect(ids(all.items)).toEqual(firstIds(150));
  expect({ next_cursor: all.next_cursor, has_more: all.has_more }).toEqual({ next_cursor: null, has_more: false });
});

it.each([1, 7, 50, 70, 149, 150, 200])(
  'A6, A8, A9, A10, R7: a full sync in pages of %i lists every item exactly once',
  async (limit) => {
    const sandbox = await testSandbox();
    const { items, pages } = await walk(sandbox, { limit });
    expect(ids(items)).toEqual(firstIds(150));
    expect(pages).toBe(Math.ceil(150 / limit));
  },
);

it('R1, R4, R5: an item has exactly the fields of its kind', async () => {
  const sandbox = await testSandbox();
  const { items } = ok(await sandbox.control.GET('/catalogue'));
  const listed = (await page(sandbox, { limit: 200 })).items;
  expect(listed).toEqual(items.map(({ stock, vendor, ...item }) => item));
  expect(listed[2]).toEqual({
    id: 3,
    product_type: 'EGV',
    sku_code: 'EGV-SPICE-500',
    status: 1,
    skus: 'Spice Route Kitchen e-gift voucher 500',
    denomination_value: '500',
    qty_trigger_limit: '20',
    qty: String(items[2]?.stock),
  });
  expect(listed[100]).toEqual({
    id: 101,
    product_type: 'PHYSICAL',
    sku_code: 'PHY-KETTLE-01',
    status: 1,
    skus: 'Steel electric kettle 1.5 l, indigo',
    price: '1499',
    stock_qty: String(items[100]?.stock),
  });
});

it('A5, R2: the type filter lists one kind only, on every page', async () => {
  const sandbox = await testSandbox();
  const egv = await walk(sandbox, { type: 'egv', limit: 30 });
  expect(ids(egv.items)).toEqual([...firstIds(100), ...firstIds(6, 141)]);
  expect(new Set(egv.items.map((item) => item.product_type))).toEqual(new Set(['EGV']));
  const physical = await walk(sandbox, { type: 'physical', limit: 30 });
  expect(ids(physical.items)).toEqual([...firstIds(40, 101), ...firstIds(4, 147)]);
  expect(new Set(physical.items.map((item) => item.product_type))).toEqual(new Set(['PHYSICAL']));
});

it('OP-12: a sync lists every existing item once, while others are added and changed in between', async () => {
  const sandbox = await testSandbox();
  const { items } = await walk(sandbox, { limit: 20 }, async (number) => {
    const body = { sku_code: `EGV-ADDED-${number}`, product_type: 'EGV' } as const;
    if (number < 4) ok(await sandbox.control.POST('/catalogue', { body }));
    for (const sku_code of ['EGV-SPICE-100', 'PHY-CLOCK-04']) {
      const change = { params: { path: { sku_code } }, body: { stock: number } };
      ok(await sandbox.control.PATCH('/catalogue/{sku_code}', change));
    }
  });
  expect(ids(items)).toEqual(firstIds(154));
});

it('OP-12, OP-86: a sync continues after removed items, and lists each remaining item once', async () => {
  const sandbox = await testSandbox();
  const { items: all } = ok(await sandbox.control.GET('/catalogue'));
  // After each page, remove its last item, where the cursor continues, and the second item of the next page.
  const removed = new Set<number>();
  const { items } = await walk(sandbox, { limit: 20 }, async (number) => {
    for (const id of [20 * (number + 1), 20 * (number + 1) + 2]) {
      const sku_code = all.find((item) => item.id === id)?.sku_code;
      if (sku_code === undefined) continue;
      await sandbox.control.DELETE('/catalogue/{sku_code}', { params: { path: { sku_code } } });
      removed.add(id);
    }
  });
  const listedIds = ids(items);
  expect(removed.size).toBeGreaterThan(10);
  expect(new Set(listedIds).size).toBe(listedIds.length);
  expect(listedIds.filter((id) => !removed.has(id))).toEqual(firstIds(150).filter((id) => !removed.has(id)));
});

it('OP-10: items that are inactive or out of stock are listed too', async () => {
  const sandbox = await testSandbox();
  const change = async (sku_code: string, body: { status?: 0; stock?: number }) =>
    ok(await sandbox.control.PATCH('/catalogue/{sku_code}', { params: { path: { sku_code } }, body }));
  await change('EGV-SPICE-100', { status: 0 });
  await change('EGV-SPICE-250', { stock: 0 });
  const { items } = await page(sandbox, { limit: 3 });
  expect(items.map(({ sku_code, status }) => [sku_code, status])).toEqual([
    ['EGV-SPICE-100', 0],
    ['EGV-SPICE-250', 2],
    ['EGV-SPICE-500', 1],
  ]);
});

it.each(['0', '-1', '201', '1e2', '50.0', '1.5', ' 5', '05', '', 'ten', '9'.repeat(30), '５'])(
  'OP-11: limit=%s is refused with code 52',
  async (limit) => {
    const sandbox = await testSandbox();
    const headers = { authorization: await sandbox.companyToken() };
    const url = `${sandbox.urls.rewards}/v1/partner/rewards?limit=${encodeURIComponent(limit)}`;
    expect(plain(await raw(url, { headers }))).toEqual(flat(400, 52, 'Invalid limit'));
  },
);

it('OP-11: unknown query parameters are ignored', async () => {
  const sandbox = await testSandbox();
  const headers = { authorization: await sandbox.companyToken() };
  const url = `${sandbox.urls.rewards}/v1/partner/rewards?limit=2&page=3&Type=egv&limit[]=9&__proto__=x`;
  expect(plain(await raw(url, { headers }))).toEqual({ status: 200, body: await page(sandbox, { limit: 2 }) });
});
