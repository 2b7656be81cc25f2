import { type Processes, pathOf } from './processes.ts';

/** The URL to call, the number of connections, and the duration. */
export interface Job {
  readonly url: string;
  readonly token: string;
  readonly connections: number;
  readonly seconds: number;
  /** The orders to place; without it, the load reads the URL. */
  readonly orders?: Orders;
}

/** Orders of each customer in turn, whose references share a prefix. */
export interface Orders {
  readonly reference: string;
  /** The prefix of a customer's uid; two digits follow, from 00. */
  readonly uid: string;
  readonly customers: number;
}

/** The result of a job. */
export interface LoadResult {
  readonly calls: number;
  /** Calls per second. */
  readonly rate: number;
  /** Orders that an overloaded server refused with 503; they do not count as calls. */
  readonly refused: number;
}

/** Makes calls with wrk. Rejects if one got a wrong reply. */
export async function load(processes: Processes, { url, token, connections, seconds, orders }: Job) {
  const script = pathOf(`test/bench/load/${orders === undefined ? 'reads' : 'orders'}.lua`);
  const sized = ['-t1', `-c${connections}`, `-d${seconds}s`, '--timeout', '10s', '-s', script];
  const headers = ['-H', `Authorization: ${token}`, '-H', 'Content-Type: application/json'];
  const jobArguments = orders === undefined ? [] : ['--', orders.reference, orders.uid, String(orders.customers)];
  const run = processes.run('wrk', [...sized, ...headers, url, ...jobArguments]);
  const { calls, micros, wrong, refused = 0, said = '' } = await run.json<Printed>();
  // On a busy machine two seconds can pass without an order: that is a figure too.
  if (calls === 0 && orders === undefined) throw new Error(`no call to ${url} was answered`);
  if (wrong > 0) throw new Error(`${wrong} of ${calls} calls were refused or not answered ${said}`);
  return { calls: calls - refused, rate: ((calls - refused) * 1e6) / micros, refused } satisfies LoadResult;
}

/** What the scripts for wrk print. */
interface Printed {
  readonly calls: number;
  readonly micros: number;
  readonly wrong: number;
  readonly refused?: number;
  /** The text of the first other refusal. */
  readonly said?: string;
}
