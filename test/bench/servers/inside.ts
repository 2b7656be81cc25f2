/** A sandbox that measures its heap. Usage: `node --expose-gc inside.ts DATA`. Prints the heap size in bytes, as JSON. */
import { argv, memoryUsage } from 'node:process';
import { dataKey } from '../../../sandbox/cli/key.ts';
import { startSandbox } from '../../../sandbox/sandbox.ts';

const dataDir = argv[2] ?? '';
const key = await dataKey(dataDir, undefined);
const sandbox = await startSandbox({ port: 0, dataDir, key });
// Collect twice, because the second run frees objects that the first run finalized.
for (let run = 0; run < 2; run += 1) globalThis.gc?.();
const { heapUsed, external } = memoryUsage();
console.log(JSON.stringify({ heap: heapUsed + external }));
await sandbox.close();
