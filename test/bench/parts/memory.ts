import { setTimeout as wait } from 'node:timers/promises';
import type { Bench, PartResult } from '../bench.ts';
import { row } from '../figures.ts';
import { pathOf } from '../processes.ts';
import { startOn, startSubject } from '../sandbox.ts';

/** The engine releases memory eight seconds after the start has ended. */
const rest = 10_000;

/** Measures the memory of idle processes, the heap per order, and the cost of checkpoints. */
export async function memory(bench: Bench): Promise<PartResult> {
  const [sandbox, proxy, ...files] = await idle(bench);
  const heapOf = async (orders: number) => {
    const inside = bench.processes.node(
      '--expose-gc',
      pathOf('test/bench/servers/inside.ts'),
      await bench.filled(orders),
    );
    const { heap } = await inside.json<{ heap: number }>();
    await inside.stop();
    return heap;
  };
  const [few, many] = [await heapOf(100), await heapOf(100_000)];
  const order = (many - few) / 99_900 / 1024;
  const [someCheckpoint, manyCheckpoint] = [await checkpoint(bench, 20_000), await checkpoint(bench, 100_000)];
  return {
    figures: {
      'memory/sandbox': sandbox.value,
      'memory/proxy': proxy.value,
      'memory/order': order,
      'memory/checkpoint-some': someCheckpoint.longest,
      'memory/checkpoint-many': manyCheckpoint.longest,
    },
    tables: [
      { title: 'Memory, idle for 10 s', unit: 'MB', rows: [sandbox, proxy, ...files] },
      { title: 'Heap per stored order', unit: 'KB', rows: [row('of 100,000', order)] },
      {
        title: 'A checkpoint',
        unit: 'ms',
        rows: [
          row('longest block of the event loop, 20,000 orders', someCheckpoint.longest),
          row('whole, 20,000 orders', someCheckpoint.milliseconds),
          row('longest block of the event loop, 100,000 orders', manyCheckpoint.longest),
          row('whole, 100,000 orders', manyCheckpoint.milliseconds),
        ],
      },
    ],
    notes: ['The proxy has checked one call before: it loads its checks at the first call.'],
  };
}

/** Measures the duration of a checkpoint with the given number of orders, and its longest block of the event loop, both in milliseconds. */
async function checkpoint(bench: Bench, orders: number): Promise<{ longest: number; milliseconds: number }> {
  return bench.processes.node(pathOf('test/bench/servers/checkpoint.ts'), await bench.filled(orders)).json();
}

/** Measures a sandbox with demo data and no calls, and a proxy in front of another sandbox after one forwarded call. */
async function idle(bench: Bench) {
  // A first start also has the compiler in memory.
  const first = await startOn(bench.processes, bench.folder());
  await first.process.stop('SIGINT');
  const uncalled = await startOn(bench.processes, bench.folder());
  const subject = await startSubject(bench, bench.folder());
  const origin = new URL(subject.urls.sandbox).origin;
  const flags = ['--port', '0', '--json', '--quiet', '--no-prism', '--sandbox', origin];
  const proxy = bench.processes.node(pathOf('sandbox/bin.js'), 'proxy', ...flags);
  const { url } = await proxy.json<{ url: string }>();
  const address = `${url}/rewards/v1/partner/rewards?limit=50`;
  const { status } = await fetch(address, { headers: { Authorization: subject.token } });
  if (status !== 200) throw new Error(`the proxy answers ${status}`);
  await wait(rest);
  return [
    row('sandbox with demo data', uncalled.process.memory()),
    row('proxy without second opinion', proxy.memory()),
    row("of the sandbox's, Node's program file", uncalled.process.memory('files')),
    row("of the proxy's, Node's program file", proxy.memory('files')),
  ] as const;
}
