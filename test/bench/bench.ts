import { cp, mkdtemp } from 'node:fs/promises';
import { join } from 'node:path';
import type { Table } from './figures.ts';
import { type Job, type LoadResult, load, type Tool } from './load.ts';
import type { Peers } from './peers.ts';
import { type Processes, pathOf } from './processes.ts';
import type { Checkout } from './sandbox.ts';

/** The results of a part: the figures with a target, by key, and the tables. */
export interface PartResult {
  readonly figures: Readonly<Record<string, number>>;
  readonly tables: readonly Table[];
  /** Measurements that failed, and information a reader needs to interpret the figures. */
  readonly notes?: readonly string[];
}

/** The tools that all parts use. */
export interface Place {
  readonly dir: string;
  readonly tool: Tool;
  readonly peers: Peers;
  readonly beside: Checkout | undefined;
  readonly filled: Map<string, Promise<string>>;
}

/** The tools of a part. Its processes end with it. */
export class Bench {
  readonly dir: string;
  readonly tool: Tool;
  readonly processes: Processes;
  readonly peers: Peers;
  /** Another checkout for comparison. */
  readonly beside: Checkout | undefined;
  /** Filled data folders, created once per run and then copied. */
  readonly #filled: Map<string, Promise<string>>;
  #copies = 0;

  constructor(place: Place, processes: Processes) {
    this.dir = place.dir;
    this.tool = place.tool;
    this.peers = place.peers;
    this.beside = place.beside;
    this.#filled = place.filled;
    this.processes = processes;
  }

  load(job: Job): Promise<LoadResult> {
    return load(this, job);
  }

  /** Returns the path of a new folder for this part. */
  folder(): string {
    this.#copies += 1;
    return join(this.dir, `data-${this.#copies}`);
  }

  /** Creates a data folder for this part with the given numbers of orders and customers. */
  async filled(orders: number, customers = 1000): Promise<string> {
    const key = `${orders} of ${customers}`;
    const filled = this.#filled.get(key) ?? this.#fill(orders, customers);
    this.#filled.set(key, filled);
    // If filling fails, the next part retries it.
    filled.catch(() => this.#filled.delete(key));
    const dir = this.folder();
    await cp(await filled, dir, { recursive: true });
    return dir;
  }

  async #fill(orders: number, customers: number): Promise<string> {
    const dir = await mkdtemp(join(this.dir, '..', `orders-${orders}-`));
    const script = pathOf('test/bench/servers/fill-orders.ts');
    await this.processes.node(script, dir, String(orders), String(customers)).json();
    return dir;
  }
}
