/**
 * Uses a store in a separate process that tests can kill. Prints a line after opening the store, and a line for each
 * acknowledged transaction.
 *
 * Usage: `node child.ts <action> <folder>`.
 */
import { openLowdbStore } from '../../sandbox/store/lowdb.ts';
import { type Collections, schema } from './schema.ts';

const [, , what, dir = ''] = process.argv;
const warn = (message: string): void => console.error(message);
const store = await openLowdbStore<Collections>({ dir, schema, warn, checkpointAfterBytes: 20_000 });
console.log('open');

/** Writes three related records in one transaction. */
async function order(n: number): Promise<void> {
  const id = `o${n}`;
  await store.transact((tx) => {
    tx.put('orders', id, { customer: 'ann', points: n });
    tx.put('counters', `${id} debit`, { value: n });
    tx.put('counters', `${id} credit`, { value: n });
  });
  console.log(id);
}

if (what === 'burst') {
  for (let n = 0; ; n += 50) await Promise.all(Array.from({ length: 50 }, (_, at) => order(n + at)));
} else if (what === 'hold') {
  process.stdin.resume();
} else if (what === 'leave') {
  await order(1);
}
