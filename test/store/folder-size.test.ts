/** Tests that checkpoints limit a data folder's size after many updates of the same records (OP-57). */
import { expect, test } from 'vitest';
import type { Store } from '../../sandbox/store/store.ts';
import { folderBytes, temporaryFolder } from '../harness/folders.ts';
import type { Collections } from './schema.ts';
import { open } from './stores.ts';

/** Updates fifty records of 1 KB repeatedly. Returns the largest folder size, as a multiple of the records' size. */
async function churn(store: Store<Collections>, dir: string, changes: number): Promise<number> {
  let most = 0;
  for (let change = 0; change < changes; change += 1) {
    const order = { customer: 'ann', points: change, note: 'x'.repeat(1000) };
    await store.transact((tx) => tx.put('orders', `o${change % 50}`, order));
    if (change % 10 === 0) most = Math.max(most, await folderBytes(dir));
  }
  return most / (50 * 1050);
}

test('OP-57: the folder takes at most four times the size of its records', async () => {
  const dir = await temporaryFolder();
  const { store } = await open({ dir, checkpointAfterBytes: 20_000 });
  expect(await churn(store, dir, 1000)).toBeLessThan(4);
});
