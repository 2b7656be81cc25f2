/**
 * Another user of the disk: appends 4 KB and flushes them, without pause, until it is stopped. Usage: `node flushing.ts
 * FILE`. Prints a line of JSON once the first flush is done.
 */
import { fdatasyncSync, ftruncateSync, openSync, writeSync } from 'node:fs';
import { argv } from 'node:process';

const block = Buffer.alloc(4096, 'x');
const most = 16_384;
const file = openSync(argv[2] ?? '', 'w');
for (let number = 0; ; number = (number + 1) % most) {
  if (number === 0) ftruncateSync(file);
  writeSync(file, block, 0, block.length, number * block.length);
  fdatasyncSync(file);
  if (number === 1) console.log('{"flushing":true}');
}
