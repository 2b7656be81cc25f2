/** A sandbox in a process of its own, with short limits on outgoing calls. Usage: `node child.ts <data folder>`. */
import { argv } from 'node:process';
import { startSandbox } from '../../sandbox/sandbox.ts';

const [, , dataDir = ''] = argv;
const sandbox = await startSandbox({ port: 0, dataDir, clock: 'frozen', outgoing: { totalTimeout: 250 } });
console.log(JSON.stringify(sandbox.workspace.urls));
