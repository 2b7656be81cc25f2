/**
 * Fills a data folder with orders, through the store. Usage: `node fill-orders.ts DATA ORDERS [CUSTOMERS]`. Prints, as JSON, the
 * bytes of all records as JSON, and the largest ratio of the folder's size to that in the second half.
 */
import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { argv } from 'node:process';
import { startSandbox } from '../../../sandbox/sandbox.ts';
import { diskFiles } from '../../../sandbox/store/files.ts';
import { dataKey } from '../../../sandbox/workspaces/data-key.ts';
import { diskStorage } from '../../../sandbox/workspaces/storage.ts';
import { storeOrders } from '../stored-orders.ts';

const [, , dir = '', count = '', customers = '1000'] = argv;
const orders = Number(count);
const key = await dataKey(dir, undefined);
const warn = (message: string) => console.error(message);
await (await startSandbox({ port: 0, dataDir: dir, key, warn })).close();
const store = await diskStorage(dir, { key, files: diskFiles, warn }).open([]);

/** The bytes of the folder's files. A file may disappear meanwhile. */
function size(): number {
  const sizes = readdirSync(dir).map((name) => statSync(join(dir, name), { throwIfNoEntry: false })?.size ?? 0);
  return sizes.reduce((sum, bytes) => sum + bytes, 0);
}

const sizes: [stored: number, size: number][] = [];
// All were placed within the last hours; one in ten still has a job that is due after a day.
const apart = 500;
const first = Date.now() - orders * apart;
const stored = (number: number) => sizes.push([number, size()]);
await storeOrders(store, orders, {
  customers: Number(customers),
  first,
  apart,
  waits: 24 * 3600 * 1000,
  dueEach: 10,
  stored,
});
let recordBytes = 0;
await store.view(async (content) => {
  for await (const { rows } of content) for (const one of rows) recordBytes += JSON.stringify(one).length;
});
const half = sizes.filter(([number]) => number > orders / 2);
const shares = half.map(([number, bytes]) => bytes / ((recordBytes * number) / orders));
await store.close();
console.log(JSON.stringify({ recordBytes, most: Math.max(size() / recordBytes, ...shares) }));
