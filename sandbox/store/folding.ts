import { join } from 'node:path';
import type { Low } from 'lowdb';
import { type Content, NOTHING_FOLDED } from './document.ts';
import { journalNames } from './generation.ts';
import { Journal } from './journal.ts';
import type { Lock } from './lock.ts';
import type { Place } from './recovery.ts';
import type { StoreError } from './store.ts';
import type { Ledger } from './transactor.ts';
import type { WorkingSet, Written } from './working-set.ts';

/** What the ledger of an open data folder is made of. */
export interface FoldingParts<Books> {
  readonly place: Place;
  readonly working: WorkingSet<Books>;
  readonly low: Low<Content>;
  readonly journal: Journal;
  readonly lock: Lock;
  readonly foldAfterBytes: number;
  /** The size in bytes of the document on disk. */
  readonly documentSize: () => number;
}

/**
 * The ledger of the durable store. It appends to a journal, and folds: it starts a new journal, writes all that came
 * before it into the lowdb document, and removes the older journals. Until that last step they hold everything, so a
 * crash at any point loses nothing, and transactions go on into the new journal while the document is written.
 */
export class FoldingLedger<Books> implements Ledger {
  readonly #parts: FoldingParts<Books>;
  #journal: Journal;
  /** The last batch that the document holds. */
  #folded: number;
  #folding: Promise<void> | undefined;
  /** After a failed fold: how long the journal grows before the next try. */
  #retryAt = 0;

  constructor(parts: FoldingParts<Books>) {
    this.#parts = parts;
    this.#journal = parts.journal;
    this.#folded = parts.low.data.seq;
    parts.low.data = NOTHING_FOLDED;
  }

  async persist(transactions: readonly (readonly Written[])[]): Promise<void> {
    if (this.#isFoldDue() && (await this.#startJournal())) this.#folding = this.#fold();
    await this.#journal.append(transactions);
    // After the sync: whoever took the folder over before this check may not have seen the batch, and after it has.
    await this.#parts.lock.check();
  }

  get lost(): StoreError | undefined {
    return this.#parts.lock.lost;
  }

  async close(): Promise<void> {
    try {
      await this.#folding;
      const unfolded = !this.#journal.broken && !this.lost && this.#journal.seq > this.#folded;
      if (unfolded && (await this.#startJournal())) await this.#fold();
      await this.#journal.close();
    } finally {
      await this.#parts.lock.release();
    }
  }

  #isFoldDue(): boolean {
    if (this.#folding) return false;
    return this.#journal.length > Math.max(this.#parts.foldAfterBytes, this.#parts.documentSize(), this.#retryAt);
  }

  /** Lets the next batch begin a new journal. Tells whether the one in use is new. */
  async #startJournal(): Promise<boolean> {
    const old = this.#journal;
    if (old.seq === old.base) return true;
    try {
      this.#journal = await Journal.create(this.#parts.place, old.seq);
      await old.close();
      return true;
    } catch (error) {
      this.#postpone(error);
      return false;
    }
  }

  /** Called between two batches with a new journal in use: the snapshot is taken before anything is waited for. */
  async #fold(): Promise<void> {
    const { low, working } = this.#parts;
    const seq = this.#journal.base;
    low.data = { seq, collections: working.snapshot() };
    try {
      await low.write();
      this.#folded = seq;
      this.#retryAt = 0;
      await this.#removeOldJournals();
    } catch (error) {
      this.#postpone(error);
    } finally {
      low.data = NOTHING_FOLDED;
      this.#folding = undefined;
    }
  }

  async #removeOldJournals(): Promise<void> {
    const { files, dir, generation } = this.#parts.place;
    for (const name of journalNames(await files.list(dir), generation)) {
      const path = join(dir, name);
      if (path !== this.#journal.path) await files.remove(path);
    }
  }

  #postpone(error: unknown): void {
    const { dir, warn } = this.#parts.place;
    this.#retryAt = this.#journal.length + this.#parts.foldAfterBytes;
    warn(`The journal in ${dir} could not be folded and grows until it can: ${String(error)}`);
  }
}
