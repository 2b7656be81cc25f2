import { getHeapStatistics } from 'node:v8';
import { ByteBudget } from '../store/byte-budget.ts';

const mebibyte = 2 ** 20;

/** The bytes of the heap limit that Node reserves for new objects, and those that a sandbox without data uses. */
const youngBytes = 192 * mebibyte;
const ownBytes = 40 * mebibyte;
/** The fraction of the remaining heap that data may use. Calls, copies in progress and the garbage collector need the rest. */
const dataShare = 0.7;
/** Heap bytes per byte of JSON, including indexes. Measured for orders and customers. */
const heapOfByte = 2.5;
/** Minimum budget, in bytes. It is enough for a demo workspace. */
const leastBytes = 8 * mebibyte;

/** The fraction of the budget that the workspaces of one tenant can use together. */
const tenantShare = 0.5;

/** The memory of a workspace besides its data and its activity log, in bytes of JSON. */
export const bytesOfWorkspace = 256 * 1024;

/** The fraction of the budget that one activity log can use. */
const logShare = 1 / 64;

/** The remedy for an exhausted budget, for error messages. */
export const moreMemory = 'give Node more memory, for example NODE_OPTIONS=--max-old-space-size=4096';

/** Returns the budget as text for a message. */
export function memoryText(maxBytes: number): string {
  return `${Math.floor(maxBytes / mebibyte)} MiB of data that fit in memory`;
}

/** Returns the number of bytes of JSON that fit in a process with this heap limit. */
export function budgetOf(heapLimit = getHeapStatistics().heap_size_limit): number {
  // Node versions before 24 reserve less for new objects.
  const old = Math.max(heapLimit - youngBytes, heapLimit / 4);
  return Math.max(leastBytes, Math.floor(((old - ownBytes) * dataShare) / heapOfByte));
}

/**
 * The memory of a process for the data of all its workspaces (OP-244). The workspaces that one workspace answers for
 * share a part of it, so that one tenant cannot use the memory of all others.
 */
export class ProcessMemory {
  readonly total: ByteBudget;
  /** Maximum size of an activity log, in bytes, if that is less than its own limit. */
  readonly mostLogBytes: number;
  readonly #tenants = new Map<string, ByteBudget>();

  constructor(maxBytes = budgetOf()) {
    this.total = new ByteBudget(maxBytes, 'process');
    this.mostLogBytes = maxBytes * logShare;
  }

  get free(): number {
    return this.total.maxBytes - this.total.used;
  }

  /** Returns the budget of the workspaces that a workspace answers for. The operator's budget has no limit below the total. */
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
