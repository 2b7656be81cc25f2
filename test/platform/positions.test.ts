import { expect, test } from 'vitest';
import { dueSchema } from '../../sandbox/jobs/work.ts';
import { platformSchema } from '../../sandbox/platform/collections.ts';
import { outstandingIn, platformPosition } from '../../sandbox/platform/partner-balances.ts';
import { openMemoryStore } from '../../sandbox/store/memory.ts';

const spec = { lines: {}, orders: platformSchema.orders, parked: platformSchema.parked, ...dueSchema };

/** Creates collections with the given records. A test fails if it reads them in any other way than by id or by key. */
async function collectionsWith(put: Readonly<Record<string, Readonly<Record<string, unknown>>>>) {
  const store = openMemoryStore<Record<string, unknown>>(spec as never, expect.fail);
  await store.transact((tx) => {
    for (const [collection, records] of Object.entries(put)) {
      for (const [id, record] of Object.entries(records)) tx.put(collection, id, record);
    }
  });
  const lookups = { get: store.get.bind(store), find: store.find.bind(store) };
  const collections = new Proxy(lookups, {
    get: (target, name) => (name in target ? Reflect.get(target, name) : expect.fail(`${String(name)} reads all`)),
  });
  // The result is wrapped in an object, because `await` reads its `then` property.
  return { collections: collections as never };
}

const line = { redeemCode: 'RC1', uid: 'ann', order_id: 'ORD-1', status: 'Pending', points: {} };
const order = { order_id: 'ORD-1', uid: 'ann', state: 'placed', seq: 1, reference_id: null };
const work = (kind: string, payload: Readonly<Record<string, string>>) => {
  return { kind, payload, trace: 't', tries: 0, at: 0 };
};

test.each([
  ['due', 'fulfilLine', { redeemCode: 'RC1' }, 'due'],
  ['due', 'reportStatus', { redeemCode: 'RC1' }, 'due'],
  ['due', 'abandonOrder', { order_id: 'ORD-1' }, 'due'],
  ['parked', 'reportStatus', { redeemCode: 'RC1' }, 'parked'],
  ['due', 'reportStatus', { redeemCode: 'RC2' }, 'none'],
  // This job belongs to the client itself.
  ['due', 'pendingTimeout', { redeemCode: 'RC1' }, 'none'],
] as const)('OP-23: with %s work %s about %o a redemption is %s', async (collection, kind, payload, outstanding) => {
  const { collections } = await collectionsWith({
    lines: { RC1: line },
    orders: { 'ORD-1': order },
    [collection]: { W1: work(kind, payload) },
  });
  expect(platformPosition(collections, 'RC1')?.outstanding).toBe(outstanding);
});

test('OP-23: a payment has outstanding work while its credit is due or parked', async () => {
  const { collections: due } = await collectionsWith({ due: { W1: work('creditPoints', { transactionId: 'PAY-1' }) } });
  const { collections: parked } = await collectionsWith({
    parked: { W1: work('creditPoints', { transactionId: 'PAY-1' }) },
  });
  const outstanding = [due, parked].map((collections) =>
    ['PAY-1', 'PAY-2'].map((id) => outstandingIn(collections).ofPayment(id)),
  );
  expect(outstanding).toEqual([
    ['due', 'none'],
    ['parked', 'none'],
  ]);
});
