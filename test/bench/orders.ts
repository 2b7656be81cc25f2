/**
 * Measures a whole sandbox on a durable store: reads, orders, and whether an order costs more the more is stored.
 * Prints ratios of one run, because machines differ. Usage: `npm run bench [-- <orders to store>]` (default 4000).
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { argv } from 'node:process';
import { createRewardsClient, createSandboxClient } from '../../generated/index.ts';
import { startSandbox } from '../../sandbox/sandbox.ts';

const stored = Number.parseInt(argv[2] ?? '4000', 10);
const lanes = 10;
const data = await mkdtemp(join(tmpdir(), 'bench-'));
const sandbox = await startSandbox({ port: 0, dataDir: data, key: new Uint8Array(32).fill(7), clock: 'frozen' });
const { urls } = sandbox.workspace;
const control = createSandboxClient({ baseUrl: urls.sandbox });
const rewards = createRewardsClient({ baseUrl: urls.rewards, token: await sandbox.companyToken() });
await control.PATCH('/workspace', { body: { settings: { rate_limit: 1_000_000 } } });
await control.POST('/customers', { body: { uid: 'BENCH', points: { balance: 900_000_000 } } });
await control.PATCH('/catalogue/{sku_code}', {
  params: { path: { sku_code: 'EGV-SPICE-100' } },
  body: { stock: 900_000_000 },
});

/**
 * Calls per second over `count` calls in ten lanes, with the middle and the 99th percentile of a call in milliseconds.
 */
async function measure(count: number, call: () => Promise<{ response: Response }>) {
  const times: number[] = [];
  const start = performance.now();
  let left = count;
  const lane = async () => {
    for (; left > 0; ) {
      left -= 1;
      const began = performance.now();
      const { response } = await call();
      if (!response.ok) throw new Error(`answered ${response.status}`);
      times.push(performance.now() - began);
    }
  };
  await Promise.all(Array.from({ length: lanes }, lane));
  const seconds = (performance.now() - start) / 1000;
  times.sort((a, b) => a - b);
  const at = (share: number) => (times[Math.floor(times.length * share)] ?? 0).toFixed(1);
  return { rate: count / seconds, text: `${Math.round(count / seconds)}/s, p50 ${at(0.5)} ms, p99 ${at(0.99)} ms` };
}

const health = () => control.GET('/health');
const page = () => rewards.GET('/v1/partner/rewards', { params: { query: { limit: 50 } } });
const order = () =>
  rewards.POST('/v1/partner/redeemptiononskus', {
    body: { uid: 'BENCH', line_items: [{ sku: 'EGV-SPICE-100', quantity: 1 }] },
  });

await measure(200, page);
await measure(50, order);
const base = await measure(1000, health);
const reads = await measure(1000, page);
const early = await measure(300, order);
await measure(stored, order);
const late = await measure(300, order);
console.log(`health        ${base.text}`);
console.log(`50-item page  ${reads.text}   (${(reads.rate / base.rate).toFixed(2)} of health)`);
console.log(`orders early  ${early.text}`);
console.log(
  `orders late   ${late.text}   with ${stored} more stored (${(late.rate / early.rate).toFixed(2)} of early)`,
);
await sandbox.close();
await rm(data, { recursive: true });
