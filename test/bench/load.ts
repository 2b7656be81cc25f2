import { spawnSync } from 'node:child_process';
import type { Peers } from './peers.ts';
import { type Processes, pathOf } from './processes.ts';

/** What is called, from how many connections, and for how long. */
export interface Job {
  readonly url: string;
  readonly token: string;
  readonly connections: number;
  readonly seconds: number;
  /** Orders are placed, with references that begin so; left out, the address is read. */
  readonly orders?: string;
}

/** What came of it. */
export interface Loaded {
  readonly calls: number;
  /** Calls per second. */
  readonly rate: number;
  /** The middle of the times of the calls, in milliseconds. */
  readonly middle: number;
  /** Orders that a server with too much to do refused with 503; they are no calls. */
  readonly refused: number;
}

export type Tool = 'wrk' | 'autocannon';

/** What calls come from: wrk where the machine has it. */
export function toolHere(): Tool {
  return spawnSync('wrk', ['--version']).error === undefined ? 'wrk' : 'autocannon';
}

/** Makes calls from a process of its own. Rejects where one was not answered as it should be. */
export async function load(by: { tool: Tool; processes: Processes; peers: Peers }, job: Job): Promise<Loaded> {
  const {
    calls,
    seconds,
    wrong,
    middle,
    refused = 0,
    said = '',
  } = by.tool === 'wrk' ? await wrk(by, job) : await autocannon(by, job);
  // On a machine with much else to do, two seconds can pass without an order: that is a figure too.
  if (calls === 0 && job.orders === undefined) throw new Error(`no call to ${job.url} was answered`);
  if (wrong > 0) throw new Error(`${wrong} of ${calls} calls were refused or not answered ${said}`);
  return { calls: calls - refused, rate: (calls - refused) / seconds, middle, refused };
}

interface Outcome {
  readonly calls: number;
  readonly seconds: number;
  readonly wrong: number;
  readonly middle: number;
  readonly refused?: number;
  /** What the first other refusal said. */
  readonly said?: string;
}

async function wrk({ processes }: { processes: Processes }, job: Job): Promise<Outcome> {
  const { url, token, connections, seconds, orders } = job;
  const script = pathOf(`test/bench/load/${orders === undefined ? 'reads' : 'orders'}.lua`);
  const sized = ['-t1', `-c${connections}`, `-d${seconds}s`, '--timeout', '10s', '-s', script];
  const headers = ['-H', `Authorization: ${token}`, '-H', 'Content-Type: application/json'];
  const run = processes.run('wrk', [...sized, ...headers, url, ...(orders === undefined ? [] : ['--', orders])]);
  const { micros, ...rest } = await run.json<Omit<Outcome, 'seconds'> & { micros: number }>();
  return { ...rest, seconds: micros / 1e6, middle: rest.middle / 1000 };
}

/** A line of what autocannon prints with `--json`. Its times are whole milliseconds. */
interface Cannon {
  readonly requests: { readonly total: number };
  readonly latency: { readonly p50: number };
  readonly duration: number;
  readonly errors: number;
  readonly non2xx: number;
  readonly statusCodeStats?: { readonly '503'?: { readonly count: number } };
}

async function autocannon({ processes, peers }: { processes: Processes; peers: Peers }, job: Job): Promise<Outcome> {
  const { url, token, connections, seconds, orders } = job;
  const program = await peers.program('autocannon');
  const order = {
    uid: 'SPEED00',
    line_items: [{ sku: 'EGV-SPICE-100', quantity: 1 }],
    reference_id: `${orders}-[<id>]`,
  };
  const body = orders === undefined ? [] : ['-m', 'POST', '-I', '-b', JSON.stringify(order)];
  const headers = ['-H', `Authorization=${token}`, '-H', 'Content-Type=application/json'];
  const sized = ['--json', '-n', '-c', String(connections), '-d', String(seconds)];
  const { requests, latency, duration, errors, non2xx, statusCodeStats } = await processes
    .node(program, ...sized, ...headers, ...body, url)
    .json<Cannon>();
  const refused = orders === undefined ? 0 : (statusCodeStats?.['503']?.count ?? 0);
  const wrong = errors + non2xx - refused;
  return { calls: requests.total, seconds: duration, wrong, middle: latency.p50, refused };
}
