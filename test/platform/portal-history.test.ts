/** Tests a customer's history as the portal reads it: in parts, newest first. */
import { createSecretKey } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { type WorkspaceCollections, workspaceSchema } from '../../sandbox/assembly/collections.ts';
import type { Line, Order, Payment } from '../../sandbox/platform/collections.ts';
import type { Platform } from '../../sandbox/platform/platform.ts';
import { hasHistory, historyPart } from '../../sandbox/platform/portal-history.ts';
import { PortalOrders } from '../../sandbox/platform/portal-orders.ts';
import { defaultSettings } from '../../sandbox/runtime/settings.ts';
import { openMemoryStore } from '../../sandbox/store/memory.ts';
import type { Store, Tx } from '../../sandbox/store/store.ts';
import { countedReads } from '../harness/counted-reads.ts';

const uid = 'a customer';
const cursorKey = createSecretKey(Buffer.alloc(32, 1));

function putOrder(tx: Tx<WorkspaceCollections>, order_id: string, facts: Partial<Order>): void {
  const order = { order_id, uid, redeemCodes: [`RDM-${order_id}`], state: 'placed', created: 0, seq: 0, ...facts };
  tx.put('orders', order_id, order as unknown as Order);
}

function putPayment(tx: Tx<WorkspaceCollections>, transactionId: string, facts: Partial<Payment>): void {
  tx.put('payments', transactionId, { uid, transactionId, points: 1, ...facts } as unknown as Payment);
}

async function platformWith(fill: (tx: Tx<WorkspaceCollections>) => void) {
  const store = openMemoryStore<WorkspaceCollections>(workspaceSchema, expect.fail);
  await store.transact(fill);
  const given = { store, cursorKey, clock: { now: () => 0 }, settings: () => defaultSettings };
  return given as unknown as Platform & { store: Store<WorkspaceCollections> };
}

/** Returns the ids in each part, and the stated number of remaining entries. */
function partsOf(platform: Platform, of = uid): { ids: string[]; left: number | undefined }[] {
  const parts = [];
  for (let cursor: string | undefined; ; ) {
    const part = historyPart(platform, of, cursor);
    if (part === undefined) throw new Error('its own cursor does not count');
    parts.push({ ids: part.happened.map(({ id }) => id), left: part.left });
    cursor = part.older?.(parts.length);
    if (cursor === undefined) return parts;
  }
}

it('lists each order and payment once, newest first, even if several have the same time', async () => {
  const platform = await platformWith((tx) => {
    for (let number = 0; number < 45; number += 1) {
      // Three orders and three payments share each time. Some entries also have a sequence number in the log.
      putOrder(tx, `O${number}`, { created: Math.floor(number / 3), seq: number % 2 });
      putPayment(tx, `a payment ${number}`, { at: Math.floor(number / 3), ...(number >= 5 && { seq: number % 2 }) });
    }
    putOrder(tx, 'placing', { state: 'placing', created: 9 });
    putOrder(tx, 'failed', { state: 'failed', created: 9 });
    putOrder(tx, 'of another', { uid: 'a', created: 9 });
  });
  const sortKeyOf = (id: string) => {
    const payment = platform.store.get('payments', id);
    const order = platform.store.get('orders', id);
    return [payment?.at ?? order?.created ?? 0, payment?.seq ?? order?.seq ?? 0, order ? 1 : 0] as const;
  };
  const parts = partsOf(platform);
  const ids = parts.flatMap((part) => part.ids);
  expect(parts.map((part) => [part.ids.length, part.left])).toEqual([
    [20, undefined],
    [20, 1],
    [20, 2],
    [20, 3],
    [10, 4],
  ]);
  expect(new Set(ids).size).toBe(90);
  const sortKeys = ids.map((id) =>
    sortKeyOf(id)
      .map((part) => String(part).padStart(3, '0'))
      .join(' '),
  );
  expect(sortKeys).toEqual(sortKeys.toSorted().reverse());
});

it('lists whole orders: a part ends after the order with its twentieth row', async () => {
  const platform = await platformWith((tx) => {
    for (let number = 0; number < 5; number += 1) {
      const redeemCodes = Array.from({ length: 15 }, (_, line) => `RDM-${number}-${line}`);
      putOrder(tx, `O${number}`, { created: number, redeemCodes });
    }
  });
  expect(partsOf(platform).map(({ ids }) => ids)).toEqual([['O4', 'O3'], ['O2', 'O1'], ['O0']]);
  expect(hasHistory(platform, uid)).toEqual({ ordered: true, earned: false });
  expect(hasHistory(platform, 'nobody')).toEqual({ ordered: false, earned: false });
});

it('refuses a cursor that was changed or belongs to another customer', async () => {
  const platform = await platformWith((tx) => {
    for (let number = 0; number < 30; number += 1) putPayment(tx, `T${number}`, { at: number });
  });
  const cursor = historyPart(platform, uid, undefined)?.older?.(7) ?? '';
  expect(historyPart(platform, uid, cursor)?.left).toBe(7);
  expect(historyPart(platform, 'another', cursor)).toBeUndefined();
  expect(historyPart(platform, uid, `${cursor}A`)).toBeUndefined();
  expect(historyPart(platform, uid, 'x')).toBeUndefined();
});

describe('reads as many records at 200 as at 900 orders and payments', async () => {
  const stored = async (size: number) => {
    const platform = await platformWith((tx) => {
      for (let number = 0; number < size; number += 1) {
        putOrder(tx, `O${number}`, { created: number, redeemCodes: [`RDM-${number}`] });
        const line = { redeemCode: `RDM-${number}`, uid, sku_code: 'S', status: 'Delivered', order_id: `O${number}` };
        tx.put('lines', line.redeemCode, line as unknown as Line);
        putPayment(tx, `T${number}`, { at: number });
      }
    });
    const { store, records } = countedReads<WorkspaceCollections, Store<WorkspaceCollections>>(platform.store);
    return { orders: new PortalOrders({ ...platform, store } as unknown as Platform, {} as never), records };
  };
  const [few, many] = [await stored(200), await stored(900)];
  const visitor = { id: 'V', uid };
  it.each([
    ['the newest rows', (orders: PortalOrders) => orders.history(visitor, undefined)?.happened.length],
    [
      'older rows',
      (orders: PortalOrders) => {
        const older = orders.history(visitor, undefined)?.older?.(0);
        return orders.history(visitor, older)?.happened.length;
      },
    ],
    ['the key of a form', (orders: PortalOrders) => orders.formKey(visitor, 'S').length],
  ])('%s', (_, read) => {
    expect(read(many.orders)).toBe(read(few.orders));
    expect(many.records()).toBe(few.records());
  });
});
