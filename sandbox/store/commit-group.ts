import type { Prepared } from './commit-log.ts';
import type { Outcome, Request } from './run-transaction.ts';
import { StoreError } from './store.ts';
import type { WorkingSet } from './working-set.ts';

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
