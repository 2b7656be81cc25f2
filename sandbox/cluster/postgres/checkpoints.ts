import { textsOf } from '../../store/encoding.ts';
import type { Slices } from '../../store/row.ts';
import type { Seal } from '../../store/seal.ts';
import type { WorkingSet } from '../../store/working-set.ts';
import type { Database } from './database.ts';

/** A checkpoint is due when the log is larger than this, in bytes, and larger than the documents. */
const checkpointAfterBytes = 4 * 1024 * 1024;

/** The parts of a log that its checkpoints also need. */
export interface CheckpointParts {
  readonly database: Database;
  readonly place: string;
  readonly seal: Seal;
  /** The size of the documents when they were read, in bytes. */
  readonly documentBytes: number;
  /** The size of the log when it was read, in bytes. */
  readonly logBytes: number;
  readonly warn: (message: string) => void;
}

/** The checkpoints of a workspace. Each one writes all records as documents, so that the earlier log can be deleted. */
export class Checkpoints<Collections> {
  readonly #parts: CheckpointParts;
  /** The sizes of the log and of the documents, in bytes. */
  logBytes: number;
  documentBytes: number;
  /** The reason for the last checkpoint failure. */
  failure: string | undefined;

  constructor(parts: CheckpointParts) {
    this.#parts = parts;
    this.logBytes = parts.logBytes;
    this.documentBytes = parts.documentBytes;
  }

  get isDue(): boolean {
    return this.logBytes > Math.max(checkpointAfterBytes, this.documentBytes);
  }

  /**
   * Writes a checkpoint. Call this method when all commits are applied, because it creates the view before its first
   * `await`.
   *
   * @param fence returns the current fence of the log, which may change meanwhile
   */
  async write(number: number, fence: () => bigint, working: WorkingSet<Collections>): Promise<void> {
    const bytesBefore = this.logBytes;
    try {
      const bytes = await this.writeParts(number, working.view());
      const { database, place } = this.#parts;
      const done = await database.rows(checkpointTo, [place, fence(), number]);
      if (done.length === 0) throw new Error('another instance has taken over the workspace');
      this.documentBytes = bytes;
      this.logBytes -= bytesBefore;
      this.failure = undefined;
    } catch (error) {
      // The log continues. Retry after it has grown by `checkpointAfterBytes`.
      this.documentBytes = this.logBytes + checkpointAfterBytes;
      this.failure = String(error);
      const name = this.#parts.place || 'the demo workspace';
      this.#parts.warn(`Cannot write a checkpoint of ${name}; the log grows until one succeeds: ${this.failure}`);
    }
  }

  /** Writes content as the documents of this number. Resolves with their size, in bytes. */
  async writeParts(number: number, slices: Slices): Promise<number> {
    const { database, place, seal } = this.#parts;
    await this.removeParts(number);
    let [part, bytes] = [0, 0];
    for await (const text of textsOf(slices)) {
      part += 1;
      const body = seal.closeBytes(Buffer.from(text), partPlace(place, number, part));
      await database.rows('insert into documents values ($1, $2, $3, $4)', [place, number, part, body]);
      bytes += body.length;
    }
    return bytes;
  }

  /** Deletes the documents of this number, unless they are the current ones. */
  async removeParts(number: number): Promise<void> {
    const { database, place } = this.#parts;
    const unless = 'not exists (select 1 from stores where place = $1 and checkpoint = $2)';
    await database.rows(`delete from documents where place = $1 and number = $2 and ${unless}`, [place, number]);
  }
}

/** Makes the documents of a number current. Deletes all other documents, and the batches up to that number. */
const checkpointTo = `with moved as (update stores set checkpoint = $3 where place = $1 and fence = $2 returning place),
  batches as (delete from commit_log where place in (select place from moved) and number <= $3),
  parts as (delete from documents where place in (select place from moved) and number <> $3)
  select place from moved`;

/** Returns the position that a part of the documents, or of a copy, is sealed with. A sealed part opens only at that position. */
export function partPlace(place: string, number: number | string, part: number): string {
  return `document ${place} ${number} ${part}`;
}
