import { getHeapStatistics } from 'node:v8';
import { ByteBudget } from '../store/byte-budget.ts';

const mebibyte = 2 ** 20;

/** Of the heap limit, what Node keeps for new objects, and what a sandbox without data takes. */
const youngBytes = 192 * mebibyte;
const ownBytes = 40 * mebibyte;
/** How much of the rest may hold data. Calls, copies in progress and the garbage collector need the other part. */
const dataShare = 0.7;
/** How many bytes of heap a byte of JSON takes, with indexes; measured for orders and customers. */
const heapOfByte = 2.5;
/** The least budget: enough for a demo workspace. */
const leastBytes = 8 * mebibyte;

/** How much of the budget the workspaces of one tenant can take together. */
const tenantShare = 0.5;

/** What a workspace takes besides its data and its activity log, in bytes of JSON. */
export const bytesOfWorkspace = 256 * 1024;

/** How much of the budget one activity log can take. */
const logShare = 1 / 64;

/** What to do where the budget is used up. */
export const moreMemory = 'give Node more memory, for example NODE_OPTIONS=--max-old-space-size=4096';

/** The budget, in a message. */
export function memoryText(maxBytes: number): string {
  return `${Math.floor(maxBytes / mebibyte)} MiB of data that fit in memory`;
}

/** How many bytes of JSON a process with this heap limit can hold. */
export function budgetOf(heapLimit = getHeapStatistics().heap_size_limit): number {
  // Node before 24 keeps less for new objects.
  const old = Math.max(heapLimit - youngBytes, heapLimit / 4);
  return Math.max(leastBytes, Math.floor(((old - ownBytes) * dataShare) / heapOfByte));
}

/**
 * The memory of a process, for the data of all its workspaces (OP-244). The workspaces that one workspace answers for share a
 * part of it, so that one tenant cannot take the memory of all others.
 */
export class ProcessMemory {
  readonly total: ByteBudget;
  /** How large an activity log can be, where that is less than its own limit. */
  readonly mostLogBytes: number;
  readonly #tenants = new Map<string, ByteBudget>();

  constructor(maxBytes = budgetOf()) {
    this.total = new ByteBudget(maxBytes, 'process');
    this.mostLogBytes = maxBytes * logShare;
  }

  get free(): number {
    return this.total.maxBytes - this.total.used;
  }

  /** The budget of the workspaces that a workspace answers for; the operator's has no limit of its own. */
  of(creator: string): ByteBudget {
    if (creator === 'demo') return this.total;
    for (const [name, { used }] of this.#tenants) if (used === 0) this.#tenants.delete(name);
    const known = this.#tenants.get(creator);
    if (known !== undefined) return known;
    const budget = new ByteBudget(Math.floor(this.total.maxBytes * tenantShare), 'tenant', this.total);
    this.#tenants.set(creator, budget);
    return budget;
  }
}
