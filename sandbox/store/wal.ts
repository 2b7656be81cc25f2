import { dirname, join } from 'node:path';
import { attempt } from './attempt.ts';
import {
  type Batch,
  type BatchEntries,
  batchEntries,
  batchOf,
  damagedError,
  headerLine,
  lineOf,
  linesIn,
  orDamaged,
  readHeader,
} from './encoding.ts';
import { type Files, type OpenFile, systemCode, writeAll, writeAllNow, writeNew } from './files.ts';
import type { Seal, SealLabel, StoreSealer } from './seal.ts';
import { StoreError } from './store.ts';

/** The folder of a store, with the file system and the sealer that write its files. */
export interface DataFolder {
  readonly dir: string;
  readonly files: Files;
  readonly sealer: StoreSealer;
  readonly warn: (message: string) => void;
}

/** The file name of the write-ahead log within its folder. */
export const logName = 'wal.log';

/** A position in a log: the number of an entry, and the offset of its end. */
export interface LogEnd {
  readonly sequence: number;
  readonly length: number;
}

/** The state that an open log file starts from. */
interface LogParts {
  readonly label: SealLabel;
  readonly seal: Seal;
  /** The offset of the mark. */
  readonly markAt: number;
  readonly end: LogEnd;
}

/**
 * The write-ahead log: a header, a mark, and a line for each group of transactions, numbered without gaps.
 *
 * A group is one line with one checksum, so it is complete or absent. Each line is on the disk before the next is
 * written, so a crash can tear only the last one. The mark contains the number of the last synced entry. If the log
 * ends before that entry, it has lost acknowledged entries.
 */
export class WriteAheadLog {
  readonly #file: OpenFile;
  readonly #parts: LogParts;
  /** The position of the last entry. */
  end: LogEnd;
  /** Whether a sync, or undoing a write, has failed. The log then accepts no more entries. */
  isBroken = false;

  constructor(file: OpenFile, parts: LogParts) {
    this.#file = file;
    this.#parts = parts;
    this.end = parts.end;
  }

  /** Creates the log that follows entry `base`, in place of any earlier log. */
  static create(folder: DataFolder, base: number): Promise<WriteAheadLog> {
    const { seal, label } = folder.sealer.fresh('log');
    return replaceLog(folder, { base, sequence: base, label, seal });
  }

