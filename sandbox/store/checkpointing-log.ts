import { join } from 'node:path';
import type { Low } from 'lowdb';
import type { CommitLog, Prepared } from './commit-log.ts';
import type { Content, DocumentAdapter } from './document.ts';
import { DocumentDraft, type DocumentPlace, documentName } from './document-draft.ts';
import type { Batch } from './encoding.ts';
import type { Lock } from './lock.ts';
import type { Slices } from './row.ts';
import { StoreError } from './store.ts';
import { type DataFolder, gaveUp, type LogEnd, type WriteAheadLog } from './wal.ts';
import type { WorkingSet, WrittenChange } from './working-set.ts';

/** The parts of an open data folder. */
interface OpenFolder<Collections> {
  readonly folder: DataFolder;
  readonly low: Low<Content<Collections>>;
  readonly document: DocumentAdapter<Collections>;
  readonly log: WriteAheadLog;
  readonly lock: Lock;
  readonly checkpointAfterBytes: number;
  /** Maximum total size of document and log, in bytes, for which closing writes a checkpoint. */
  readonly mostBytesAtClose: number;
}

/**
 * The commit log of the durable store. Each group of transactions is one entry of the write-ahead log.
 *
 * For a checkpoint, lowdb writes a view of every record as of one log entry, while commits continue. The log is then
 * trimmed to the later entries. Until then, the log contains everything that the earlier document lacks. A crash at any
 * point therefore loses nothing, and a failed checkpoint changes nothing.
 */
export class CheckpointingLog<Collections> implements CommitLog<Collections> {
  readonly #parts: OpenFolder<Collections>;
  #log: WriteAheadLog;
  /** The last log entry that the document includes. */
  #documented: number;
  #checkpoint: Promise<void> | undefined;
  /** The reason for the last checkpoint failure. */
  checkpointFailure: string | undefined;
  /** The log length, in bytes, after which a failed checkpoint is retried. */
  #retryAt = 0;
  /** Whether replacement content is being prepared. It uses the same temporary file as a checkpoint. */
  #isReplacing = false;
  /** Set when the log closes without a final checkpoint. */
  #isStopped = false;
  /** Set when the content of the folder is uncertain. Nothing is written afterwards. */
  lost: StoreError | undefined;
  /** Resolves when the last queued step has settled. The queue prevents appends and trims from overlapping. */
  #steps: Promise<unknown> = Promise.resolve();

  constructor(parts: OpenFolder<Collections>) {
    this.#parts = parts;
    this.#log = parts.log;
    this.#documented = parts.low.data.sequence;
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
    if (!isLong || this.#checkpoint || this.#isReplacing || this.lost) return;
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
      // The draft may already have replaced the document, so it must remain.
      if (!this.lost)
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
    // A large store closes without a checkpoint. Its log is complete, and the next start replays it.
    const isLong = document.size + this.#log.end.length > mostBytesAtClose;
    try {
      this.#isStopped = isLong;
      if (isLong) document.stop();
      await this.#checkpoint;
      const isUsable = !this.#log.isBroken && !this.lost && this.#parts.lock.isHeld();
      if (isUsable && !isLong && this.#log.end.sequence > this.#documented) await this.#writeCheckpoint();
    } finally {
      await this.#log.close().finally(() => this.#parts.lock.release());
    }
  }

  get #place(): DocumentPlace {
    const { dir, files, sealer } = this.#parts.folder;
    return { files, sealer, path: join(dir, documentName) };
  }

  /** Throws if writing is no longer safe. Without its lock file, another process may also write to this folder. */
  #refuseWhenLost(): void {
    if (!this.#parts.lock.isHeld())
      this.lost ??= gaveUp(`the folder ${this.#parts.folder.dir} or its lock was removed`);
    if (this.lost) throw this.lost;
  }

  #queued<T>(step: () => Promise<T>): Promise<T> {
    const done = this.#steps.then(step);
    this.#steps = done.catch(() => undefined);
    return done;
  }

  /**
   * Writes a checkpoint. Call this method when memory contains exactly the entries of the log, because it creates the
   * view before its first `await`.
   */
  async #writeCheckpoint(): Promise<void> {
    const { low } = this.#parts;
    const until = this.#log.end;
    try {
      this.#refuseWhenLost();
      low.data = { ...low.data, sequence: until.sequence };
      await low.write();
      this.#documented = until.sequence;
      await this.#queued(() => this.#trim(until));
      this.checkpointFailure = undefined;
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

  /** Replaces the content of the folder with prepared content and changes on top. The rename is the commit point. */
  async #replace(draft: DocumentDraft, working: WorkingSet<Collections>, changes: readonly WrittenChange[]) {
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
      this.lost = gaveUp('while everything was replaced', cause);
      throw this.lost;
    }
  }

  #noteFailure(error: unknown): void {
    const { folder, checkpointAfterBytes } = this.#parts;
    if (error instanceof StoreError && error.code === 'gave_up') this.lost = error;
    // Do not report a checkpoint that closing stopped.
    if (this.#isStopped && !this.lost) return;
    this.checkpointFailure = String(error);
    this.#retryAt = this.#log.end.length + checkpointAfterBytes;
    folder.warn(
      `Cannot write a checkpoint in ${folder.dir}; the log grows until one succeeds: ${this.checkpointFailure}`,
    );
  }
}
