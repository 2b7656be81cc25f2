import { basename, join } from 'node:path';
import type { DocumentFile, StagedDocument } from './document.ts';
import type { Batch } from './encoding.ts';
import { systemCode } from './files.ts';
import { journalName } from './generation.ts';
import { Journal } from './journal.ts';
import type { DataFolder } from './recovery.ts';
import { StoreError } from './store.ts';
import type { Slices } from './view.ts';

/**
 * New content for a data folder, on the disk beside what counts. It takes its place when its document is renamed:
 * whatever happens before leaves everything as it was, and a crash leaves files that recovery tells by their numbers.
 */
export class StagedContent {
  readonly #place: DataFolder;
  readonly #document: StagedDocument;
  /** The number of the batch that the document stands for. */
  readonly seq: number;

  private constructor(place: DataFolder, document: StagedDocument, seq: number) {
    this.#place = place;
    this.#document = document;
    this.seq = seq;
  }

  /** Writes the content, as of batch `seq`, to a file beside the document. */
  static async write(place: DataFolder, document: DocumentFile, seq: number, slices: Slices): Promise<StagedContent> {
    return new StagedContent(place, await document.stage({ seq, slices }), seq);
  }

  /**
   * Puts the content in place, with a batch on top. Returns the journal to go on with. Rejects with `refused` where
   * nothing has changed, and with `gave_up` where it cannot be known whether it has.
   */
  async publish(batch: Batch): Promise<Journal> {
    const journal = await this.#begin(batch);
    try {
      await this.#document.rename();
    } catch (cause) {
      await journal.close();
      throw (await this.#isStaged()) ? refused(cause) : inDoubt(cause);
    }
    try {
      await this.#document.settle();
    } catch (cause) {
      await journal.close();
      throw inDoubt(cause);
    }
    return journal;
  }

  /** Removes what was written, which does not count; what cannot be removed the next start removes. */
  async discard(): Promise<void> {
    const { dir, files, generation, warn } = this.#place;
    const journal = join(dir, journalName(generation, this.seq));
    try {
      await this.#document.discard();
      for (const path of [journal, `${journal}.tmp`]) await files.remove(path);
    } catch (error) {
      warn(`What was prepared in ${dir} could not be removed and is removed at the next start: ${String(error)}`);
    }
  }

  /** The journal after the new document, which counts only once that is there. */
  async #begin(batch: Batch): Promise<Journal> {
    let journal: Journal | undefined;
    try {
      journal = await Journal.create(this.#place, this.seq, { after: 'document' });
      journal.append(batch);
      await journal.sync();
      return journal;
    } catch (cause) {
      await journal?.close();
      throw refused(cause);
    }
  }

  /** Whether the new document still has its own name. */
  async #isStaged(): Promise<boolean> {
    const { dir, files, warn } = this.#place;
    try {
      return (await files.list(dir)).includes(basename(this.#document.temporary));
    } catch (error) {
      warn(`${dir} could not be listed: ${String(error)}`);
      return false;
    }
  }
}

function refused(failed: unknown): StoreError {
  const cause = failed instanceof StoreError ? failed.cause : failed;
  return new StoreError('refused', `The disk refused a write (${systemCode(cause) ?? cause}): nothing changed`, {
    cause,
  });
}

function inDoubt(cause: unknown): StoreError {
  const message = `The disk failed while everything was replaced (${systemCode(cause) ?? cause}): restart`;
  return new StoreError('gave_up', message, { cause });
}
