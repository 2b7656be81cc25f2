/**
 * What it costs to make the records of an order durable, without a server: our store, stock lowdb that is written for
 * each order, and SQLite with a log and full flushes. Usage: `node stores.ts FOLDER`. Prints orders per second of each
 * round, as JSON.
 */
import { join } from 'node:path';
import { argv } from 'node:process';
import { DatabaseSync } from 'node:sqlite';
import { Low } from 'lowdb';
import { JSONFile } from 'lowdb/node';
import { workspaceSchema } from '../../../sandbox/assembly/collections.ts';
import { diskFiles } from '../../../sandbox/store/files.ts';
import { openMemoryStore } from '../../../sandbox/store/memory.ts';
import { dataKey } from '../../../sandbox/workspaces/data-key.ts';
import { diskStorage } from '../../../sandbox/workspaces/storage.ts';
import { storeOrders } from '../stored-orders.ts';

const dir = argv[2] ?? '';
const [rounds, milliseconds] = [3, 700];

/** The records of orders, as one order leaves them in the store. */
async function recordsOf(orders: number): Promise<[id: string, record: unknown][]> {
  const store = openMemoryStore(workspaceSchema, console.error);
  await storeOrders(store, orders, { dueEach: 1 });
  const records: [string, unknown][] = [];
  await store.view(async (content) => {
    for await (const { collection, rows } of content)
      if (collection !== 'counters') for (const { id, record } of rows) records.push([`${collection} ${id}`, record]);
  });
  return records;
}

const order = await recordsOf(1);

async function lowdb(name: string, stored: number): Promise<() => Promise<unknown>> {
  const records = Object.fromEntries(await recordsOf(stored));
  const low = new Low<Record<string, unknown>>(new JSONFile(join(dir, `${name}.json`)), records);
  await low.write();
  let number = 0;
  return async () => {
    number += 1;
    for (const [id, record] of order) low.data[`${id} ${number}`] = record;
    await low.write();
  };
}

function sqlite(): () => Promise<unknown> {
  const base = new DatabaseSync(join(dir, 'orders.sqlite'));
  base.exec(
    'PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; CREATE TABLE records (id TEXT PRIMARY KEY, text TEXT)',
  );
  const put = base.prepare('INSERT INTO records VALUES (?, ?)');
  let number = 0;
  return async () => {
    number += 1;
    base.exec('BEGIN');
    for (const [id, record] of order) put.run(`${id} ${number}`, JSON.stringify(record));
    base.exec('COMMIT');
  };
}

const ours = join(dir, 'ours');
const store = await diskStorage(ours, {
  key: await dataKey(ours, undefined),
  files: diskFiles,
  warn: console.error,
}).open([]);
const own = () => storeOrders(store, 1, { dueEach: 1 });

/** Orders per second for a while, in the given number of lanes. */
async function rate(put: () => Promise<unknown>, lanes: number): Promise<number> {
  const began = performance.now();
  let orders = 0;
  const lane = async () => {
    for (; performance.now() < began + milliseconds; orders += 1) await put();
  };
  await Promise.all(Array.from({ length: lanes }, lane));
  return (orders / (performance.now() - began)) * 1000;
}

const subjects: readonly [name: string, put: () => Promise<unknown>, lanes: number][] = [
  ['our store, one after the other', own, 1],
  ['our store, 10 at a time', own, 10],
  ['SQLite, WAL and FULL', sqlite(), 1],
  ['lowdb, 100 stored', await lowdb('few', 100), 1],
  ['lowdb, 10,000 stored', await lowdb('many', 10_000), 1],
];
const rates = new Map(subjects.map(([name]) => [name, [] as number[]]));
for (let round = 0; round < rounds; round += 1) {
  for (const [name, put, lanes] of subjects) rates.get(name)?.push(await rate(put, lanes));
}
await store.close();
console.log(JSON.stringify(Object.fromEntries(rates)));
