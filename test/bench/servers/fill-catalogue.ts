/** Fills the catalogue of a data folder, through the store. Usage: `node fill-catalogue.ts DATA ITEMS`. */
import { argv } from 'node:process';
import { orderedKey } from '../../../sandbox/runtime/numbering.ts';
import { startSandbox } from '../../../sandbox/sandbox.ts';
import { diskFiles } from '../../../sandbox/store/files.ts';
import { dataKey } from '../../../sandbox/workspaces/data-key.ts';
import { diskStorage } from '../../../sandbox/workspaces/storage.ts';

const [, , dir = '', count = ''] = argv;
const items = Number(count);
const key = await dataKey(dir, undefined);
const warn = (message: string) => console.error(message);
await (await startSandbox({ port: 0, dataDir: dir, key, warn })).close();
const store = await diskStorage(dir, { key, files: diskFiles, warn }).open([]);
const [first] = store.range('items', { limit: 1 });
if (first === undefined) throw new Error('the demo catalogue is empty');
const begin = store.count('items') + 1;
for (let from = begin; from <= items; from += 5000) {
  await store.transact((tx) => {
    for (let id = from; id < from + 5000 && id <= items; id += 1)
      tx.put('items', orderedKey(id), { ...first, id, sku_code: `EGV-SPEED-${id}` });
    tx.put('counters', 'items', Math.min(from + 4999, items));
  });
}
const filled = store.count('items');
await store.close();
console.log(JSON.stringify({ filled }));
