/**
 * `node test/request-path/count.ts` prints, as JSON, how much of the sandbox's own code one warm order and one warm listing
 * run, on a sandbox with a data folder and a frozen clock. With `--by-file`, also the calls of each file; with `--one-line`, in one line.
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { argv, stdout } from 'node:process';
import { startSandbox } from '../../sandbox/sandbox.ts';
import { CallCounter, type Ran } from './coverage.ts';

const warmCalls = 30;

const dataDir = await mkdtemp(join(tmpdir(), 'request-path-'));
const sandbox = await startSandbox({ port: 0, clock: 'frozen', dataDir });
const counter = new CallCounter();
try {
  const { urls, credentials } = sandbox.workspace;
  const { token } = await json(`${urls.rewards}/v1/company/auth`, { secret: credentials.company_secret });
  const line_items = [{ sku: 'EGV-SPICE-500', quantity: 1 }];
  const order = () => json(`${urls.rewards}/v1/partner/redeemptiononskus`, { uid: 'CUST0001', line_items }, token);
  const listing = () => json(`${urls.rewards}/v1/partner/rewards`, undefined, token);
  for (let call = 0; call < warmCalls; call += 1) for (const each of [order, listing]) await each();
  await counter.start();
  const counted = { order: await counter.during(order), listing: await counter.during(listing) };
  stdout.write(
    `${JSON.stringify(counted, argv.includes('--by-file') ? undefined : withoutFiles, argv.includes('--one-line') ? 0 : 2)}\n`,
  );
} finally {
  counter.stop();
  await sandbox.close();
  await rm(dataDir, { recursive: true });
}

function withoutFiles(key: string, value: unknown): unknown {
  return key === ('callsByFile' satisfies keyof Ran) ? undefined : value;
}

async function json(url: string, body?: unknown, token?: string): Promise<{ token: string }> {
  const headers = { 'content-type': 'application/json', ...(token !== undefined && { authorization: token }) };
  const given = body === undefined ? {} : { method: 'POST', body: JSON.stringify(body) };
  const reply = await fetch(url, { ...given, headers });
  const text = await reply.text();
  if (!reply.ok) throw new Error(`${url} answered ${reply.status}: ${text}`);
  return JSON.parse(text);
}