  /** Appends an entry. Resolves with its size in bytes when it is on the disk. Rejects with `refused` or `gave_up`. */
  async append(batch: Batch): Promise<number> {
    if (this.isBroken) throw gaveUp('earlier');
    const sequence = this.end.sequence + 1;
    const text = JSON.stringify(batchEntries(batch));
    const bytes = Buffer.from(lineOf(this.#parts.seal.close(text, entryPlace(sequence))));
    try {
      writeAllNow(this.#file, bytes, this.end.length);
    } catch (cause) {
      await this.#undoWrite();
      const message = `The disk refused a write (${systemCode(cause) ?? cause}): nothing changed`;
      throw new StoreError('refused', message, { cause });
    }
    try {
      await this.#file.sync();
    } catch (cause) {
      // Do not retry: after a failed sync, the system may drop the unwritten data and report success the next time.
      this.isBroken = true;
      // Remove the refused entry, so that a restart does not find it. If that also fails, a restart may find it.
      await this.#undoWrite().catch(() => {});
      throw gaveUp(systemCode(cause) ?? String(cause), cause);
    }
    if (!this.#file.isLinked()) {
      this.isBroken = true;
      throw gaveUp(`${logName} was removed`);
    }
    this.end = { sequence, length: this.end.length + bytes.length };
    this.#mark();
    return bytes.length;
  }

  /** Replaces the log with one that omits the entries up to `until`, which the document includes. */
  async trim(folder: DataFolder, until: LogEnd): Promise<WriteAheadLog> {
    const tail = { file: this.#file, from: until.length, to: this.end.length };
    const { label, seal } = this.#parts;
    const next = { base: until.sequence, sequence: this.end.sequence, label, seal };
    return replaceLog(folder, next, tail);
  }

  async close(): Promise<void> {
    await this.#file.close();
  }

  /** Removes the remains of a refused write, so that the next start does not find them. */
  async #undoWrite(): Promise<void> {
    try {
      await this.#file.truncate(this.end.length);
      await this.#file.sync();
    } catch (cause) {
      this.isBroken = true;
      throw gaveUp('undoing a write', cause);
    }
  }

  /** Records how far the log is synced. The mark need not be on the disk before the next sync, because an earlier mark is still valid. */
  #mark(): void {
    try {
      writeAllNow(this.#file, syncedMark(this.#parts.seal, this.end.sequence), this.#parts.markAt);
    } catch {
      // The earlier mark remains valid.
    }
  }
}

/** Writes a new log next to the existing one. Replaces the existing log when the new one is on the disk. */
async function replaceLog(
  { dir, files }: DataFolder,
  { base, sequence, label, seal }: { base: number; sequence: number; label: SealLabel; seal: Seal },
  tail?: { readonly file: OpenFile; readonly from: number; readonly to: number },
): Promise<WriteAheadLog> {
  const path = join(dir, logName);
  const header = Buffer.from(headerLine({ kind: 'log', seq: base, label }));
  const start = Buffer.concat([header, syncedMark(seal, sequence)]);
  const file = await files.create(`${path}.tmp`);
  let isRenamed = false;
  try {
    await writeAll(file, start, 0);
    if (tail) await copy(tail, file, start.length);
    await file.sync();
    await files.rename(`${path}.tmp`, path);
    isRenamed = true;
    await files.syncDir(dirname(path));
  } catch (cause) {
    await file.close();
    // After the rename, a power cut can leave either log.
    throw isRenamed ? gaveUp(systemCode(cause) ?? String(cause), cause) : cause;
  }
  const length = start.length + (tail ? tail.to - tail.from : 0);
  return new WriteAheadLog(file, { label, seal, markAt: header.length, end: { sequence, length } });
}

async function copy(
  { file, from, to }: { readonly file: OpenFile; readonly from: number; readonly to: number },
  target: OpenFile,
  start: number,
): Promise<void> {
  const piece = Buffer.allocUnsafe(64 * 1024);
  for (let at = from; at < to; ) {
    const read = await file.read(piece.subarray(0, Math.min(piece.length, to - at)), at);
    if (read <= 0) throw new Error('The log ended early');
    await writeAll(target, piece.subarray(0, read), start + at - from);
    at += read;
  }
}

/** Returns the position that an entry is sealed with. A sealed entry opens only at that position. */
function entryPlace(sequence: number): string {
  return `log ${sequence}`;
}

/** The number of digits of the largest safe integer, so that every mark has the same length. */
const digits = 16;
/** The position that a mark is sealed with. */
const markPlace = 'synced';

/**
 * Returns the second line of a log. It is within the first sector of the file, so a power cut leaves either the earlier
 * mark or this one.
 */
export function syncedMark(seal: Seal, sequence: number): Buffer {
  return Buffer.from(lineOf(seal.close(String(sequence).padStart(digits, '0'), markPlace)));
}

export function gaveUp(why: string, cause?: unknown): StoreError {
  return new StoreError('gave_up', `A disk write failed (${why}): restart the sandbox`, { cause });
}

/** The result of reading a log. */
interface LogScan extends LogParts {
  /** Whether a crash tore the last entry, which is then not counted. */
  readonly isTorn: boolean;
}

/**
 * Reads the log and passes its entries to `take` in order. Returns undefined if there is no log. Throws `damaged` if
 * entries are missing, or for any damage other than a torn last entry.
 *
 * @param from the last entry that may be absent from the log
 */
export async function readLog(
  { dir, files, sealer }: DataFolder,
  from: number,
  take: (sequence: number, batch: Batch) => void,
): Promise<LogScan | undefined> {
  const path = join(dir, logName);
  const file = await files.openToRead(path);
  if (file === undefined) return undefined;
  try {
    const lines = linesIn(file);
    const header = (await lines.next()).value ?? undefined;
    const { seq: base, label } = readHeader(header, 'log', path);
    if (base > from) throw damagedError(path, `entries ${from + 1} to ${base} are missing before it`);
    const seal = sealer.existing(label, 'log', path);
    const mark = (await lines.next()).value ?? undefined;
    if (mark === undefined) throw damagedError(path, 'line 2 is missing');
    const synced = orDamaged(path, 'line 2', () => Number(seal.open(mark.body ?? '', markPlace)));
    let end = { sequence: base, length: mark.end };
    let isTorn = false;
    for await (const line of lines) {
      const sequence = end.sequence + 1;
      const entry = attempt(() => seal.open(line.body ?? '', entryPlace(sequence)));
      isTorn = entry === undefined && line.isLast && line.torn;
      if (isTorn) break;
      const batch = orDamaged(path, `entry ${sequence}`, () => batchOf(JSON.parse(entry ?? '') as BatchEntries));
      take(sequence, batch);
      end = { sequence, length: line.end };
    }
    if (synced > end.sequence)
      throw damagedError(path, `entries ${end.sequence + 1} to ${synced} are missing at its end`);
    return { label, seal, markAt: mark.start, end, isTorn };
  } finally {
    await file.close();
  }
}

/** Maximum number of bytes of a torn entry that are saved. */
const mostTorn = 1024 * 1024;

/** Reopens a log for appending after it was read. Truncates a torn last entry, and saves it in a separate file. */
export async function resumeLog(folder: DataFolder, scan: LogScan): Promise<WriteAheadLog> {
  const { dir, files, warn } = folder;
  const path = join(dir, logName);
  const file = await files.open(path);
  try {
    if (scan.isTorn) {
      const tornPath = join(dir, 'wal.torn');
      await keepTorn(folder, file, scan.end.length, tornPath);
      await file.truncate(scan.end.length);
      warn(
        `${path} ended in a torn write. It was truncated after byte ${scan.end.length}; the rest is saved in ${tornPath}`,
      );
    }
    // A killed process may have left unsynced writes. Callers can now see them, so a power cut must not lose them.
    await file.sync();
    return new WriteAheadLog(file, scan);
  } catch (error) {
    await file.close();
    throw error;
  }
}

async function keepTorn({ dir, files }: DataFolder, log: OpenFile, from: number, path: string): Promise<void> {
  const torn = Buffer.alloc(mostTorn);
  const read = await log.read(torn, from);
  await writeNew(files, path, torn.subarray(0, read));
  await files.syncDir(dir);
}
