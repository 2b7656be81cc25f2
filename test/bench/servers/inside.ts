/**
 * A sandbox that tells the heap that it takes. Usage: `node --expose-gc inside.ts DATA`. Prints it in bytes, as JSON.
 */
import { argv, memoryUsage } from 'node:process';
import { startSandbox } from '../../../sandbox/sandbox.ts';
import { dataKey } from '../../../sandbox/workspaces/data-key.ts';

const dataDir = argv[2] ?? '';
const key = await dataKey(dataDir, undefined);
const sandbox = await startSandbox({ port: 0, dataDir, key });
// Twice: what the first run finds to be finished is freed by the second.
for (let run = 0; run < 2; run += 1) globalThis.gc?.();
const { heapUsed, external } = memoryUsage();
console.log(JSON.stringify({ heap: heapUsed + external }));
await sandbox.close();
