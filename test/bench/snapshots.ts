/**
 * Measures the cost of a snapshot, a restore, a fork, a reset and a checkpoint with much stored data: the duration of each,
 * the longest block of the event loop, and the memory of the process. Usage:
 * `npm run bench:snapshots [-- <orders to store>]` (default 100000).
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { argv, memoryUsage, resourceUsage, threadCpuUsage } from 'node:process';
import { createSandboxClient } from '../../generated/index.ts';
import { startSandbox } from '../../sandbox/sandbox.ts';
import { diskFiles } from '../../sandbox/store/files.ts';
import { diskStorage } from '../../sandbox/workspaces/storage.ts';
import { storeOrders } from './stored-orders.ts';

const orders = Number.parseInt(argv[2] ?? '100000', 10);
const data = await mkdtemp(join(tmpdir(), 'bench-'));
const warn = (message: string) => console.error(message);
const megabytes = (bytes: number) => `${Math.round(bytes / 1024 / 1024)} MB`;

/** Milliseconds of processor time of this thread. */
const computed = () => {
  const { user, system } = threadCpuUsage();
  return (user + system) / 1000;
};

/**
 * Runs an action and returns its cost. A timer that fires every millisecond detects blocks of the event loop, and the
 * processor time shows how much of a block was computing: on a busy machine everything waits.
 */
async function measure(what: string, run: () => Promise<unknown>): Promise<void> {
  let last = { at: performance.now(), computed: computed() };
  let [longest, busiest, memory] = [0, 0, 0];
  const look = () => {
    const now = { at: performance.now(), computed: computed() };
    longest = Math.max(longest, now.at - last.at);
    busiest = Math.max(busiest, now.computed - last.computed);
    last = now;
    memory = Math.max(memory, memoryUsage.rss());
  };
  const looking = setInterval(look, 1);
  const [start, computedBefore] = [performance.now(), computed()];
  try {
    await run();
  } catch (error) {
    console.log(`${what} failed: ${String(error)}`);
  }
  look();
  clearInterval(looking);
  const seconds = ((performance.now() - start) / 1000).toFixed(1);
  const busy = ((computed() - computedBefore) / 1000).toFixed(1);
  const block = `longest block ${longest.toFixed(0)} ms, ${busiest.toFixed(0)} ms of it computing`;
  console.log(`${what.padEnd(10)} ${seconds} s, ${busy} s of it computing, ${block}, ${megabytes(memory)}`);
}

await (await startSandbox({ port: 0, dataDir: data, clock: 'frozen', warn })).close();
const storage = diskStorage(data, { key: undefined, files: diskFiles, warn });
const store = await storage.open([]);
await measure('fill', () => storeOrders(store, orders));
await measure('checkpoint', () => store.close());
let sandbox = await startSandbox({ port: 0, dataDir: data, warn });
let control = createSandboxClient({ baseUrl: sandbox.workspace.urls.sandbox });
const answered = async (call: Promise<{ response: Response; error?: unknown }>) => {
  const { response, error } = await call;
  if (!response.ok) throw new Error(`${response.status} ${JSON.stringify(error)}`);
};
const params = { path: { id: 'SNP-000001' } };
// The first call with a body compiles the schemas of the contract, which is not part of a snapshot.
await answered(control.POST('/clock/advance', { body: { seconds: 1 } }));
await measure('take', () => answered(control.POST('/snapshots', { body: {} })));
await measure('restore', () => answered(control.POST('/snapshots/{id}/restore', { params })));
await measure('fork', () => answered(control.POST('/snapshots/{id}/fork', { params })));
await measure('reset', () => answered(control.POST('/reset')));
await sandbox.close();
sandbox = await startSandbox({ port: 0, dataDir: data, warn });
control = createSandboxClient({ baseUrl: sandbox.workspace.urls.sandbox });
await measure('restore', () => answered(control.POST('/snapshots/{id}/restore', { params })));
await sandbox.close();
console.log(`most memory ${megabytes(resourceUsage().maxRSS * 1024)}`);
await rm(data, { recursive: true });
