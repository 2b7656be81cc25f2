/**
 * Runs a hostile server in its own process, so that its memory does not count towards the caller's. Prints its address
 * and runs until it is killed.
 *
 * Usage: `node hostile-process.ts <behaviour>`.
 */
import { argv, stdout } from 'node:process';
import { hostileServers } from './hostile-servers.ts';

const start = hostileServers[argv.at(-1) ?? ''];
if (start === undefined) throw new Error('there is no such server');
const { url } = await start();
stdout.write(`${url}\n`);
