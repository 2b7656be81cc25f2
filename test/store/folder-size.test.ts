/** How large a data folder gets by changes that add nothing: a checkpoint trims the log as it grows (OP-57). */
import { expect, test } from 'vitest';
import type { Store } from '../../sandbox/store/store.ts';
import { folderBytes, temporaryFolder } from '../harness/folders.ts';
import type { Collections } from './schema.ts';
import { open } from './stores.ts';

/** Writes fifty records of 1 KB over and over, and tells the most that the folder took, in times of what is held. */
async function churn(store: Store<Collections>, dir: string, changes: number): Promise<number> {
  let most = 0;
  for (let change = 0; change < changes; change += 1) {
    const order = { customer: 'ann', points: change, note: 'x'.repeat(1000) };
    await store.transact((tx) => tx.put('orders', `o${change % 50}`, order));
    if (change % 10 === 0) most = Math.max(most, await folderBytes(dir));
  }
  return most / (50 * 1050);
}

test('OP-57: the folder takes four times what is held at most', async () => {
  const dir = await temporaryFolder();
  const { store } = await open({ dir, checkpointAfterBytes: 20_000 });
  expect(await churn(store, dir, 1000)).toBeLessThan(4);
});

test('the measure sees a log that is never trimmed', async () => {
  const dir = await temporaryFolder();
  const { store } = await open({ dir, checkpointAfterBytes: Number.POSITIVE_INFINITY });
  expect(await churn(store, dir, 1000)).toBeGreaterThan(15);
});
