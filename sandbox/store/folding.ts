import { join } from 'node:path';
import type { Low } from 'lowdb';
import { Archiving, removeSegments } from './archiving.ts';
import type { CommitLog, Prepared } from './commit-log.ts';
import { type Content, type DocumentFile, NOTHING_FOLDED } from './document.ts';
import { closeAll } from './files.ts';
import { journalNames } from './generation.ts';
import type { Lock } from './held-lock.ts';
import { Journal } from './journal.ts';
import type { DataFolder } from './recovery.ts';
import { StagedContent } from './replacing.ts';
import { StoreError } from './store.ts';
import type { Slices } from './view.ts';
import type { WorkingSet, WrittenChange } from './working-set.ts';

/** So many records of history in memory that a document left there, or a replacement, are moved at once. */
const mostUnmoved = 1000;

/** What the ledger of an open data folder is made of. */
export interface FoldingParts<Books> {
  readonly place: DataFolder;
  readonly working: WorkingSet<Books>;
  readonly low: Low<Content>;
  readonly journal: Journal;
  readonly lock: Lock;
  readonly foldAfterBytes: number;
  readonly mostMeanwhile: number;
  readonly document: DocumentFile;
}

/**
 * The ledger of the durable store. It appends to a journal, and folds: it starts a new journal, writes all that came
 * before it into the lowdb document, and removes the older journals. Until that last step they hold everything, so a
 * crash at any point loses nothing, and transactions go on into the new journal while the document is written.
 */
export class FoldingLog<Books> implements CommitLog<Books> {
  readonly #parts: FoldingParts<Books>;
  #working: WorkingSet<Books>;
  #journal: Journal;
  /** The last batch that the document holds. */
  #folded: number;
  #folding: Promise<void> | undefined;
  /** Whether other content is being prepared: it is written where a fold would write. */
  #replacing = false;
  /** Set once it cannot be known what the folder holds: then nothing more is written to it. */
  #inDoubt = false;
  /** After a failed fold: how long the journal grows before the next try. */
  #retryAt = 0;

  constructor(parts: FoldingParts<Books>) {
    this.#parts = parts;
    this.#working = parts.working;
    this.#journal = parts.journal;
    this.#folded = parts.low.data.seq;
    parts.low.data = NOTHING_FOLDED;
  }

  write(transactions: readonly (readonly WrittenChange[])[], acknowledged: boolean): number {
    const bytes = this.#journal.append(transactions);
    // After the write: whoever took the folder over before this check may not have seen the batch, and after it has.
    if (acknowledged) this.#parts.lock.checkNow();
    return bytes;
  }

  takeBack(): Promise<void> {
    return this.#journal.takeBack();
  }

  async sync(): Promise<void> {
    await this.#journal.sync();
    // After the sync: whoever took the folder over before this check may not have seen the batch, and after it has.
    await this.#parts.lock.check();
  }

  stand(): void {
    this.#journal.stand();
  }

  async abandon(): Promise<void> {
    // Where another process took the folder over, nothing is changed any more that it may be reading.
    if (!this.lost && !this.#inDoubt) await this.#journal.abandon();
  }

  get due(): (() => Promise<void>) | undefined {
    return this.#isFoldDue() ? () => this.#beginFold() : undefined;
  }

  async #beginFold(): Promise<void> {
    if ((await this.#startJournal()) && !this.#replacing) this.#folding = this.#fold();
  }

  get lost(): StoreError | undefined {
    return this.#parts.lock.lost;
  }

  async prepare(working: WorkingSet<Books>, slices: Slices): Promise<Prepared> {
    while (this.#folding) await this.#folding;
    this.#replacing = true;
    try {
      const { place, document, mostMeanwhile } = this.#parts;
      const staged = await StagedContent.write(place, document, this.#journal.seq + mostMeanwhile + 1, slices);
      return {
        commit: (changes) => this.#replace(staged, working, changes),
        discard: async () => {
          // What may have taken its place must stay.
          if (!this.#inDoubt) await staged.discard();
          this.#replacing = false;
        },
      };
    } catch (error) {
      this.#replacing = false;
      throw error;
    }
  }

  async close(): Promise<void> {
    try {
      await this.#folding;
      const unfolded = !this.#journal.broken && !this.#inDoubt && !this.lost && this.#journal.seq > this.#folded;
      if (unfolded && (await this.#startJournal())) await this.#fold();
    } finally {
      // Each is let go, also where another fails.
      const { history } = this.#working;
      await closeAll([() => this.#journal.close(), () => history.close(), () => this.#parts.lock.release()]);
    }
  }

  #isFoldDue(): boolean {
    if (this.#folding || this.#replacing) return false;
    const { foldAfterBytes, document } = this.#parts;
    const isLong = this.#journal.length > Math.max(foldAfterBytes, document.size);
    return (isLong || this.#working.unmoved >= mostUnmoved) && this.#journal.length > this.#retryAt;
  }

  /** Called with everything synced and applied: what was prepared, with changes on top, is from now on what the folder holds. */
  async #replace(staged: StagedContent, working: WorkingSet<Books>, changes: readonly WrittenChange[]): Promise<void> {
    const old = this.#journal;
    if (old.seq >= staged.seq) {
      throw new StoreError('refused', 'Too much was written while everything was to be replaced: nothing changed');
    }
    try {
      this.#journal = await staged.publish([changes]);
    } catch (error) {
      this.#inDoubt = error instanceof StoreError && error.code === 'gave_up';
      throw error;
    }
    const earlier = this.#working.history;
    working.history.follow(earlier);
    this.#working = working;
    this.#folded = staged.seq;
    this.#retryAt = 0;
    this.#replacing = false;
    try {
      await closeAll([() => old.close(), () => earlier.close()]);
      await this.#removeOld();
    } catch (error) {
      this.#postpone(error);
    }
    await this.#parts.lock.check();
  }

  /** Lets the next batch begin a new journal; all before it is synced. Tells whether the one in use is new. */
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

  /** Called with everything applied and a new journal in use: the view is opened before anything is waited for. */
  async #fold(): Promise<void> {
    const { low } = this.#parts;
    const seq = this.#journal.base;
    const archiving = new Archiving(this.#working, this.#parts.place);
    low.data = { seq, slices: archiving.slices() };
    try {
      await this.#write(archiving);
      this.#folded = seq;
      this.#retryAt = 0;
      await archiving.publish();
      await this.#removeOld();
    } catch (error) {
      this.#postpone(error);
    } finally {
      await archiving.close();
      low.data = NOTHING_FOLDED;
      this.#folding = undefined;
    }
  }

  async #write(archiving: Archiving<Books>): Promise<void> {
    const { low, document } = this.#parts;
    const { renames } = document;
    try {
      await low.write();
    } catch (error) {
      // Where the document has its name all the same, it counts at the next start, with the segments that it lists.
      await archiving.abandon(document.renames === renames);
      throw error;
    }
  }

  /** Removes journals and segments that the document has no need of. */
  async #removeOld(): Promise<void> {
    const { files, dir, generation } = this.#parts.place;
    for (const name of journalNames(await files.list(dir), generation)) {
      const path = join(dir, name);
      if (path !== this.#journal.path) await files.remove(path);
    }
    await removeSegments(this.#parts.place, this.#working.history.held);
  }

  #postpone(error: unknown): void {
    const { dir, warn } = this.#parts.place;
    this.#retryAt = this.#journal.length + this.#parts.foldAfterBytes;
    warn(`The journal in ${dir} could not be folded and grows until it can: ${String(error)}`);
  }
}
