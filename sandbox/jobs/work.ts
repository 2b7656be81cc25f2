/** Due work: stored jobs, and functions that schedule, finish and postpone them. */

import { digits, type NumberingCollections, nextNumber, orderedKey } from '../runtime/ids.ts';
import { currentSpan } from '../runtime/spans.ts';
import type { Committed, Store, Tx } from '../store/store.ts';

/**
 * A job. It is stored in the transaction of the state that causes it, and runs when the sandbox clock reaches its due time. Each
 * kind of job has one worker, which removes or postpones the job in the transaction of its outcome. A job may run more than once if
 * the process dies in between, so workers must be idempotent.
 */
export interface Work {
  readonly id: string;
  /** Time at which the job is due, in milliseconds on the sandbox clock. */
  readonly at: number;
  readonly kind: string;
  readonly trace: string;
  /** The span that scheduled the job, and the trace state of its caller. Omitted if there was no span. */
  readonly parent?: string;
  readonly tracestate?: string;
  /** Number of attempts so far. */
  readonly tries: number;
  /** The reason for the last failure, if the worker gave one. */
  readonly reason?: string;
  readonly payload: Readonly<Record<string, string>>;
}

export interface DueCollections extends NumberingCollections {
  readonly due: Work;
}

/** Returns the kind of a job with its subject: a redemption, an order or a payment. */
export function aboutWork({ kind, payload }: Pick<Work, 'kind' | 'payload'>): string | undefined {
  const subject = payload.redeemCode ?? payload.order_id ?? payload.transactionId;
  return subject === undefined ? undefined : `${kind} ${subject}`;
}

/**
 * The schema of due work. Jobs can be found by kind and customer, and by kind and subject. The jobs of a kind are sorted by
 * creation and by due time.
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

/** Adds a job to the transaction that causes it, and returns its id. */
export function schedule(tx: Tx<DueCollections>, work: Pick<Work, 'kind' | 'at' | 'trace' | 'payload'>): string {
  const id = `W${orderedKey(nextNumber(tx, 'due'))}`;
  const { span: parent, tracestate } = currentSpan(work.trace) ?? {};
  const cause = { ...(parent !== undefined && { parent }), ...(tracestate !== undefined && { tracestate }) };
  tx.put('due', id, { ...work, ...cause, id, tries: 0 });
  return id;
}

/** Removes a job, in the transaction of its outcome. */
export function finish(tx: Tx<DueCollections>, work: Pick<Work, 'id'>): void {
  tx.remove('due', work.id);
}

/** Postpones a job to a later time, and counts one more attempt. */
export function postpone(tx: Tx<DueCollections>, work: Work, at: number, reason?: string): void {
  tx.put('due', work.id, { ...work, at, tries: work.tries + 1, ...(reason !== undefined && { reason }) });
}

/**
 * Restores a job under its original id, as if it had not been attempted. Receivers can then recognize events that they have already
 * seen.
 */
export function reinstate(tx: Tx<DueCollections>, work: Omit<Work, 'tries'>): void {
  tx.put('due', work.id, { ...work, tries: 0 });
}

/**
 * Maximum number of concurrent jobs of one kind while the clock runs (OP-92). A slow kind therefore does not delay the others. An
 * advance runs all jobs one after another.
 */
const runsPerKind = 4;

/** Number of jobs read together to find one that may run. The jobs before it are usually running. */
const readTogether = runsPerKind + 1;

/** The stored jobs in due order, without those that must not run at the moment. */
export class DueWork {
  /** The ids of running jobs, with their kinds. */
  readonly running = new Map<string, string>();
  /** The ids of jobs whose cause is still being processed. */
  readonly reserved = new Set<string>();
  /** The ids of jobs whose outcome the store refused to record (OP-94), in the order of refusal. */
  readonly unwritten = new Set<string>();
  readonly #store: Store<DueCollections>;
  /** The kinds of stored jobs, some of which may have no worker. */
  readonly #kinds: Set<string>;

  /** @param kinds the kinds that have a worker */
  constructor(store: Store<DueCollections>, kinds: Iterable<string>) {
    this.#store = store;
    this.#kinds = new Set(kinds);
    this.#addKinds(store.all('due'));
  }

  /** Returns the first job that is due at a time and may run. Skips kinds at their concurrency limit. */
  next(until: number): Work | undefined {
    const running = new Map<string, number>();
    for (const kind of this.running.values()) running.set(kind, (running.get(kind) ?? 0) + 1);
    return this.first(until, (kind) => (running.get(kind) ?? 0) < runsPerKind);
  }

  /** Returns the first job of the wanted kinds that is due at a time and may run. */
  first(until: number, isWanted: (kind: string) => boolean = () => true): Work | undefined {
    let first: Work | undefined;
    for (const kind of this.#kinds) {
      const found = isWanted(kind) ? this.#firstOf(kind) : undefined;
      if (found === undefined || found.at > until) continue;
      if (first === undefined || found.at < first.at || (found.at === first.at && found.id < first.id)) first = found;
    }
    return first;
  }

  /** Number of reasons for which jobs must not run at the moment. */
  get blocked(): number {
    return this.running.size + this.reserved.size + this.unwritten.size;
  }

  /**
   * Processes a commit. Returns the earliest time at which an added or changed job may run. Returns `undefined` if there is none,
   * because a removal makes no other job due.
   */
  follow(committed: Committed): number | undefined {
    if (committed === 'everything') {
      this.unwritten.clear();
      this.#addKinds(this.#store.all('due'));
      return Number.NEGATIVE_INFINITY;
    }
    let earliest: number | undefined;
    for (const { collection, id, record } of committed) {
      if (collection !== 'due') continue;
      this.unwritten.delete(id);
      if (record === undefined) continue;
      const work = record as Work;
      this.#kinds.add(work.kind);
      if (!this.#isBlocked(id)) earliest = Math.min(work.at, earliest ?? work.at);
    }
    return earliest;
  }

  #isBlocked(id: string): boolean {
    return this.running.has(id) || this.reserved.has(id) || this.unwritten.has(id);
  }

  #addKinds(works: Iterable<Work>): void {
    for (const { kind } of works) this.#kinds.add(kind);
  }

  #firstOf(kind: string): Work | undefined {
    const order = { by: 'time', group: kind, limit: Math.min(this.blocked + 1, readTogether) };
    let works = this.#store.range('due', order);
    while (works.length > 0) {
      const free = works.find(({ id }) => !this.#isBlocked(id));
      const last = works.at(-1);
      if (free !== undefined || last === undefined) return free;
      works = this.#store.range('due', { ...order, after: digits(last.at, 16), id: last.id });
    }
    return undefined;
  }
}
