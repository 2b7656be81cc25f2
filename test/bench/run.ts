/** `npm run bench -- --help` */
import { rmSync } from 'node:fs';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process, { exit, stderr, stdout } from 'node:process';
import { parseArgs, styleText } from 'node:util';
import { version } from '../../sandbox/version.ts';
import { Bench, type PartResult } from './bench.ts';
import { beside } from './parts/beside.ts';
import { listing } from './parts/listing.ts';
import { memory } from './parts/memory.ts';
import { orders } from './parts/orders.ts';
import { path } from './parts/path.ts';
import { start } from './parts/start.ts';
import { printed } from './printed.ts';
import { Processes, pathOf } from './processes.ts';
import { reportOf, thisMachine } from './report.ts';
import { checkoutAt } from './sandbox.ts';
import { type PartName, partNames } from './targets.ts';

const help = `Usage: npm run bench -- [--only PART] [--beside DIR]

Measures the sandbox, next to bare servers and Prism: targets first, met or missed, then the figures. A run of all parts
takes about five minutes and writes docs/bench/speed.json. It needs wrk, and Linux: processor time and memory are read from /proc.

  --only PART   this part only (repeatable): ${partNames.join(', ')}
  --beside DIR  adds the part "beside": the same load in turn on the sandbox of another checkout of this repository,
                which has its own node_modules
`;

const parts: Readonly<Record<PartName, (bench: Bench) => Promise<PartResult>>> = {
  path,
  listing,
  orders,
  beside,
  start,
  memory,
};

/** The processes of the part that runs. They end with it, and with this process. */
let running = new Processes();

async function measureAll(names: readonly PartName[], besideDir: string | undefined) {
  const other = besideDir === undefined ? undefined : checkoutAt(besideDir);
  const dir = await mkdtemp(join(tmpdir(), 'bench-'));
  process.once('exit', () => rmSync(dir, { recursive: true, force: true }));
  for (const signal of ['SIGINT', 'SIGTERM'] as const)
    process.once(signal, () => void running.close().then(() => exit(130)));
  const began = performance.now();
  const seconds = () => Math.round((performance.now() - began) / 1000);
  const results = new Map<PartName, PartResult>();
  const filled = new Map<string, string>();
  for (const name of names) {
    stderr.write(`${seconds()} s: ${name}\n`);
    running = new Processes();
    const folder = join(dir, name);
    await mkdir(folder);
    try {
      results.set(name, await parts[name](new Bench(folder, running, other, filled)));
    } finally {
      await running.close();
      await rm(folder, { recursive: true, force: true });
    }
  }
  const date = new Date().toISOString().slice(0, 10);
  return reportOf(results, { date, version, seconds: seconds(), machine: thisMachine(dir) });
}

const { values: flags } = parseArgs({
  options: {
    only: { type: 'string', multiple: true, default: [] },
    beside: { type: 'string' },
    help: { type: 'boolean', short: 'h', default: false },
  },
});
const unknown = flags.only.filter((name) => !partNames.some((part) => part === name));
if (flags.help || unknown.length > 0) {
  (flags.help ? stdout : stderr).write(help);
  exit(flags.help ? 0 : 2);
}
const always = partNames.filter((part) => part !== 'beside');
const named = flags.only.length === 0 ? always : always.filter((part) => flags.only.includes(part));
const report = await measureAll(flags.beside === undefined ? named : [...named, 'beside'], flags.beside);
stdout.write(printed(report, (colour, text) => styleText(colour, text)));
if (named.length === always.length) {
  await writeFile(pathOf('docs/bench/speed.json'), `${JSON.stringify(report, null, 2)}\n`);
  stderr.write('docs/bench/speed.json is written\n');
}
