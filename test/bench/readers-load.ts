/** Orders of one customer next to readers and waiting callers of others, on a sandbox with a long history in its own process. */
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { Agent, request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { clientsOf } from '../../sandbox/testing/clients.ts';
import { enter } from '../harness/visitor.ts';
import type { Figures, Ready } from './readers-sandbox.ts';

/** The orders of a customer next to another caller. */
export interface Comparison {
  readonly beside: string;
  readonly rate: number;
  /** The rate divided by that without other callers, measured before. */
  readonly share: number;
  /** Orders for each second of processor time of the server, which a busy machine changes little. */
  readonly perCpuSecond: number;
  readonly cpuShare: number;
  /** The 99th percentile of an order's duration in milliseconds, alone and next to others. */
  readonly aloneP99: number;
  readonly orderP99: number;
  /** Orders of the measurement that were refused; they do not count for the rate. */
  readonly refused: number;
  readonly healthP99: number;
  readonly longestBlock: number;
}

interface Options {
  readonly others: number;
  readonly own: number;
  /** Orders of each measurement. */
  readonly orders: number;
  /** The names of the measurements to run; all by default. */
  readonly only?: readonly string[];
}

type Headers = Readonly<Record<string, string>>;
type Call = (signal: AbortSignal) => Promise<unknown>;

const script = fileURLToPath(new URL('readers-sandbox.ts', import.meta.url));

/** Runs all measurements on a sandbox of a checkout. */
export async function besideReaders(checkout: string, options: Options): Promise<Comparison[]> {
  const data = await mkdtemp(join(tmpdir(), 'readers-'));
  const child = fork(script, [checkout, data, String(options.others), String(options.own)], {
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  });
  try {
    const [ready] = (await once(child, 'message')) as [Ready];
    return await measureAll(child, ready, options);
  } finally {
    if (child.exitCode === null) {
      child.send('close');
      await once(child, 'exit');
    }
    await rm(data, { recursive: true, force: true });
  }
}

async function measureAll(child: ChildProcess, ready: Ready, { orders, only }: Options): Promise<Comparison[]> {
  const { order, besides } = await subject(ready);
  const health = () => call('GET', `${ready.urls.sandbox}/health`);
  // By then the code is compiled.
  for (let round = 0; round < 3; round += 1) await measure(child, { order, health, orders });
  const rows: Comparison[] = [];
  for (const [beside, calls] of Object.entries(besides)) {
    if (only !== undefined && !only.includes(beside)) continue;
    const alone = await measure(child, { order, health, orders });
    const ended = new AbortController();
    const callers = calls.map((again) => loop(again, ended.signal));
    // Until all callers have connected, and the waiting ones wait.
    await wait(2000);
    const figures = await measure(child, { order, health, orders });
    ended.abort();
    await Promise.all(callers);
    const [share, cpuShare] = [figures.rate / alone.rate, figures.perCpuSecond / alone.perCpuSecond];
    rows.push({ beside, ...figures, share, cpuShare, aloneP99: alone.orderP99 });
  }
  return rows;
}

/** A third customer's order, and the calls of others meanwhile. */
async function subject(ready: Ready): Promise<{ order: Call; besides: Record<string, Call[]> }> {
  const { urls, token } = ready;
  const { sandbox, rewards } = urls;
  await call('PATCH', `${sandbox}/workspace`, {}, { settings: { rate_limit: 1_000_000 } });
  for (const uid of ['NEW', 'ONE']) {
    await call('POST', `${sandbox}/customers`, {}, { uid, points: { balance: 900_000_000 } });
  }
  await call('PATCH', `${sandbox}/catalogue/EGV-SPICE-100`, {}, { stock: 900_000_000 });
  const Authorization = token;
  const items = [{ sku: 'EGV-SPICE-100', quantity: 1 }];
  const place = (uid: string) =>
    call('POST', `${rewards}/v1/partner/redeemptiononskus`, { Authorization }, { uid, line_items: items });
  const read = (url: string, headers: Headers = {}) => Array.from({ length: 4 }, () => () => call('GET', url, headers));
  const wait = (count: number, query: string) =>
    Array.from({ length: count }, () => (signal: AbortSignal) => {
      return call('GET', `${sandbox}/orders?${query}&wait=60`, {}, undefined, signal);
    });
  const session = await enter(clientsOf(ready), 'ONE');
  const besides: Record<string, Call[]> = {
    nobody: [],
    '1.2 MB/s of unknown addresses that are costly to mask': addresses(`${new URL(rewards).origin}/x?a=`),
    '1 waiting for a status': wait(1, 'status=Rejected'),
    '50 waiting for a status': wait(50, 'status=Rejected'),
    '200 waiting for a status': wait(200, 'status=Rejected'),
    '50 waiting for a status of ONE': wait(50, 'uid=ONE&status=Rejected'),
    orders: read(`${sandbox}/orders`),
    'orders of a status': read(`${sandbox}/orders?status=Rejected`),
    'orders of ONE': read(`${sandbox}/orders?uid=ONE`),
    'one order of ONE': read(`${sandbox}/orders?uid=ONE&limit=1`),
    'orders of ONE of a status': read(`${sandbox}/orders?uid=ONE&status=Rejected`),
    'all orders of ONE, page 1': read(`${sandbox}/orders?uid=ONE&after=0&limit=1000`),
    'ledger of ONE': read(`${sandbox}/ledger/ONE`),
    'ledger of ONE, 50': read(`${sandbox}/ledger/ONE?limit=50`),
    'messages of NEW': read(`${sandbox}/messages?uid=NEW`),
    'activity of NEW': read(`${sandbox}/activity?uid=NEW`),
    customers: read(`${sandbox}/customers`),
    deliveries: read(`${sandbox}/deliveries`),
    reconciliation: read(`${sandbox}/reconciliation`),
    'portal history of ONE': read(`${session}history`),
    'portal rewards': read(`${session}rewards`),
    'wallet of ONE': read(`${rewards}/getwalletdetail?uid=ONE`, { Authorization: `Bearer ${token}` }),
  };
  return { order: () => place('NEW'), besides };
}

/** 64 callers without a credential request URLs with 16 KiB of text that masking searches for, 75 times a second in all. */
function addresses(start: string): Call[] {
  const address = start + '/portal'.repeat(2250);
  return Array.from({ length: 64 }, () => async (signal: AbortSignal) => {
    await call('GET', address, {}, undefined, signal).catch(() => undefined);
    await wait(64_000 / 75);
  });
}

/** Calls repeatedly until the signal. */
async function loop(again: Call, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) await again(signal).catch(() => wait(20));
}

