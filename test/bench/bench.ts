import { cp, mkdtemp } from 'node:fs/promises';
import { join } from 'node:path';
import type { Table } from './figures.ts';
import { type Job, type LoadResult, load, type Tool } from './load.ts';
import type { Peers } from './peers.ts';
import { type Processes, pathOf } from './processes.ts';

/** The results of a part: figures with a target, by its key, and all others. */
export interface PartResult {
  readonly figures: Readonly<Record<string, number>>;
  readonly tables: readonly Table[];
  /** What could not be measured, or what a reader must know about the figures. */
  readonly notes?: readonly string[];
}

/** A data folder with orders, as reported by the process that filled it. */
export interface FilledFolder {
  readonly dir: string;
  /** Bytes of the JSON of all its records. */
  readonly recordBytes: number;
  /** The largest ratio of the folder's size to its records while the second half was filled. */
  readonly most: number;
}

/** The tools of a part. Its processes end with it. */
export class Bench {
  readonly dir: string;
  readonly tool: Tool;
  readonly processes: Processes;
  readonly peers: Peers;
  /** Filled once in a run, and copied. */
  readonly #filled: Map<string, Promise<FilledFolder>>;
  #copies = 0;

  constructor(
    place: { dir: string; tool: Tool; peers: Peers; filled: Map<string, Promise<FilledFolder>> },
    processes: Processes,
  ) {
    this.dir = place.dir;
    this.tool = place.tool;
    this.peers = place.peers;
    this.#filled = place.filled;
    this.processes = processes;
  }

  load(job: Job): Promise<LoadResult> {
    return load(this, job);
  }

  /** The path of a new folder of this part. */
  folder(): string {
    this.#copies += 1;
    return join(this.dir, `data-${this.#copies}`);
  }

  /** A data folder of this part with the given numbers of orders and customers. */
  async filled(orders: number, customers = 1000): Promise<FilledFolder> {
    const key = `${orders} of ${customers}`;
    const filled = this.#filled.get(key) ?? this.#fill(orders, customers);
    this.#filled.set(key, filled);
    // After a failure the next part tries again.
    filled.catch(() => this.#filled.delete(key));
    const { dir: source, ...sizes } = await filled;
    const dir = this.folder();
    await cp(source, dir, { recursive: true });
    return { ...sizes, dir };
  }

  async #fill(orders: number, customers: number): Promise<FilledFolder> {
    const dir = await mkdtemp(join(this.dir, '..', `orders-${orders}-`));
    const script = pathOf('test/bench/servers/fill-orders.ts');
    const sizes = await this.processes
      .node(script, dir, String(orders), String(customers))
      .json<Omit<FilledFolder, 'dir'>>();
    return { ...sizes, dir };
  }
}
