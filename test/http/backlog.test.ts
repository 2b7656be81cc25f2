/** Connections that open while the process is busy (OP-82). */
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { execPath } from 'node:process';
import { expect, it, onTestFinished } from 'vitest';
import { listen } from '../../sandbox/proxy/proxy-server.ts';
import { bareServer } from '../harness/bare-server.ts';

const systemLimit = '/proc/sys/net/core/somaxconn';
/** More than the 511 that Node asks for, and no more than the system allows. */
const callers = Math.min(700, existsSync(systemLimit) ? Number(readFileSync(systemLimit, 'utf8')) : 128);

/** Opens connections from another process, which prints how many are open: all, or those after 10 s. */
const opening = `
const [port, callers] = process.argv.slice(1).map(Number);
let open = 0;
const end = () => process.stdout.write(String(open), () => process.exit());
setTimeout(end, 10_000);
for (let at = 0; at < callers; at += 1)
  require('node:net').connect(port, '127.0.0.1').on('error', () => {}).on('connect', () => (open += 1) === callers && end());
`;

/** How many of the callers can connect while this process does nothing else. */
function connectedWhileBusy(port: number): number {
  return Number(spawnSync(execPath, ['-e', opening, String(port), String(callers)]).stdout);
}

it('OP-82: callers who connect while the sandbox is busy wait in the queue of the system, and need not try again', async () => {
  const { port } = await bareServer(async (_, response) => void response.end());
  expect(connectedWhileBusy(port)).toBe(callers);
});

it('the same at the proxy', async () => {
  const { url, drain } = await listen('127.0.0.1', 0, (_, response) => void response.end());
  onTestFinished(drain);
  expect(connectedWhileBusy(Number(new URL(url).port))).toBe(callers);
});
