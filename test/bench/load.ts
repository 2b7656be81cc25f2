import { spawnSync } from 'node:child_process';
import type { Peers } from './peers.ts';
import { type Processes, pathOf } from './processes.ts';

/** What is called, from how many connections, and for how long. */
export interface Job {
  readonly url: string;
  readonly token: string;
  readonly connections: number;
  readonly seconds: number;
  /** Orders are placed; left out, the address is read. */
  readonly orders?: Orders;
}

/** Orders, of each customer in turn, whose references begin alike. */
export interface Orders {
  readonly reference: string;
  /** How the uid of a customer begins; two digits follow, from 00. */
  readonly uid: string;
  readonly customers: number;
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

export interface Outcome {
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
  const given = orders === undefined ? [] : ['--', orders.reference, orders.uid, String(orders.customers)];
  const run = processes.run('wrk', [...sized, ...headers, url, ...given]);
  const { micros, ...rest } = await run.json<Omit<Outcome, 'seconds'> & { micros: number }>();
  return { ...rest, seconds: micros / 1e6, middle: rest.middle / 1000 };
}

/** The same from autocannon. Its times are whole milliseconds. */
async function autocannon({ processes, peers }: { processes: Processes; peers: Peers }, job: Job): Promise<Outcome> {
  const script = pathOf('test/bench/load/autocannon.ts');
  return processes.node(script, await peers.module('autocannon'), JSON.stringify(job)).json<Outcome>();
}
