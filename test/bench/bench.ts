import { cp, mkdtemp } from 'node:fs/promises';
import { join } from 'node:path';
import type { Table } from './figures.ts';
import { type Job, load, type Tool } from './load.ts';
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
  /** Another checkout for comparison. */
  readonly beside: Checkout | undefined;
  /** Filled data folders, created once per run and then copied. */
  readonly filledFolders: Map<string, Promise<string>>;
}

export type Bench = ReturnType<typeof benchOf>;

/** Returns the tools of a part. Its processes end with it. */
export function benchOf(place: Place, processes: Processes) {
  const { dir: above, filledFolders } = place;
  let copies = 0;
  /** Returns the path of a new folder for this part. */
  const folder = () => {
    copies += 1;
    return join(above, `data-${copies}`);
  };
  const fill = async (orders: number, customers: number): Promise<string> => {
    const dir = await mkdtemp(join(above, '..', `orders-${orders}-`));
    const script = pathOf('test/bench/servers/fill-orders.ts');
    await processes.node(script, dir, String(orders), String(customers)).json();
    return dir;
  };
  return {
    ...place,
    processes,
    folder,
    load: (job: Job) => load({ ...place, processes }, job),
    /** Creates a data folder for this part with the given numbers of orders and customers. */
    async filled(orders: number, customers = 1000): Promise<string> {
      const key = `${orders} of ${customers}`;
      const filled = filledFolders.get(key) ?? fill(orders, customers);
      filledFolders.set(key, filled);
      // If filling fails, the next part retries it.
      filled.catch(() => filledFolders.delete(key));
      const dir = folder();
      await cp(await filled, dir, { recursive: true });
      return dir;
    },
  };
}
