/**
 * Writes a checkpoint of a data folder. Usage: `node checkpoint.ts DATA`. Prints, as JSON, the duration and the longest block of the event
 * loop, in milliseconds.
 */
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { argv } from 'node:process';
import { dataKey } from '../../../sandbox/cli/key.ts';
import { diskFiles } from '../../../sandbox/store/files.ts';
import { diskStorage } from '../../../sandbox/workspaces/storage.ts';

const dir = argv[2] ?? '';
const key = await dataKey(dir, undefined);
const store = await diskStorage(dir, { key, files: diskFiles, warn: console.error }).open([]);
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
