/** Opens stores with the schema of these tests, and reads the content of stores and folders. */
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { ByteBudget } from '../../sandbox/store/byte-budget.ts';
import { type LowdbOptions, openLowdbStore } from '../../sandbox/store/lowdb.ts';
import { Sealer, StoreSealer } from '../../sandbox/store/seal.ts';
import type { Store } from '../../sandbox/store/store.ts';
import { type Collections, schema } from './schema.ts';

/** Opens a store in `dir` and closes it after the test. Returns it with its warnings. */
export async function open({
  key,
  maxBytes,
  ...options
}: Partial<LowdbOptions<Collections>> & { dir: string; key?: Uint8Array | undefined; maxBytes?: number }): Promise<{
  store: Store<Collections>;
  warnings: string[];
}> {
  const warnings: string[] = [];
  const sealer = new StoreSealer(new Sealer(key));
  const warn = (message: string) => warnings.push(message);
  const store = await openLowdbStore({ schema, sealer, budget: new ByteBudget(maxBytes), warn, ...options });
  onTestFinished(() => store.close());
  return { store, warnings };
}

/** Returns all records of the store. */
export function contentOf(store: Store<Collections>): Record<keyof Collections, readonly object[]> {
  return { orders: store.all('orders'), counters: store.all('counters') };
}

/** Returns the content of each data file in the folder as a hexadecimal string. */
export async function bytesOf(dir: string): Promise<Record<string, string>> {
  const names = (await readdir(dir)).filter((name) => !name.startsWith('lock')).sort();
  const entries = names.map(async (name) => [name, (await readFile(join(dir, name))).toString('hex')] as const);
  return Object.fromEntries(await Promise.all(entries));
}

/** Writes two records of two collections in one transaction. */
export const pay = (store: Store<Collections>, id: string, note = ''): Promise<void> =>
  store.transact((tx) => {
    tx.put('orders', id, { customer: 'ann', points: 5, note });
    tx.put('counters', 'paid', { value: (tx.get('counters', 'paid')?.value ?? 0) + 1 });
  });
