/** Implements `npm run bench`. For its help and arguments, see `options.ts`. */
import { rmSync } from 'node:fs';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process, { argv, exit, stderr, stdout } from 'node:process';
import { styleText } from 'node:util';
import { version } from '../../sandbox/version.ts';
import { Bench, type PartResult, type Place } from './bench.ts';
import { limits } from './limits.ts';
import { toolHere } from './load.ts';
import { thisMachine, withoutPlaces } from './machine.ts';
import { exitCode, help, type Options, readOptions } from './options.ts';
import { beside } from './parts/beside.ts';
import { listing } from './parts/listing.ts';
import { memory } from './parts/memory.ts';
import { orders } from './parts/orders.ts';
import { path } from './parts/path.ts';
import { proxy } from './parts/proxy.ts';
import { start } from './parts/start.ts';
import { Peers } from './peers.ts';
import { printed } from './printed.ts';
import { Processes, pathOf } from './processes.ts';
import { type Outcome, type Report, reportOf } from './report.ts';
import { type Checkout, checkoutAt } from './sandbox.ts';
import { type PartName, partNames } from './targets.ts';

const parts: Readonly<Record<PartName, (bench: Bench) => Promise<PartResult>>> = {
  path,
  listing,
  orders,
  beside,
  proxy,
  start,
  memory,
};

/** Runs a part of the benchmark. Its processes end with it, including at the time limit. */
async function measure(part: PartName, place: Place, running: Set<Processes>): Promise<Outcome> {
  const processes = new Processes();
  running.add(processes);
  const dir = join(place.dir, part);
  const over = Promise.withResolvers<never>();
  const limit = limits[part];
  const timer = setTimeout(() => over.reject(new Error(`it took longer than ${limit} s`)), limit * 1000);
  try {
    await mkdir(dir);
    return { part, measured: await Promise.race([parts[part](new Bench({ ...place, dir }, processes)), over.promise]) };
  } catch (error) {
    return { part, error };
  } finally {
    clearTimeout(timer);
    await processes.close();
    running.delete(processes);
    await rm(dir, { recursive: true, force: true });
  }
}

async function runAll({ only, dir: above = tmpdir() }: Options, other: Checkout | undefined): Promise<Report> {
  const began = performance.now();
  const seconds = () => (performance.now() - began) / 1000;
  await mkdir(above, { recursive: true });
  const dir = await mkdtemp(join(above, 'bench-'));
  const fetching = new Processes();
  const running = new Set([fetching]);
  const tool = toolHere();
  const place: Place = { dir, tool, peers: new Peers(dir, fetching), beside: other, filled: new Map() };
  // Remove the folder last, so that nothing writes to it afterwards, however the run ends.
  process.once('exit', () => rmSync(dir, { recursive: true, force: true }));
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.once(signal, () => {
      void Promise.all([...running].map((processes) => processes.close())).then(() => exit(130));
    });
  }
  const outcomes: Outcome[] = [];
  for (const part of only) {
    stderr.write(`${Math.round(seconds())} s: ${part}\n`);
    const outcome = await measure(part, place, running);
    if ('error' in outcome) stderr.write(`  failed: ${withoutPlaces(String(outcome.error))}\n`);
    outcomes.push(outcome);
  }
  await fetching.close();
  const date = new Date().toISOString().slice(0, 10);
  return reportOf(outcomes, { date, version, seconds: Math.round(seconds()), load: tool, machine: thisMachine(dir) });
}

async function write(report: Report): Promise<void> {
  const folder = pathOf('docs/bench');
  await mkdir(folder, { recursive: true });
  await writeFile(join(folder, 'speed.json'), `${JSON.stringify(report, null, 2)}\n`);
  stderr.write('docs/bench/speed.json is written\n');
}

async function main(): Promise<number> {
  let options: Options;
  let other: Checkout | undefined;
  try {
    options = readOptions(argv.slice(2));
    if (options.beside !== undefined) other = checkoutAt(options.beside);
  } catch (error) {
    stderr.write(`${(error as Error).message}\n\n${help}`);
    return 2;
  }
  if (options.help) {
    stdout.write(help);
    return 0;
  }
  const report = await runAll(options, other);
  // The comparison with another checkout is optional.
  if (partNames.every((part) => part === 'beside' || options.only.includes(part))) await write(report);
  stdout.write(
    options.json ? `${JSON.stringify(report)}\n` : printed(report, (colour, text) => styleText(colour, text)),
  );
  const missed = report.targets.filter(({ verdict }) => verdict !== 'met' && verdict !== 'no target').length;
  return exitCode({ failed: report.failed.length, missed }, options);
}

process.exitCode = await main();
