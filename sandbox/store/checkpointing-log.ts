import { join } from 'node:path';
import type { Low } from 'lowdb';
import type { CommitLog, Prepared } from './commit-log.ts';
import type { Content, DocumentAdapter } from './document.ts';
import { DocumentDraft, type DocumentPlace, documentName } from './document-draft.ts';
import type { Batch } from './encoding.ts';
import type { Lock } from './lock.ts';
import { StoreError } from './store.ts';
import type { Slices } from './view.ts';
import { type DataFolder, gaveUp, type LogEnd, type WriteAheadLog } from './wal.ts';
import type { WorkingSet, WrittenChange } from './working-set.ts';

/** What an open data folder consists of. */
interface OpenFolder<Collections> {
  readonly folder: DataFolder;
  readonly low: Low<Content<Collections>>;
  readonly document: DocumentAdapter<Collections>;
  readonly log: WriteAheadLog;
  readonly lock: Lock;
  readonly checkpointAfterBytes: number;
  /** The most bytes that are written while it closes. */
  readonly mostBytesAtClose: number;
}

/**
 * The commit log of the durable store. Each group of transactions is an entry of the write-ahead log. A checkpoint has
 * lowdb write everything as of some entry, from a view and while commits continue, and then trims the log to the entries
 * after it. Until then the log has everything that is not in the earlier document, so a crash at any point loses nothing,
 * and a checkpoint that fails changes nothing.
 */
export class CheckpointingLog<Collections> implements CommitLog<Collections> {
  readonly #parts: OpenFolder<Collections>;
  #log: WriteAheadLog;
  /** The last entry that the document includes. */
  #documented: number;
  #checkpoint: Promise<void> | undefined;
  #failure: string | undefined;
  /** After a failed checkpoint: how long the log grows before the next try. */
  #retryAt = 0;
  /** While other content is prepared, which is written where a checkpoint would write. */
  #isReplacing = false;
  /** Set once it closes without a last checkpoint. */
  #isStopped = false;
  /** Set once the content of the folder is uncertain. Nothing more is written then. */
  #lost: StoreError | undefined;
  /** Settles with the last queued step: appending and trimming exclude each other. */
  #steps: Promise<unknown> = Promise.resolve();

  constructor(parts: OpenFolder<Collections>) {
    this.#parts = parts;
    this.#log = parts.log;
    this.#documented = parts.low.data.sequence;
  }

  get lost(): StoreError | undefined {
    return this.#lost;
  }

  get checkpointFailure(): string | undefined {
    return this.#failure;
  }

  commit(transactions: Batch): Promise<number> {
    return this.#queued(async () => {
      this.#refuseWhenLost();
      return this.#log.append(transactions);
    });
  }

  applied(): void {
    const { document, checkpointAfterBytes } = this.#parts;
    const isLong = this.#log.end.length > Math.max(checkpointAfterBytes, document.size, this.#retryAt);
    if (!isLong || this.#checkpoint || this.#isReplacing || this.#lost) return;
    this.#checkpoint = this.#writeCheckpoint().finally(() => {
      this.#checkpoint = undefined;
    });
  }

  async prepare(working: WorkingSet<Collections>, slices: Slices): Promise<Prepared> {
    while (this.#checkpoint) await this.#checkpoint;
    this.#isReplacing = true;
    let draft: DocumentDraft | undefined;
    const discard = async () => {
      this.#isReplacing = false;
      // The document that may have replaced it must stay.
      if (!this.#lost)
        await draft?.discard().catch((error) => this.#parts.folder.warn(`Cannot delete a draft: ${error}`));
    };
    try {
      draft = await DocumentDraft.create(this.#place);
      await draft.add(slices);
      await draft.settle();
    } catch (error) {
      await discard();
      throw error;
    }
    const prepared = draft;
    return { commit: (changes) => this.#queued(() => this.#replace(prepared, working, changes)), discard };
  }

  async close(): Promise<void> {
    const { document, mostBytesAtClose } = this.#parts;
    // The log has everything: the next start replays it.
    const isLong = document.size + this.#log.end.length > mostBytesAtClose;
    try {
      this.#isStopped = isLong;
      if (isLong) document.stop();
      await this.#checkpoint;
      const isUsable = !this.#log.isBroken && !this.#lost && this.#parts.lock.isHeld();
      if (isUsable && !isLong && this.#log.end.sequence > this.#documented) await this.#writeCheckpoint();
    } finally {
      await this.#log.close().finally(() => this.#parts.lock.release());
    }
  }

  get #place(): DocumentPlace {
    const { dir, files, sealer } = this.#parts.folder;
    return { files, sealer, path: join(dir, documentName) };
  }

  /** Without its lock file, another process may write here too. */
  #refuseWhenLost(): void {
    if (!this.#parts.lock.isHeld())
      this.#lost ??= gaveUp(`the folder ${this.#parts.folder.dir} or its lock was removed`);
    if (this.#lost) throw this.#lost;
  }

  #queued<T>(step: () => Promise<T>): Promise<T> {
    const done = this.#steps.then(step);
    this.#steps = done.catch(() => undefined);
    return done;
  }

  /** Called when memory holds exactly the entries of the log: it reads the view before it awaits anything. */
  async #writeCheckpoint(): Promise<void> {
    const { low } = this.#parts;
    const until = this.#log.end;
    try {
      this.#refuseWhenLost();
      low.data = { ...low.data, sequence: until.sequence };
      await low.write();
      this.#documented = until.sequence;
      await this.#queued(() => this.#trim(until));
      this.#failure = undefined;
      this.#retryAt = 0;
    } catch (error) {
      this.#noteFailure(error);
    }
  }

  async #trim(until: LogEnd): Promise<void> {
    const earlier = this.#log;
    this.#log = await earlier.trim(this.#parts.folder, until);
    await earlier.close();
  }

  /** Makes prepared content, with changes on top, what the folder holds: the rename decides. */
  async #replace(
    draft: DocumentDraft,
    working: WorkingSet<Collections>,
    changes: readonly WrittenChange[],
  ): Promise<void> {
    const { low, document } = this.#parts;
    const until = this.#log.end;
    this.#refuseWhenLost();
    await draft.change(changes);
    await draft.finish(until.sequence);
    await this.#publish(draft);
    low.data = { sequence: until.sequence, working };
    document.size = draft.size;
    this.#documented = until.sequence;
    this.#isReplacing = false;
    await this.#trim(until).catch((error) => this.#noteFailure(error));
  }

  async #publish(draft: DocumentDraft): Promise<void> {
    try {
      await draft.publish();
    } catch (cause) {
      if (await draft.isDraft().catch(() => false)) throw cause;
      this.#lost = gaveUp('while everything was replaced', cause);
      throw this.#lost;
    }
  }

  #noteFailure(error: unknown): void {
    const { folder, checkpointAfterBytes } = this.#parts;
    if (error instanceof StoreError && error.code === 'gave_up') this.#lost = error;
    // Nobody needs to know of one that ended with the store.
    if (this.#isStopped && !this.#lost) return;
    this.#failure = String(error);
    this.#retryAt = this.#log.end.length + checkpointAfterBytes;
    folder.warn(`Cannot write a checkpoint in ${folder.dir}; the log grows until one succeeds: ${this.#failure}`);
  }
}
