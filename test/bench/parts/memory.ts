import { setTimeout as wait } from 'node:timers/promises';
import type { Bench, Measured } from '../bench.ts';
import { row } from '../figures.ts';
import { pathOf } from '../processes.ts';
import { startOn, startSubject } from '../sandbox.ts';

const rest = 3000;

/** Memory of processes that do nothing, the heap of an order, and what a checkpoint takes. */
export async function memory(bench: Bench): Promise<Measured> {
  const [sandbox, proxy, ...files] = await idle(bench);
  const heapOf = async (orders: number) => {
    const { dir } = await bench.filled(orders);
    const inside = bench.processes.node('--expose-gc', pathOf('test/bench/servers/inside.ts'), dir);
    const { heap } = await inside.json<{ heap: number }>();
    await inside.stop();
    return heap;
  };
  const [few, many] = [await heapOf(100), await heapOf(100_000)];
  const order = (many - few) / 99_900 / 1024;
  const { dir, most } = await bench.filled(100_000);
  const checkpoint = bench.processes.node(pathOf('test/bench/servers/checkpoint.ts'), dir);
  const { longest, milliseconds } = await checkpoint.json<{ longest: number; milliseconds: number }>();
  return {
    figures: {
      'memory/sandbox': sandbox.value,
      'memory/proxy': proxy.value,
      'memory/order': order,
      'memory/fold': longest,
      'memory/folder': most,
    },
    tables: [
      { title: 'Memory, idle for 3 s', unit: 'MB', rows: [sandbox, proxy, ...files] },
      { title: 'Heap per stored order', unit: 'KB', rows: [row('of 100,000', order)] },
      {
        title: 'A checkpoint with 100,000 orders',
        unit: 'ms',
        rows: [row('longest block of the event loop', longest), row('whole', milliseconds)],
      },
      { title: 'Data folder against the JSON of its records', unit: '', rows: [row('at most, while it fills', most)] },
    ],
    notes: ['The proxy has checked one call before: it loads what it checks with when it is first asked to.'],
  };
}

/** A sandbox with demo data that nobody has called, and a proxy in front of another that has passed one call on. */
async function idle(bench: Bench) {
  // A first start holds what it compiles with, too.
  const first = await startOn(bench.processes, bench.folder());
  await first.process.stop('SIGINT');
  const uncalled = await startOn(bench.processes, bench.folder());
  const subject = await startSubject(bench, bench.folder());
  const origin = new URL(subject.urls.sandbox).origin;
  const flags = ['--port', '0', '--json', '--quiet', '--sandbox', origin];
  const proxy = bench.processes.node(pathOf('sandbox/bin.js'), 'proxy', ...flags);
  const { url } = await proxy.json<{ url: string }>();
  const address = `${url}/rewards/v1/partner/rewards?limit=50`;
  const { status } = await fetch(address, { headers: { Authorization: subject.token } });
  if (status !== 200) throw new Error(`the proxy answers ${status}`);
  await wait(rest);
  return [
    row('sandbox with demo data', uncalled.process.memory()),
    row('proxy', proxy.memory()),
    row("of the sandbox's, Node's program file", uncalled.process.memory('files')),
    row("of the proxy's, Node's program file", proxy.memory('files')),
  ] as const;
}
