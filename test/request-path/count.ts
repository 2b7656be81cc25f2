/**
 * Measures the work of one warm order and one warm listing, on a sandbox with a data folder and a frozen clock. Prints
 * a JSON object with files and function calls of the sandbox's own code, schema validations, JSON parses and
 * serializations.
 *
 * Usage: `node test/request-path/count.ts`. `--by-file` adds the calls per file, `--loaded` adds the loaded files, and
 * `--one-line` prints one line.
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process, { argv, stdout } from 'node:process';
import { setImmediate } from 'node:timers/promises';
import type { Work } from '../harness/path-budget.ts';
import { CallCounter, loadedFiles } from './coverage.ts';
import { MessageCounter } from './messages.ts';

const warmCalls = 30;
const order = JSON.stringify({ uid: 'CUST0001', line_items: [{ sku: 'EGV-SPICE-500', quantity: 1 }] });
const [byFile, loaded, oneLine] = ['--by-file', '--loaded', '--one-line'].map((flag) => argv.includes(flag));

async function main(): Promise<void> {
  const counters = { calls: new CallCounter(), messages: new MessageCounter() };
  counters.messages.start();
  const { startSandbox } = await import('../../sandbox/sandbox.ts');
  const dataDir = await mkdtemp(join(tmpdir(), 'request-path-'));
  const sandbox = await startSandbox({ port: 0, clock: 'frozen', dataDir });
  try {
    const { urls, credentials } = sandbox.workspace;
    const signIn = JSON.stringify({ secret: credentials.company_secret });
    const { token } = JSON.parse(await send(`${urls.rewards}/v1/company/auth`, { body: signIn })) as { token: string };
    const placeOrder = () => send(`${urls.rewards}/v1/partner/redeemptiononskus`, { body: order, token });
    const list = () => send(`${urls.rewards}/v1/partner/rewards`, { token });
    for (let call = 0; call < warmCalls; call += 1) for (const each of [placeOrder, list]) await each();
    await counters.calls.start();
    const counted = { order: await workOf(placeOrder, counters), listing: await workOf(list, counters) };
    counters.calls.stop();
    const printed = { ...counted, ...(loaded && { loaded: await loadedFiles() }) };
    stdout.write(`${JSON.stringify(printed, undefined, oneLine ? 0 : 2)}\n`);
  } finally {
    await sandbox.close();
    await rm(dataDir, { recursive: true });
  }
}

/** Counts the work from the call until the process has finished all resulting work. */
async function workOf(
  call: () => Promise<unknown>,
  { calls, messages }: { calls: CallCounter; messages: MessageCounter },
): Promise<Work> {
  await settled();
  messages.take();
  await calls.take();
  await call();
  await settled();
  const [{ callsByFile, ...ran }, work] = [await calls.take(), messages.take()];
  return { ...ran, ...work, ...(byFile && { callsByFile }) };
}

/** Resolves after several event-loop turns without a file operation, because the log is written after the reply. */
async function settled(): Promise<void> {
  for (let quietTurns = 0; quietTurns < 20; ) {
    await setImmediate();
    quietTurns = process.getActiveResourcesInfo().some((name) => name.startsWith('FSReq')) ? 0 : quietTurns + 1;
  }
}

/** Sends and returns plain text, so that only the sandbox's own JSON work is counted. */
async function send(url: string, { body, token }: { body?: string; token?: string }): Promise<string> {
  const headers = { 'content-type': 'application/json', ...(token !== undefined && { authorization: token }) };
  const reply = await fetch(url, { ...(body !== undefined && { method: 'POST', body }), headers });
  const text = await reply.text();
  if (!reply.ok) throw new Error(`${url} answered ${reply.status}: ${text}`);
  return text;
}

await main();
