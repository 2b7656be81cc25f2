import { cp, mkdtemp } from 'node:fs/promises';
import { join } from 'node:path';
import type { Table } from './figures.ts';
import { type Job, type Loaded, load, type Tool } from './load.ts';
import type { Peers } from './peers.ts';
import { type Processes, pathOf } from './processes.ts';

/** What a part comes to: figures that a target is set for, by its key, and all others. */
export interface Measured {
  readonly figures: Readonly<Record<string, number>>;
  readonly tables: readonly Table[];
  /** What could not be measured, or what must be known to read the figures. */
  readonly notes?: readonly string[];
}

/** A data folder with orders in it, as the process that filled it tells of it. */
export interface Filled {
  readonly dir: string;
  /** Bytes of the JSON of all its records. */
  readonly held: number;
  /** The most that the folder took while its second half was filled, against what it held then. */
  readonly most: number;
}

/** What a part measures with. Its processes end with it. */
export class Bench {
  readonly dir: string;
  readonly tool: Tool;
  readonly processes: Processes;
  readonly peers: Peers;
  /** Filled once in a run, and copied. */
  readonly #filled: Map<string, Promise<Filled>>;
  #copies = 0;

  constructor(
    place: { dir: string; tool: Tool; peers: Peers; filled: Map<string, Promise<Filled>> },
    processes: Processes,
  ) {
    this.dir = place.dir;
    this.tool = place.tool;
    this.peers = place.peers;
    this.#filled = place.filled;
    this.processes = processes;
  }

  load(job: Job): Promise<Loaded> {
    return load(this, job);
  }

  /** A folder of this part's own that is not there yet. */
  folder(): string {
    this.#copies += 1;
    return join(this.dir, `data-${this.#copies}`);
  }

  /** A data folder with so many orders of so many customers, this part's own. */
  async filled(orders: number, customers = 1000): Promise<Filled> {
    const key = `${orders} of ${customers}`;
    const made = this.#filled.get(key) ?? this.#fill(orders, customers);
    this.#filled.set(key, made);
    // One that failed is tried again by the next part.
    made.catch(() => this.#filled.delete(key));
    const { dir: source, ...told } = await made;
    const dir = this.folder();
    await cp(source, dir, { recursive: true });
    return { ...told, dir };
  }

  async #fill(orders: number, customers: number): Promise<Filled> {
    const dir = await mkdtemp(join(this.dir, '..', `orders-${orders}-`));
    const script = pathOf('test/bench/servers/fill-orders.ts');
    const told = await this.processes.node(script, dir, String(orders), String(customers)).json<Omit<Filled, 'dir'>>();
    return { ...told, dir };
  }
}
