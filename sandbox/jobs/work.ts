/** Due work: stored jobs, and how they are scheduled, finished and postponed. */

import { digits, type NumberingCollections, nextNumber, orderedKey } from '../runtime/ids.ts';
import { currentSpan } from '../runtime/spans.ts';
import type { Committed, Store, Tx } from '../store/store.ts';

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

/**
 * How many pieces of one kind run at the same time while time runs by itself, so that a slow kind delays no other
 * (OP-92); in an advance all run one after the other.
 */
const runsPerKind = 4;

/** Pieces that are read together to find one that may run: usually those before it are running. */
const readTogether = runsPerKind + 1;

/** The stored due work, in the order in which it falls due, less the pieces that may not run at the moment. */
export class DueWork {
  /** The pieces that run, with their kinds. */
  readonly running = new Map<string, string>();
  /** Pieces whose cause is still being worked on. */
  readonly reserved = new Set<string>();
  /** Pieces whose outcome the store refused to record (OP-94), the first refused first. */
  readonly unwritten = new Set<string>();
  readonly #store: Store<DueCollections>;
  /** The kinds of work that there may be: of some no worker may know. */
  readonly #kinds: Set<string>;

  /** @param kinds those that have a worker */
  constructor(store: Store<DueCollections>, kinds: Iterable<string>) {
    this.#store = store;
    this.#kinds = new Set(kinds);
    this.#addKinds(store.all('due'));
  }

  /** The first piece that may run, of what is due at an instant, of the kinds that do not run as often as they may. */
  next(until: number): Work | undefined {
    const running = new Map<string, number>();
    for (const kind of this.running.values()) running.set(kind, (running.get(kind) ?? 0) + 1);
    return this.first(until, (kind) => (running.get(kind) ?? 0) < runsPerKind);
  }

  /** The first piece that may run, of what is due at an instant, of the wanted kinds. */
  first(until: number, isWanted: (kind: string) => boolean = () => true): Work | undefined {
    let first: Work | undefined;
    for (const kind of this.#kinds) {
      const found = isWanted(kind) ? this.#firstOf(kind) : undefined;
      if (found === undefined || found.at > until) continue;
      if (first === undefined || found.at < first.at || (found.at === first.at && found.id < first.id)) first = found;
    }
    return first;
  }

  /** How many reasons there are for which a piece may not run at the moment. */
  get blocked(): number {
    return this.running.size + this.reserved.size + this.unwritten.size;
  }

  /**
   * Follows a commit. Returns the earliest instant at which a piece that it added or changed may run; undefined if there is
   * none: a removed piece makes no other due.
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
