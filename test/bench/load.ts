import { spawnSync } from 'node:child_process';
import type { Peers } from './peers.ts';
import { type Processes, pathOf } from './processes.ts';

/** The URL to call, the number of connections, and the duration. */
export interface Job {
  readonly url: string;
  readonly token: string;
  readonly connections: number;
  readonly seconds: number;
  /** The orders to place. Without them, the load reads the URL. */
  readonly orders?: Orders;
}

/** Orders for each customer in turn. Their references share a prefix. */
export interface Orders {
  readonly reference: string;
  /** The prefix of a customer's uid, followed by two digits starting at 00. */
  readonly uid: string;
  readonly customers: number;
}

/** The result of a job. */
export interface LoadResult {
  readonly calls: number;
  /** Calls per second. */
  readonly rate: number;
  /** Number of orders that an overloaded server refused with 503. They do not count as calls. */
  readonly refused: number;
}

export type Tool = 'wrk' | 'autocannon';

/** Returns the load tool: wrk if the machine has it, otherwise autocannon. */
export function toolHere(): Tool {
  return spawnSync('wrk', ['--version']).error === undefined ? 'wrk' : 'autocannon';
}

/** Makes calls from a separate process. Rejects if any reply is wrong. */
export async function load(by: { tool: Tool; processes: Processes; peers: Peers }, job: Job): Promise<LoadResult> {
  const {
    calls,
    seconds,
    wrong,
    refused = 0,
    said = '',
  } = by.tool === 'wrk' ? await wrk(by, job) : await autocannon(by, job);
  // On a busy machine, two seconds can pass without an order. That is a valid figure.
  if (calls === 0 && job.orders === undefined) throw new Error(`no call to ${job.url} was answered`);
  if (wrong > 0) throw new Error(`${wrong} of ${calls} calls were refused or not answered ${said}`);
  return { calls: calls - refused, rate: (calls - refused) / seconds, refused };
}

export interface Outcome {
  readonly calls: number;
  readonly seconds: number;
  readonly wrong: number;
  readonly refused?: number;
  /** The text of the first refusal other than a 503. */
  readonly said?: string;
}

async function wrk({ processes }: { processes: Processes }, job: Job): Promise<Outcome> {
  const { url, token, connections, seconds, orders } = job;
  const script = pathOf(`test/bench/load/${orders === undefined ? 'reads' : 'orders'}.lua`);
  const sized = ['-t1', `-c${connections}`, `-d${seconds}s`, '--timeout', '10s', '-s', script];
  const headers = ['-H', `Authorization: ${token}`, '-H', 'Content-Type: application/json'];
  const jobArguments = orders === undefined ? [] : ['--', orders.reference, orders.uid, String(orders.customers)];
  const run = processes.run('wrk', [...sized, ...headers, url, ...jobArguments]);
  const { micros, ...rest } = await run.json<Omit<Outcome, 'seconds'> & { micros: number }>();
  return { ...rest, seconds: micros / 1e6 };
}

/** Runs a job with autocannon. */
async function autocannon({ processes, peers }: { processes: Processes; peers: Peers }, job: Job): Promise<Outcome> {
  const script = pathOf('test/bench/load/autocannon.ts');
  return processes.node(script, await peers.module('autocannon'), JSON.stringify(job)).json<Outcome>();
}
