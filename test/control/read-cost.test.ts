/**
 * Tests that the cost of a read depends on the returned records, not on the stored ones. The tests count records
 * instead of measuring time.
 */
import { describe, expect, it } from 'vitest';
import { type WorkspaceCollections, workspaceSchema } from '../../sandbox/assembly/collections.ts';
import type { Client } from '../../sandbox/client/client.ts';
import { Directory } from '../../sandbox/client/directory.ts';
import { bookEntry } from '../../sandbox/client/ledger.ts';
import { send } from '../../sandbox/client/outbox.ts';
import { schedule } from '../../sandbox/jobs/work.ts';
import type { Line, Order } from '../../sandbox/platform/collections.ts';
import { Deliveries, logTry, WebhookLog } from '../../sandbox/platform/deliveries.ts';
import { PlacedOrders } from '../../sandbox/platform/orders.ts';
import type { Platform } from '../../sandbox/platform/platform.ts';
import { openMemoryStore } from '../../sandbox/store/memory.ts';
import type { Store, Tx } from '../../sandbox/store/store.ts';
import { countedReads } from '../harness/counted-reads.ts';

const uid = 'a customer';
const points = { redeemPoints: 5, tdsPoints: 0, tdsSingleItem: 0, processingFee: 0, totalPointWithProcessingFee: 5 };

/** Stores a placed one-line order with this number. */
function putOrder(tx: Tx<WorkspaceCollections>, number: number, facts: Partial<Order> = {}): void {
  const [order_id, redeemCode] = [`ORD-${number}`, `RDM-${number}`];
  const status = number % 100 === 7 ? 'Rejected' : 'Delivered';
  const order = { order_id, uid, redeemCodes: [redeemCode], seq: number, state: 'placed', status } as const;
  const line = { redeemCode, order_id, uid, status, quantity: 1, points, sku_code: 'EGV-SPICE-100' } as const;
  tx.put('orders', order_id, { ...order, created: 0, updated: 0, ...facts } as unknown as Order);
  tx.put('lines', redeemCode, line as unknown as Line);
}

/** Creates a store with `size` records of each kind for one customer. */
async function filledStore(size: number): Promise<Store<WorkspaceCollections>> {
  const store = openMemoryStore<WorkspaceCollections>(workspaceSchema, expect.fail);
  await store.transact((tx) => {
    const account = { totalEarned: 0, totalRedeemed: 0 };
    tx.put('customers', uid, { uid, account, profile: { mobileNo: '+919999900000' } } as never);
    for (let number = 1; number <= size; number += 1) {
      putOrder(tx, number);
      const customer = tx.get('customers', uid);
      const entry = { kind: 'credit', points: 1, reference: `TXN-${number}` } as const;
      if (customer !== undefined) bookEntry(tx, customer, entry, { at: number, redeemCode: null, seq: number });
      send(tx, { uid, kind: 'credited', text: `${number}`, at: number });
      schedule(tx, { kind: 'fulfilLine', at: number, trace: '', payload: { redeemCode: `RDM-${number}` } });
      const attempt = { at: 0, trace: '', webhook_id: 'WHK-1', delivery: 'W1', number, status: 200, reason: null };
      logTry(tx, { ...attempt, state: 'delivered', next: null, body: '{}' });
    }
    schedule(tx, { kind: 'creditPoints', at: size, trace: '', payload: { transactionId: 'TXN-9' } });
  });
  return store;
}

/** Every list in the control API, each read with a limit of one item. */
const reads = {
  'orders, the newest': (store) => new PlacedOrders(store).list({ limit: 1 }).look(),
  'orders of a status': (store) => new PlacedOrders(store).list({ status: 'Rejected', limit: 1 }).look(),
  'orders of an unused status': (store) => new PlacedOrders(store).list({ status: 'Pending', limit: 1 }).look(),
  'orders of a customer': (store) => new PlacedOrders(store).list({ uid, limit: 1 }).look(),
  'orders of a customer from the first one': (store) =>
    new PlacedOrders(store).list({ uid, after: 0, limit: 1 }).look(),
  'orders of a customer with a status': (store) =>
    new PlacedOrders(store).list({ uid, status: 'Rejected', limit: 1 }).look(),
  'orders of a customer with an unused status': (store) =>
    new PlacedOrders(store).list({ uid, status: 'Pending', limit: 1 }).look(),
  'the ledger': (store) => directoryOf(store).ledger(uid, 0, 1)?.items,
  'the ledger from the middle': (store) => directoryOf(store).ledger(uid, 100, 1)?.items,
  'messages of a customer': (store) => directoryOf(store).messages({ uid }, 1).look(),
  'messages of a channel': (store) => directoryOf(store).messages({ channel: 'SMS' }, 1).look(),
  'messages of an unused channel': (store) => directoryOf(store).messages({ channel: 'WhatsApp' }, 1).look(),
  'messages of a customer by an unused channel': (store) =>
    directoryOf(store).messages({ uid, channel: 'WhatsApp' }, 1).look(),
  'tries of a webhook': (store) => new WebhookLog(store).list('WHK-1', undefined, 1).look(),
  'due deliveries': (store) => new Deliveries({ store } as unknown as Platform).list(undefined, 1),
} satisfies Record<string, (store: Store<WorkspaceCollections>) => readonly unknown[] | undefined>;

function directoryOf(store: Store<WorkspaceCollections>): Directory {
  return new Directory({ store, clock: { now: () => 0 } } as unknown as Client, {} as never, { seed: '' });
}

describe('reads as many records from 200 stored as from 900', async () => {
  const [few, many] = [await filledStore(200), await filledStore(900)];
  it.each(Object.entries(reads))('%s', (_, read) => {
    const [atFew, atMany] = [
      countedReads<WorkspaceCollections, Store<WorkspaceCollections>>(few),
      countedReads<WorkspaceCollections, Store<WorkspaceCollections>>(many),
    ];
    expect(read(atMany.store)?.length).toBe(read(atFew.store)?.length);
    const records = atFew.records();
    expect(atMany.records()).toBe(records);
    expect(records).toBeLessThan(10);
  });
});

it('a filter of orders and its query agree on every order', async () => {
  const store = await filledStore(210);
  const orders = new PlacedOrders(store);
  await store.transact((tx) => {
    putOrder(tx, 211, { uid: 'another' });
    putOrder(tx, 212, { seq: 0 });
  });
  const filters = [
    {},
    { uid },
    { uid: 'another' },
    { uid: 'nobody' },
    { status: 'Rejected' },
    { uid, status: 'Rejected' },
    { uid, after: 105 },
    { status: 'Delivered', after: 205 },
  ] as const;
  for (const filter of filters) {
    const query = orders.list({ ...filter, limit: 1000 });
    const matching = store.all('orders').filter((order) => query.matches(order));
    expect(query.look().map(({ seq }) => seq)).toEqual(matching.map(({ seq }) => seq));
  }
});
