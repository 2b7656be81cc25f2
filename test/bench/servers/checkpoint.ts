/**
 * Writes a checkpoint of a data folder. Usage: `node checkpoint.ts DATA`. Prints, as JSON, the duration and the longest block of the event
 * loop, in milliseconds.
 */
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { argv } from 'node:process';
import { workspaceSchema } from '../../../sandbox/assembly/collections.ts';
import { dataKey } from '../../../sandbox/cli/key.ts';
import { diskFiles } from '../../../sandbox/store/files.ts';
import { openLowdbStore } from '../../../sandbox/store/lowdb.ts';
import { Sealer, StoreSealer } from '../../../sandbox/store/seal.ts';

const dir = argv[2] ?? '';
const sealer = new StoreSealer(new Sealer(await dataKey(dir, undefined)));
// By default, closing writes no checkpoint of a large store.
const mostBytesAtClose = Number.POSITIVE_INFINITY;
const options = { dir, schema: workspaceSchema, fs: diskFiles, sealer, warn: console.error, mostBytesAtClose };
const store = await openLowdbStore(options);
await store.transact((tx) => tx.put('counters', 'checkpoint', 1));
const resolution = 1;
const delay = monitorEventLoopDelay({ resolution });
delay.enable();
const began = performance.now();
// Closing the store writes a checkpoint in the same way as a full log does.
await store.close();
delay.disable();
const longest = Math.max(0, delay.max / 1e6 - resolution);
console.log(JSON.stringify({ longest, milliseconds: performance.now() - began }));
