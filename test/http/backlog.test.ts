/** Tests connections that are opened while the process is busy (OP-82). */
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { execPath } from 'node:process';
import { expect, it, onTestFinished } from 'vitest';
import { listen } from '../../sandbox/proxy/proxy-server.ts';
import { bareServer } from '../harness/bare-server.ts';

const systemLimit = '/proc/sys/net/core/somaxconn';
/** Number of connections: more than Node's default backlog of 511, but within the system limit. */
const callers = Math.min(700, existsSync(systemLimit) ? Number(readFileSync(systemLimit, 'utf8')) : 128);

/** A script that opens connections from another process. It prints how many are open once all are, or after 10 s. */
const opening = `
const [port, callers] = process.argv.slice(1).map(Number);
let open = 0;
const end = () => process.stdout.write(String(open), () => process.exit());
setTimeout(end, 10_000);
for (let at = 0; at < callers; at += 1)
  require('node:net').connect(port, '127.0.0.1').on('error', () => {}).on('connect', () => (open += 1) === callers && end());
`;

/** Returns how many callers can connect while this process is blocked. */
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
