/** Tests that every page costs the same at any position in a catalogue of a million items (OP-12). */
import { createSecretKey } from 'node:crypto';
import { expect, it } from 'vitest';
import { cataloguePage, writeCursor } from '../../sandbox/platform/catalogue.ts';
import { type Item, type PlatformCollections, platformSchema } from '../../sandbox/platform/collections.ts';
import { Clock, freshClock } from '../../sandbox/runtime/clock.ts';
import { orderedKey } from '../../sandbox/runtime/ids.ts';
import { defaultSettings } from '../../sandbox/runtime/settings.ts';
import { openMemoryStore } from '../../sandbox/store/memory.ts';

const cursorKey = createSecretKey(Buffer.alloc(32, 7));
const limit = 50;

/** Returns a catalogue item. Even and odd ids have different product types. */
function itemOf(id: number): Item {
  return {
    id,
    product_type: id % 2 === 0 ? 'EGV' : 'PHYSICAL',
    sku_code: `SKU-${id}`,
    skus: `Item ${id}`,
    status: 1,
    priceInr: 500,
    stock: 10,
    qty_trigger_limit: 5,
    vendor: 'egift',
  };
}

/**
 * Measures the first, middle and last page of a catalogue of this size. Returns the shortest time of each, in
 * milliseconds, and its first and last id.
 */
async function pagesOf(count: number) {
  const store = openMemoryStore<Pick<PlatformCollections, 'items'>>({ items: platformSchema.items });
  for (let id = 1; id <= count; ) {
    const until = Math.min(count, id + 9_999);
    await store.transact((tx) => {
      for (; id <= until; id += 1) tx.put('items', orderedKey(id), itemOf(id));
    });
  }
  const clock = new Clock(freshClock('frozen'), () => 0);
  const settings = () => defaultSettings;
  const platform = { store, clock, cursorKey, settings } as unknown as Parameters<typeof cataloguePage>[0];
  const places = [0, Math.floor(count / 2), count - limit].map((after) => {
    const until = clock.now() + 1;
    const cursor = writeCursor({ after: orderedKey(after), filter: 'all', until }, cursorKey);
    return { cursor: after === 0 ? '' : cursor, shortest: Number.POSITIVE_INFINITY, ids: [0, 0], more: true };
  });
  // Alternate between the pages, so that other load on the machine affects them equally.
  for (let round = 0; round < 100; round += 1) {
    for (const place of places) {
      const began = performance.now();
      const page = cataloguePage(platform, { limit, ...(place.cursor !== '' && { cursor: place.cursor }) });
      place.shortest = Math.min(place.shortest, performance.now() - began);
      if ('kind' in page) throw new Error(`the page was refused: ${page.kind}`);
      const { items, has_more } = page.body;
      place.ids = [items[0]?.id ?? 0, items.at(-1)?.id ?? 0];
      place.more = has_more;
    }
  }
  await store.close();
  return places.map(({ cursor: _, ...place }) => place);
}

it.each([
  ['50,000', 50_000],
  ['1,000,000', 1_000_000],
])('OP-12: the deepest page of %s items costs no more than twice the first', async (_, count) => {
  const [first, middle, last] = await pagesOf(count);
  expect([first?.ids, last?.ids, last?.more]).toEqual([[1, 50], [count - 49, count], false]);
  for (const page of [middle, last]) expect(page?.shortest).toBeLessThan(2 * (first?.shortest ?? 0));
});
