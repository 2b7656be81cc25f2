/**
 * Measures a growing sandbox: memory, folder, restart and the longest block of its event loop while orders are stored, calls
 * are made, a snapshot is taken and restored, callers wait, readers do not read and connections stay open. `--deliver` also
 * delivers the orders. Prints a table; with `--against` also one of another checkout (with its node_modules), in the same run.
 * Usage: `npm run bench:growth -- [--orders 50000] [--calls 200000] [--deliver] [--against DIR] [--json]`.
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { argv, exit, stderr } from 'node:process';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { deaf, folderSize, idle, many, type Subject, waiting } from './growth-load.ts';
import { SandboxProcess } from './growth-process.ts';

const { values } = parseArgs({
  args: argv.slice(2),
  options: {
    orders: { type: 'string', default: '50000' },
    calls: { type: 'string', default: '200000' },
    against: { type: 'string' },
    deliver: { type: 'boolean', default: false },
    json: { type: 'boolean', default: false },
    help: { type: 'boolean', short: 'h', default: false },
  },
});
if (values.help) {
  console.log('npm run bench:growth -- [--orders 50000] [--calls 200000] [--deliver] [--against DIR] [--json]');
  exit(0);
}

/** One line of the table. Megabytes, seconds, milliseconds; `note` has further results. */
interface Row {
  readonly stage: string;
  readonly seconds: number;
  readonly memory: number;
  readonly mostMemory: number;
  readonly folder: number;
  readonly longestBlock: number;
  readonly note: string;
}

type Stage = readonly [name: string, run: (subject: Subject) => Promise<string>];

const orders = Number(values.orders);
const calls = Number(values.calls);
let snapshot = '';

const delivered = async ({ settle }: Subject) => `${await settle()} pieces of due work`;

const stages: readonly Stage[] = [
  [`${orders} orders stored`, (subject) => many(subject.order, orders, 20)],
  ...(values.deliver ? ([[`their ${orders} deliveries`, delivered]] as const) : []),
  [`${calls} calls`, (subject) => many(subject.page, calls, 10)],
  [
    'snapshot taken',
    async ({ control, order, during }) => {
      const creation = await during(order, () => control('POST', '/snapshots', { name: 'growth' }));
      snapshot = (creation.result as { id: string }).id;
      return `an order meanwhile took ${creation.longest} ms at most`;
    },
  ],
  [
    'snapshot restored',
    async ({ control, health, during }) => {
      const restored = await during(health, () => control('POST', `/snapshots/${snapshot}/restore`));
      return `health meanwhile took ${restored.longest} ms at most`;
    },
  ],
  ['500 callers wait', async (subject) => waiting(subject, 500)],
  ['220 do not read', async (subject) => deaf(subject, 220)],
  ['1,000 connections', async (subject) => idle(subject, 1000)],
  ['reset', async ({ control }) => control('POST', '/reset').then(() => '')],
];

const mega = (bytes: number) => Math.round(bytes / 1024 / 1024);

async function measure(checkout: string): Promise<Row[]> {
  const data = await mkdtemp(join(tmpdir(), 'growth-'));
  const rows: Row[] = [];
  let process = await SandboxProcess.start(checkout, data);
  await process.subject.prepare();
  for (const [stage, run] of stages) {
    stderr.write(`${checkout}: ${stage}\n`);
    await process.begin();
    const began = performance.now();
    // A stage that ends the process is a result; the next stage starts a new process.
    const note = await run(process.subject).catch((error: Error) => `FAILED: ${error.message}`);
    const seconds = (performance.now() - began) / 1000;
    const figures = await process.read();
    const memory = mega(figures?.memory ?? Number.NaN);
    const mostMemory = mega(figures?.mostMemory ?? Number.NaN);
    const longestBlock = Math.round(figures?.longestBlock ?? Number.NaN);
    rows.push({ stage, seconds, memory, mostMemory, folder: mega(await folderSize(data)), longestBlock, note });
    stderr.write(`  ${seconds.toFixed(1)} s, ${mostMemory} MB at most, longest block ${longestBlock} ms, ${note}\n`);
    const isLong = stage.startsWith('snapshot') || stage.includes('deliveries') || figures === undefined;
    if (!isLong) continue;
    await process.close();
    const start = performance.now();
    process = await SandboxProcess.start(checkout, data);
    const folder = mega(await folderSize(data));
    const after = await process.read();
    const sizes = { memory: mega(after?.memory ?? 0), mostMemory: mega(after?.mostMemory ?? 0), folder };
    rows.push({ stage: '  restart', seconds: (performance.now() - start) / 1000, ...sizes, longestBlock: 0, note: '' });
  }
  await process.close();
  await rm(data, { recursive: true, force: true });
  return rows;
}

function table(title: string, rows: readonly Row[]): string {
  const head = ['stage', 'seconds', 'MB after', 'MB at most', 'folder MB', 'longest block ms', 'seen'];
  const cells = rows.map((row) => [
    row.stage,
    row.seconds.toFixed(1),
    ...[row.memory, row.mostMemory, row.folder].map(String),
    row.longestBlock > 0 ? String(row.longestBlock) : '',
    row.note,
  ]);
  const lines = [head, head.map(() => '---'), ...cells].map((line) => `| ${line.join(' | ')} |`);
  return `${title}\n\n${lines.join('\n')}\n`;
}

const here = fileURLToPath(new URL('../..', import.meta.url));
const before = values.against === undefined ? undefined : await measure(values.against);
const after = await measure(here);
if (values.json) console.log(JSON.stringify({ orders, calls, before, after }));
else console.log([...(before ? [table('Before', before)] : []), table(before ? 'After' : 'Now', after)].join('\n'));
