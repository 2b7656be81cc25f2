import { cp, mkdtemp } from 'node:fs/promises';
import { join } from 'node:path';
import type { Table } from './figures.ts';
import { type Processes, pathOf } from './processes.ts';
import type { Checkout } from './sandbox.ts';

/** The results of a part: figures with a target, by its key, and all others. */
export interface PartResult {
  readonly figures: Readonly<Record<string, number>>;
  readonly tables: readonly Table[];
  /** What a reader must know about the figures. */
  readonly notes?: readonly string[];
}

/** The folder, the processes and the data of a part. */
export class Bench {
  readonly dir: string;
  readonly processes: Processes;
  /** Another checkout to compare with. */
  readonly beside: Checkout | undefined;
  /** Data folders by the orders in them: filled once in a run, and copied. */
  readonly #filled: Map<string, string>;
  #copies = 0;

  constructor(dir: string, processes: Processes, beside: Checkout | undefined, filled: Map<string, string>) {
    this.dir = dir;
    this.processes = processes;
    this.beside = beside;
    this.#filled = filled;
  }

  /** The path of a new folder of this part. */
  folder(): string {
    this.#copies += 1;
    return join(this.dir, `data-${this.#copies}`);
  }

  /** A data folder of this part with the given numbers of orders and customers. */
  async filled(orders: number, customers = 1000): Promise<string> {
    const key = `${orders} of ${customers}`;
    const original = this.#filled.get(key) ?? (await this.#fill(orders, customers));
    this.#filled.set(key, original);
    const dir = this.folder();
    await cp(original, dir, { recursive: true });
    return dir;
  }

  async #fill(orders: number, customers: number): Promise<string> {
    const dir = await mkdtemp(join(this.dir, '..', `orders-${orders}-`));
    const script = pathOf('test/bench/servers/fill-orders.ts');
    await this.processes.node(script, dir, String(orders), String(customers)).json();
    return dir;
  }
}
