/** Implements `npm run bench`. */
import { rmSync } from 'node:fs';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process, { exit, stderr, stdout } from 'node:process';
import { parseArgs } from 'node:util';
import { type Bench, benchOf, type PartResult, type Place } from './bench.ts';
import { toolHere } from './load.ts';
import { beside } from './parts/beside.ts';
import { listing } from './parts/listing.ts';
import { memory } from './parts/memory.ts';
import { orders } from './parts/orders.ts';
import { proxy } from './parts/proxy.ts';
import { path, start } from './parts/start.ts';
import { Peers } from './peers.ts';
import { Processes, pathOf } from './processes.ts';
import { type Outcome, printed, reportOf, thisMachine, withoutPlaces } from './report.ts';
import { checkoutAt } from './sandbox.ts';
import { type PartName, partNames } from './targets.ts';

/** The parts, with the seconds after which a part has failed: one and a half times its load, and time to start servers on a busy machine. */
const parts: Readonly<Record<PartName, readonly [limit: number, run: (bench: Bench) => Promise<PartResult>]>> = {
  path: [60, path],
  listing: [330, listing],
  orders: [360, orders],
  beside: [450, beside],
  proxy: [250, proxy],
  start: [120, start],
  memory: [180, memory],
};

const help = `Usage: npm run bench -- [--only NAME] [--beside DIR]

Measures the sandbox next to others of its kind: targets first, met or missed, then the figures. Writes docs/bench/speed.json.
Each server is warmed up until its rate no longer grows.
Load comes from wrk where it is installed, else from autocannon, which is fetched into a temporary folder like the
other peers. It needs Linux: processor time and memory are read from /proc.

Options:
  --only NAME       this part only (repeatable); nothing is written then
                    ${partNames.join(', ')}
  --beside DIR      adds the part "beside": the same load in turn on the sandbox of another checkout of this repository,
                    which has its own node_modules
  -h, --help        show this

TMPDIR sets the folder, and so the disk, that is measured.

Exit codes:
  0 measured   1 a part failed   2 usage   130 interrupted
`;

/** Reads the arguments. Throws a readable error if they are invalid. */
function readOptions() {
  const { values } = parseArgs({
    options: {
      only: { type: 'string', multiple: true, default: [] },
      beside: { type: 'string' },
      help: { type: 'boolean', short: 'h', default: false },
    },
  });
  const { only, help, beside } = values;
  const unknown = only.find((name) => !partNames.some((part) => part === name));
  if (unknown !== undefined) throw new Error(`There is no part "${unknown}": ${partNames.join(', ')}.`);
  if (only.includes('beside') && beside === undefined) throw new Error('The part "beside" needs --beside DIR.');
  const isWanted = (part: PartName) =>
    part === 'beside' ? beside !== undefined : only.length === 0 || only.includes(part);
  return { help, only: partNames.filter(isWanted), other: beside === undefined ? undefined : checkoutAt(beside) };
}

/** Runs a part of the benchmark. Its processes end with it, including at the time limit. */
async function measure(part: PartName, place: Place, running: Set<Processes>): Promise<Outcome> {
  const processes = new Processes();
  running.add(processes);
  const dir = join(place.dir, part);
  const over = Promise.withResolvers<never>();
  const [limit, run] = parts[part];
  const timer = setTimeout(() => over.reject(new Error(`it took longer than ${limit} s`)), limit * 1000);
  try {
    await mkdir(dir);
    return { part, measured: await Promise.race([run(benchOf({ ...place, dir }, processes)), over.promise]) };
  } catch (error) {
    stderr.write(`  failed: ${withoutPlaces(String(error))}\n`);
    return { part, error };
  } finally {
    clearTimeout(timer);
    await processes.close();
    running.delete(processes);
    await rm(dir, { recursive: true, force: true });
  }
}

async function runAll({ only, other }: ReturnType<typeof readOptions>) {
  const began = performance.now();
  const seconds = () => Math.round((performance.now() - began) / 1000);
  const dir = await mkdtemp(join(tmpdir(), 'bench-'));
  const fetching = new Processes();
  const running = new Set([fetching]);
  const tool = toolHere();
  const place: Place = { dir, tool, peers: new Peers(dir, fetching), beside: other, filledFolders: new Map() };
  // Remove the folder last, so that nothing writes to it afterwards, however the run ends.
  process.once('exit', () => rmSync(dir, { recursive: true, force: true }));
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.once(signal, () => {
      void Promise.all([...running].map((processes) => processes.close())).then(() => exit(130));
    });
  }
  const outcomes: Outcome[] = [];
  for (const part of only) {
    stderr.write(`${seconds()} s: ${part}\n`);
    outcomes.push(await measure(part, place, running));
  }
  await fetching.close();
  return reportOf(outcomes, { seconds: seconds(), load: tool, machine: thisMachine(dir) });
}

async function main(): Promise<number> {
  let options: ReturnType<typeof readOptions>;
  try {
    options = readOptions();
  } catch (error) {
    stderr.write(`${(error as Error).message}\n\n${help}`);
    return 2;
  }
  if (options.help) {
    stdout.write(help);
    return 0;
  }
  const report = await runAll(options);
  // The comparison with another checkout is optional.
  if (partNames.every((part) => part === 'beside' || options.only.includes(part))) {
    await writeFile(pathOf('docs/bench/speed.json'), `${JSON.stringify(report, null, 2)}\n`);
    stderr.write('docs/bench/speed.json is written\n');
  }
  stdout.write(printed(report));
  return report.failed.length > 0 ? 1 : 0;
}

process.exitCode = await main();
