/**
 * Tests that new records replace expired ones. Unexpired records are never dropped, and the number of records never
 * exceeds the maximum number of concurrently unexpired ones (OP-57).
 */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { openLowdbStore } from '../../sandbox/store/lowdb.ts';
import { dropEnded } from '../../sandbox/store/pruning.ts';
import type { Store, StoreSchema } from '../../sandbox/store/store.ts';
import { temporaryFolder } from '../harness/folders.ts';

interface Collections {
  readonly codes: { readonly until: number };
}

const schema: StoreSchema<Collections> = { codes: { until: ({ until }) => until } };

const step = fc.oneof(
  { weight: 8, arbitrary: fc.record({ wait: fc.nat({ max: 20 }), last: fc.nat({ max: 100 }) }) },
  { weight: 1, arbitrary: fc.constantFrom('restart' as const, 'removed' as const) },
);

type Step = typeof step extends fc.Arbitrary<infer S> ? S : never;

/** Checks the store after a step. Without a limit, it contains every unexpired record of `living`. */
function expectLiving(
  store: Store<Collections>,
  living: Map<string, number>,
  now: number,
  bound: number,
  most?: number,
): void {
  for (const [id, end] of living) if (end < now) living.delete(id);
  if (most === undefined) for (const id of living.keys()) expect(store.get('codes', id)).toBeDefined();
  expect(store.count('codes')).toBeLessThanOrEqual(Math.min(Math.max(bound, living.size), most ?? Infinity));
}

/** Runs a history of records with different expiry times, and checks the store after each step. */
async function follow(history: readonly Step[], most?: number) {
  const dir = await temporaryFolder();
  const open = () =>
    openLowdbStore({ dir, schema, warn: (message) => expect.fail(message), checkpointAfterBytes: 300 });
  let store = await open();
  let now = 0;
  let mostLiving = 0;
  const living = new Map<string, number>();
  for (const [number, what] of history.entries()) {
    if (what === 'restart') {
      await store.close();
      store = await open();
    } else if (what === 'removed') {
      const [id = ''] = store.ids('codes');
      await store.transact((tx) => tx.remove('codes', id));
      living.delete(id);
    } else {
      now += what.wait;
      const until = now + what.last;
      living.set(`c${number}`, until);
      await store.transact((tx) => {
        tx.put('codes', `c${number}`, { until });
        dropEnded(tx, 'codes', now, most);
      });
      expectLiving(store, living, now, mostLiving, most);
      mostLiving = Math.max(mostLiving, living.size);
    }
  }
  await store.close();
}

test('OP-57: no record that counts is dropped, and there are never more than ever counted concurrently', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 40 }), (history) => follow(history)),
    { numRuns: 60 },
  );
});

test('OP-57: there are never more records than the limit, and the first to expire is dropped first', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 40 }), (history) => follow(history, 5)),
    { numRuns: 30 },
  );
});

test('OP-57: as many records as the limit stay, and one more drops the first to expire', async () => {
  const store = await openLowdbStore({ dir: await temporaryFolder(), schema, warn: (message) => expect.fail(message) });
  const add = (id: string, until: number) =>
    store.transact((tx) => {
      tx.put('codes', id, { until });
      dropEnded(tx, 'codes', 0, 3);
    });
  await add('long', 30);
  await add('short', 10);
  await add('middle', 20);
  expect(store.ids('codes')).toEqual(['long', 'short', 'middle']);
  await add('longest', 40);
  expect(store.ids('codes')).toEqual(['long', 'middle', 'longest']);
  await store.close();
});

test('OP-57: each new record drops two expired ones, so that those of a burst are soon gone', async () => {
  const store = await openLowdbStore({ dir: await temporaryFolder(), schema, warn: (message) => expect.fail(message) });
  const add = (id: string, now: number) =>
    store.transact((tx) => {
      tx.put('codes', id, { until: now + 10 });
      dropEnded(tx, 'codes', now);
    });
  for (let number = 0; number < 100; number += 1) await add(`burst ${number}`, 0);
  for (let number = 0; number < 60; number += 1) await add(`later ${number}`, 100);
  expect(store.ids('codes')).toEqual(Array.from({ length: 60 }, (_, number) => `later ${number}`));
  await store.close();
});