interface Measurement {
  readonly order: Call;
  readonly health: Call;
  readonly orders: number;
}

/** Places the given number of orders in four lanes. */
async function measure(child: ChildProcess, { order, health, orders }: Measurement) {
  await figures(child);
  const ended = new AbortController();
  const healthTimes: number[] = [];
  const orderTimes: number[] = [];
  let remaining = orders;
  let refused = 0;
  const asking = loop(async () => {
    const began = performance.now();
    await health(ended.signal);
    healthTimes.push(performance.now() - began);
    await wait(20);
  }, ended.signal);
  const began = performance.now();
  const lane = async () => {
    for (; remaining > 0; ) {
      remaining -= 1;
      const sent = performance.now();
      await order(ended.signal).catch(() => {
        refused += 1;
      });
      orderTimes.push(performance.now() - sent);
    }
  };
  await Promise.all(Array.from({ length: 4 }, lane));
  const seconds = (performance.now() - began) / 1000;
  const { longestBlock, used } = await figures(child);
  ended.abort();
  await asking;
  const p99s = { orderP99: percentile99(orderTimes), healthP99: percentile99(healthTimes) };
  const placed = orders - refused;
  return { rate: placed / seconds, perCpuSecond: placed / (used / 1000), refused, ...p99s, longestBlock };
}

function percentile99(times: readonly number[]): number {
  const sorted = times.toSorted((one, other) => one - other);
  return sorted[Math.floor((sorted.length - 1) * 0.99)] ?? Number.NaN;
}

async function figures(child: ChildProcess): Promise<Figures> {
  child.send('figures');
  const [answer] = (await once(child, 'message')) as [Figures];
  return answer;
}

const agent = new Agent({ keepAlive: true, maxSockets: 300 });

function call(
  method: string,
  url: string,
  headers: Headers = {},
  body?: unknown,
  signal?: AbortSignal,
): Promise<unknown> {
  const { promise, resolve, reject } = Promise.withResolvers<unknown>();
  const text = body === undefined ? undefined : JSON.stringify(body);
  const type = text === undefined ? {} : { 'Content-Type': 'application/json' };
  const options = { method, agent, headers: { ...headers, ...type }, ...(signal !== undefined && { signal }) };
  const sent = request(url, options, (response) => {
    const parts: Buffer[] = [];
    response.on('data', (part: Buffer) => parts.push(part)).on('error', reject);
    response.on('end', () => {
      const { statusCode = 500 } = response;
      const reply = Buffer.concat(parts);
      if (statusCode >= 400) return reject(new Error(`${method} ${url} answered ${statusCode} ${reply}`));
      resolve({ reply, location: response.headers.location });
    });
  });
  sent.on('error', reject).end(text);
  return promise;
}
