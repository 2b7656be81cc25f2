import type { ByteBudget } from './byte-budget.ts';
import type { Prepared } from './commit-log.ts';
import { type Reader, StoreError, type Tx } from './store.ts';
import { type Overlay, Transaction } from './transaction.ts';
import type { ReadByName, WorkingSet, WrittenChange } from './working-set.ts';

/** Bounds how long a group blocks the event loop, and how long its entry of the log grows. */
const largestGroup = 500;

/** Content that is ready to replace everything. */
export interface PreparedContent<Collections> {
  readonly working: WorkingSet<Collections>;
  readonly prepared: Prepared;
}

/** A transaction that waits for its group. */
export interface QueuedTransaction<Collections> extends Request<Collections> {
  /** Set where this is the last step of a replacement. */
  readonly next?: PreparedContent<Collections>;
}

/** How many of the queued transactions form the next group. The last step of a replacement is a group of its own. */
export function groupSize(queue: readonly Pick<QueuedTransaction<unknown>, 'next'>[]): number {
  const most = Math.min(queue.length, largestGroup);
  for (let at = 0; at < most; at += 1) if (queue[at]?.next) return Math.max(1, at);
  return most;
}

/** Rejects every transaction of a group. */
export function rejectAll(requests: readonly Pick<Outcome, 'reject'>[], refusal: StoreError): void {
  for (const { reject } of requests) reject(refusal);
}

/** The error that callers get for a failed write. */
export function asRefusal(error: unknown): StoreError {
  if (error instanceof StoreError) return error;
  return new StoreError('refused', `Cannot write the change: ${String(error)}`, { cause: error });
}

/** A transaction of a caller, and how the caller gets its result. */
interface Request<Collections> {
  readonly change: (tx: Tx<Collections>, before: Reader<Collections>) => unknown;
  readonly resolve: (value: unknown) => void;
  readonly reject: (error: unknown) => void;
}

/** What running a change led to, before it is written. */
export interface Outcome {
  /** What it changes; nothing where it threw. */
  readonly staged: Pick<Overlay<unknown>, 'applyTo'>;
  /** The same, to be written. */
  readonly changes: readonly WrittenChange[];
  /** How many bytes the store grows by. */
  readonly growth: number;
  /** Gives the caller the answer. */
  readonly settle: () => void;
  readonly reject: (error: unknown) => void;
  readonly threw: boolean;
}

/** What a change is run with. */
interface Run<Collections> {
  /** What it runs on top of. */
  readonly base: ReadByName<Collections>;
  readonly before: Reader<Collections>;
  readonly budget: ByteBudget;
  readonly warn: (message: string) => void;
}

/** Runs a change on top of what is staged. One that throws leaves nothing there. */
export function runTransaction<Collections>(
  { change, resolve, reject }: Request<Collections>,
  { base, before, budget, warn }: Run<Collections>,
): Outcome {
  const tx = new Transaction(base);
  try {
    const value = change(tx, before);
    if (isThenable(value)) throw refusePromise(value, warn);
    const { changes, growth, isEssential } = tx.list();
    if (growth > 0 && !isEssential) budget.refuseBeyond(growth);
    budget.add(growth);
    return { staged: tx, changes, growth, settle: () => resolve(value), reject, threw: false };
  } catch (error) {
    tx.discard();
    return { staged: tx, changes: [], growth: 0, settle: () => reject(error), reject, threw: true };
  } finally {
    tx.end();
  }
}

function refusePromise(value: PromiseLike<unknown>, warn: (message: string) => void): TypeError {
  value.then(undefined, (error) => warn(`A rejected asynchronous change failed later: ${String(error)}`));
  return new TypeError('A change must be synchronous, but it returned a promise: await before `transact`');
}

function isThenable(value: unknown): value is PromiseLike<unknown> {
  return typeof value === 'object' && value !== null && 'then' in value && typeof value.then === 'function';
}
