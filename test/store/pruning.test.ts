/**
 * What no longer counts is dropped as more comes: never what counts, and never is there more than there ever has to be
 * (OP-57).
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

/** What has to be there after each step: those of `living` that still count, if the number is not bounded. */
function judge(
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

/** Runs a history of records that are added with a life of their own, and looks after each. */
async function follow(history: readonly Step[], most?: number) {
  const dir = await temporaryFolder();
  const open = () =>
    openLowdbStore({ dir, schema, warn: (message) => expect.fail(message), checkpointAfterBytes: 300 });
  let store = await open();
  let now = 0;
  let mostAtOnce = 0;
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
      judge(store, living, now, mostAtOnce, most);
      mostAtOnce = Math.max(mostAtOnce, living.size);
    }
  }
  await store.close();
}

test('OP-57: nothing that counts is dropped, and there are never more than once counted at the same time', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 40 }), (history) => follow(history)),
    { numRuns: 60 },
  );
});

test('OP-57: with a bound in number there are never more, and those go first that end first', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 40 }), (history) => follow(history, 5)),
    { numRuns: 30 },
  );
});

test('OP-57: as many as the bound says stay, and one more drops the one that ends first', async () => {
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

test('OP-57: two go for each that comes, so that what a burst left is gone soon', async () => {
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
