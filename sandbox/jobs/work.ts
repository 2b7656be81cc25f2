/** Due work: stored jobs, and how they are scheduled, finished and postponed. */

import { digits, type NumberingCollections, nextNumber, orderedKey } from '../runtime/numbering.ts';
import { currentSpan } from '../runtime/spans.ts';
import type { Tx } from '../store/store.ts';

/**
 * Due work: what is still to be done, written in the transaction of the state that causes it, and run once its instant
 * on the sandbox clock has come. Each kind has one worker, which ends its work in the transaction of its outcome: it
 * removes the piece or postpones it. A piece may run more than once when the process dies in between, so workers
 * tolerate repeats.
 */
export interface Work {
  readonly id: string;
  /** Milliseconds on the sandbox clock. */
  readonly at: number;
  readonly kind: string;
  readonly trace: string;
  /** The span that scheduled it, and the trace state of its caller; left out where none did. */
  readonly parent?: string;
  readonly tracestate?: string;
  /** How many tries there were. */
  readonly tries: number;
  /** Why the last attempt failed, if its worker gave a reason. */
  readonly reason?: string;
  readonly payload: Readonly<Record<string, string>>;
}

export interface DueCollections extends NumberingCollections {
  readonly due: Work;
}

/** A kind of work, and what a piece of it is about: a redemption, an order or a payment. */
export function aboutWork({ kind, payload }: Pick<Work, 'kind' | 'payload'>): string | undefined {
  const subject = payload.redeemCode ?? payload.order_id ?? payload.transactionId;
  return subject === undefined ? undefined : `${kind} ${subject}`;
}

/**
 * Work that says whose it is can be found by kind and customer, and by kind and what it is about. The work of a kind is
 * stored in the order in which it was written, and in that in which it falls due.
 */
export const dueSchema = {
  due: {
    ordered: true,
    indexes: {
      customer: ({ kind, payload: { uid } }: Work) => (uid === undefined ? undefined : `${kind} ${uid}`),
      about: aboutWork,
    },
    sorted: {
      kind: ({ kind }: Work, id: string) => [kind, id] as const,
      time: ({ kind, at }: Work) => [kind, digits(at, 16)] as const,
    },
  },
} as const;

/** Adds a piece of work to the transaction that causes it, and returns its id. */
export function schedule(tx: Tx<DueCollections>, work: Pick<Work, 'kind' | 'at' | 'trace' | 'payload'>): string {
  const id = `W${orderedKey(nextNumber(tx, 'due'))}`;
  const { span: parent, tracestate } = currentSpan(work.trace) ?? {};
  const cause = { ...(parent !== undefined && { parent }), ...(tracestate !== undefined && { tracestate }) };
  tx.put('due', id, { ...work, ...cause, id, tries: 0 });
  return id;
}

/** Ends a piece of work, in the transaction of its outcome. */
export function finish(tx: Tx<DueCollections>, work: Pick<Work, 'id'>): void {
  tx.remove('due', work.id);
}

/** Puts a piece off to a later instant, one try further. */
export function postpone(tx: Tx<DueCollections>, work: Work, at: number, reason?: string): void {
  tx.put('due', work.id, { ...work, at, tries: work.tries + 1, ...(reason !== undefined && { reason }) });
}

/**
 * Puts a piece back under its own id, as if it had not been tried yet, so that receivers recognise what they have seen.
 */
export function reinstate(tx: Tx<DueCollections>, work: Omit<Work, 'tries'>): void {
  tx.put('due', work.id, { ...work, tries: 0 });
}
