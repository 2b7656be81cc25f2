/**
 * A process that uses a store, for the tests that kill it: `node child.ts <action> <folder>`. It writes a line when
 * it has opened the store, and one for each acknowledged transaction.
 */
import { openLowdbStore } from '../../sandbox/store/lowdb.ts';
import { type Collections, schema } from './schema.ts';

const [, , what, dir = ''] = process.argv;
const warn = (message: string): void => console.error(message);
const store = await openLowdbStore<Collections>({ dir, schema, warn, checkpointAfterBytes: 20_000 });
console.log('open');

/** Each transaction writes three records that belong together. */
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
