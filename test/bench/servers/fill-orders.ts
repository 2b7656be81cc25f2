/**
 * Fills a data folder with orders through the store. Usage: `node fill-orders.ts DATA ORDERS [CUSTOMERS]`. Once the orders are stored,
 * prints their number as JSON.
 */
import { argv } from 'node:process';
import { dataKey } from '../../../sandbox/cli/key.ts';
import { startSandbox } from '../../../sandbox/sandbox.ts';
import { diskFiles } from '../../../sandbox/store/files.ts';
import { diskStorage } from '../../../sandbox/workspaces/storage.ts';
import { storeOrders } from '../stored-orders.ts';

const [, , dir = '', count = '', customers = '1000'] = argv;
const orders = Number(count);
const key = await dataKey(dir, undefined);
const warn = (message: string) => console.error(message);
await (await startSandbox({ port: 0, dataDir: dir, key, warn })).close();
const store = await diskStorage(dir, { key, files: diskFiles, warn }).open([]);

// The orders are half a second apart and end at the present. One in ten still has a job that is due after a day.
const apart = 500;
const first = Date.now() - orders * apart;
await storeOrders(store, orders, {
  customers: Number(customers),
  first,
  apart,
  waits: 24 * 3600 * 1000,
  dueEach: 10,
});
await store.close();
console.log(JSON.stringify({ orders }));
