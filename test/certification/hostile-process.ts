/**
 * A hostile server in a process of its own, so that what it holds is not taken for what its caller holds. Usage: `node
 * hostile-process.ts <what it does>`. It prints its address, and runs until it is killed.
 */
import { argv, stdout } from 'node:process';
import { hostileServers } from './hostile-servers.ts';

const start = hostileServers[argv.at(-1) ?? ''];
if (start === undefined) throw new Error('there is no such server');
const { url } = await start();
stdout.write(`${url}\n`);
