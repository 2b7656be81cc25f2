/**
 * Calls a sandbox steadily, and prints each minute how much memory and how many descriptors its process has, and how
 * long calls took: `npm run bench:soak [-- <minutes> <calls a second>]` (default 10 and 50; Linux). Of ten calls, one
 * places an order, four list the catalogue, three list orders and two read a ledger. Exits with 1 if memory or
 * descriptors grow beyond the most of the first third of the time, or a call fails.
 */
import { readdirSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process, { argv } from 'node:process';
import { setTimeout as wait } from 'node:timers/promises';
import { Processes } from './processes.ts';
import { startSubject } from './sandbox.ts';

const minutes = Number(argv[2] ?? 10);
const rate = Number(argv[3] ?? 50);
/** What an order may add permanently, in KB: twice its stored size. */
const kilobytesPerOrder = 8;
if (!(minutes >= 1 && rate >= 1)) {
  console.error(
    'Usage: npm run bench:soak [-- <minutes> <calls a second>]     both at least 1; without them 10 and 50',
  );
  process.exit(2);
}

const dir = await mkdtemp(join(tmpdir(), 'soak-'));
const processes = new Processes();
try {
  const sandbox = await startSubject({ processes }, dir);
  let times: number[] = [];
  let [sent, orders, failed] = [0, 0, 0];
  const call = async (number: number) => {
    const began = performance.now();
    const uid = `SPEED${String(number % 50).padStart(2, '0')}`;
    const [url, body] = operation(number % 10, uid);
    const authorization = url.startsWith(sandbox.urls.rewards) ? { authorization: sandbox.token } : undefined;
    const headers = { 'content-type': 'application/json', ...authorization };
    const reply = await fetch(url, { headers, ...(body && { method: 'POST', body: JSON.stringify(body) }) });
    await reply.arrayBuffer();
    if (!reply.ok) failed += 1;
    if (body !== undefined) orders += 1;
    times.push(performance.now() - began);
  };
  const operation = (kind: number, uid: string): [url: string, body?: object] => {
    if (kind === 0) return [sandbox.orders, { uid, line_items: [{ sku: 'EGV-SPICE-100', quantity: 1 }] }];
    if (kind < 5) return [sandbox.page];
    if (kind < 8) return [`${sandbox.urls.sandbox}/orders?uid=${uid}&limit=10`];
    return [`${sandbox.urls.sandbox}/ledger/${uid}?limit=10`];
  };
  type Look = ReturnType<typeof look> & { orders: number };
  const look = () => ({
    megabytes: Math.round(sandbox.process.memory()),
    descriptors: readdirSync(`/proc/${sandbox.process.pid}/fd`).length,
  });
  const began = performance.now();
  const looks: Look[] = [];
  for (let minute = 1; minute <= minutes; minute += 1) {
    times = [];
    const under: Promise<void>[] = [];
    while (performance.now() - began < minute * 60_000) {
      while (sent < ((performance.now() - began) / 1000) * rate) under.push(call(sent++));
      await wait(10);
    }
    await Promise.all(under);
    looks.push({ ...look(), orders });
    const sorted = times.sort((a, b) => a - b);
    const [p50, p99] = [0.5, 0.99].map((share) => sorted[Math.floor(sorted.length * share)]?.toFixed(1));
    const { megabytes, descriptors } = looks.at(-1) ?? look();
    console.log(
      `${minute} min: ${sent} calls, ${orders} orders, ${failed} failed, ${megabytes} MB, ${descriptors} descriptors, p50 ${p50} ms, p99 ${p99} ms`,
    );
  }
  const early = looks.slice(0, Math.ceil(minutes / 3));
  const [start, last] = [looks[0] as Look, looks.at(-1) as Look];
  const grown = ((last.orders - start.orders) * kilobytesPerOrder) / 1024;
  const most = {
    megabytes: Math.max(...early.map(({ megabytes }) => megabytes)) * 1.1 + grown,
    // Connections of calls in progress open and close.
    descriptors: Math.max(...early.map(({ descriptors }) => descriptors)) + 10,
  };
  const isFlat = last.megabytes <= most.megabytes && last.descriptors <= most.descriptors;
  console.log(
    `${isFlat && failed === 0 ? 'flat' : 'NOT FLAT'}: at most ${most.megabytes.toFixed(0)} MB and ${most.descriptors} descriptors`,
  );
  process.exitCode = isFlat && failed === 0 ? 0 : 1;
} finally {
  await processes.close();
  await rm(dir, { recursive: true });
}
