import type { ByteBudget } from './byte-budget.ts';
import type { Reader, Tx } from './store.ts';
import { type Overlay, type Replaced, Transaction, type WrittenChange } from './working-set.ts';

/** A change that was asked for, and who is told what comes of it. */
export interface Asked<Books> {
  readonly change: (tx: Tx<Books>, before: Reader<Books>) => unknown;
  readonly resolve: (value: unknown) => void;
  readonly reject: (error: unknown) => void;
}

/** What came of running a change, before it is written. */
export interface Outcome {
  readonly changes: readonly WrittenChange[];
  /** What was there before of what they change. */
  readonly replaced: readonly Replaced[];
  /** How many bytes the store grows by. */
  readonly growth: number;
  readonly settle: () => void;
  readonly reject: (error: unknown) => void;
  /** Whether the change threw, so that nothing of it counts. */
  readonly threw: boolean;
  /** Whether it is answered once all before it is synced: it touched what is to be synced, or nothing, or all wait. */
  readonly waits: boolean;
}

/** What a change is run with. */
export interface Run<Books> {
  readonly staged: Overlay<Books>;
  readonly before: Reader<Books>;
  readonly budget: ByteBudget;
  /** Whether each is answered once it is synced, whatever it touched. */
  readonly allWait: boolean;
  readonly warn: (message: string) => void;
}

/** Runs a change on top of what is staged. One that throws leaves nothing there. */
export function run<Books>(
  { change, resolve, reject }: Asked<Books>,
  { staged, before, budget, allWait, warn }: Run<Books>,
): Outcome {
  const tx = new Transaction(staged);
  try {
    const value = change(tx, before);
    if (isThenable(value)) throw refusePromise(value, warn);
    const waits = allWait || !tx.touchedOnly('written');
    const { changes, replaced, growth } = tx;
    budget.charge(growth, tx.isEssential);
    return { changes, replaced, growth, settle: () => resolve(value), reject, threw: false, waits };
  } catch (error) {
    tx.undo();
    const waits = allWait || !tx.touchedOnly('written');
    return { changes: [], replaced: [], growth: 0, settle: () => reject(error), reject, threw: true, waits };
  } finally {
    tx.end();
  }
}

function refusePromise(value: PromiseLike<unknown>, warn: (message: string) => void): TypeError {
  value.then(undefined, (error) => warn(`A refused asynchronous change failed later: ${String(error)}`));
  return new TypeError('A change must be synchronous, but it returned a promise: do the waiting before `transact`');
}

function isThenable(value: unknown): value is PromiseLike<unknown> {
  return typeof value === 'object' && value !== null && 'then' in value && typeof value.then === 'function';
}
