import { dirname, join } from 'node:path';
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

/** Where a store is, and how its files are written. */
export interface DataFolder {
  readonly dir: string;
  readonly files: Files;
  readonly sealer: StoreSealer;
  readonly warn: (message: string) => void;
}

/** The name of the write-ahead log in its folder. */
export const logName = 'wal.log';

/** A place in a log: the number of an entry, and where it ends. */
export interface LogEnd {
  readonly sequence: number;
  readonly length: number;
}

/** What a log file is opened with. */
interface LogParts {
  readonly label: SealLabel;
  readonly seal: Seal;
  /** Where its mark is. */
  readonly markAt: number;
  readonly end: LogEnd;
}

/**
 * The write-ahead log: a header, a mark, and a line for each group of transactions, numbered without a gap. A group is one
 * line, so one checksum: it is complete or absent. It is on the disk before the next is written, so a crash can tear
 * only the last line. The mark says how far the log was synced: a log that ends before it lost acknowledged entries.
 */
export class WriteAheadLog {
  readonly #file: OpenFile;
  readonly #parts: LogParts;
  #end: LogEnd;
  #isBroken = false;

  constructor(file: OpenFile, parts: LogParts) {
    this.#file = file;
    this.#parts = parts;
    this.#end = parts.end;
  }

  /** Makes the log that follows entry `base`, in place of an earlier one. */
  static create(folder: DataFolder, base: number): Promise<WriteAheadLog> {
    const { seal, label } = folder.sealer.fresh('log');
    return replaceLog(folder, { base, sequence: base, label, seal });
  }

  /** The last entry. */
  get end(): LogEnd {
    return this.#end;
  }

  /** Whether a sync failed, or undoing a write: then nothing may be built on this log. */
  get isBroken(): boolean {
    return this.#isBroken;
  }

  /** Appends an entry, and resolves with its bytes when it is on the disk. Rejects with `refused` or `gave_up`. */
  async append(batch: Batch): Promise<number> {
    if (this.#isBroken) throw gaveUp('earlier');
    const sequence = this.#end.sequence + 1;
    const text = JSON.stringify(batchEntries(batch));
    const bytes = Buffer.from(lineOf(this.#parts.seal.close(text, entryPlace(sequence))));
    try {
      writeAllNow(this.#file, bytes, this.#end.length);
    } catch (cause) {
      await this.#undoWrite();
      const message = `The disk refused a write (${systemCode(cause) ?? cause}): nothing changed`;
      throw new StoreError('refused', message, { cause });
    }
    try {
      await this.#file.sync();
    } catch (cause) {
      // After a failed sync the system may drop what it could not write and report success next time: no second try.
      this.#isBroken = true;
      // A restart must not find what was refused; where that fails too, it may.
      await this.#undoWrite().catch(() => {});
      throw gaveUp(systemCode(cause) ?? String(cause), cause);
    }
    if (!this.#file.isLinked()) {
      this.#isBroken = true;
      throw gaveUp(`${logName} was removed`);
    }
    this.#end = { sequence, length: this.#end.length + bytes.length };
    this.#mark();
    return bytes.length;
  }

  /** Replaces the log by one without the entries up to `until`, which the document holds. */
  async trim(folder: DataFolder, until: LogEnd): Promise<WriteAheadLog> {
    const tail = { file: this.#file, from: until.length, to: this.#end.length };
    const { label, seal } = this.#parts;
    const next = { base: until.sequence, sequence: this.#end.sequence, label, seal };
    return replaceLog(folder, next, tail);
  }

  async close(): Promise<void> {
    await this.#file.close();
  }

  /** Removes what a refused write left, so that the next opening does not find it. */
  async #undoWrite(): Promise<void> {
    try {
      await this.#file.truncate(this.#end.length);
      await this.#file.sync();
    } catch (cause) {
      this.#isBroken = true;
      throw gaveUp('undoing a write', cause);
    }
  }

  /** Says up to where the log is synced. It need not be on the disk before the next sync: an earlier mark says less. */
  #mark(): void {
    try {
      writeAllNow(this.#file, syncedMark(this.#parts.seal, this.#end.sequence), this.#parts.markAt);
    } catch {
      // The earlier mark stays.
    }
  }
}

/** Writes a log next to the existing one, and replaces that when the new one is on the disk. */
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
    // A power cut can leave either of the two.
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

/** Where an entry belongs: sealed, it opens nowhere else. */
function entryPlace(sequence: number): string {
  return `log ${sequence}`;
}

/** As many digits as the largest whole number has, so that every mark has the same length. */
const digits = 16;
/** Where the number of a mark belongs. */
const markPlace = 'synced';

/** The second line of a log. It is within the first sector of the file, so a power cut leaves the earlier mark or this one. */
export function syncedMark(seal: Seal, sequence: number): Buffer {
  return Buffer.from(lineOf(seal.close(String(sequence).padStart(digits, '0'), markPlace)));
}

/** What a mark says. Throws if it is not as it was written. */
function readMark(seal: Seal, body: string): number {
  return Number(seal.open(body, markPlace));
}

export function gaveUp(why: string, cause?: unknown): StoreError {
  return new StoreError('gave_up', `A disk write failed (${why}): restart the sandbox`, { cause });
}

/** What was read of a log. */
interface LogScan extends LogParts {
  /** Whether a crash tore the last entry, which is not counted. */
  readonly isTorn: boolean;
}

/**
 * Reads the log and hands over its entries in order; undefined if there is none. Throws `damaged` for anything but a
 * last entry that a crash tore, and where entries before `base` are missing.
 *
 * @param from the last entry that need not be in the log
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
    const synced = orDamaged(path, 'line 2', () => readMark(seal, mark.body ?? ''));
    let end = { sequence: base, length: mark.end };
    let isTorn = false;
    for await (const line of lines) {
      const sequence = end.sequence + 1;
      const entry = openEntry(() => seal.open(line.body ?? '', entryPlace(sequence)));
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

function openEntry(open: () => string): string | undefined {
  try {
    return open();
  } catch {
    return undefined;
  }
}

/** Most bytes of a torn entry that are saved. */
const mostTorn = 1024 * 1024;

/** Continues a log that was read. A torn last entry is truncated, and saved in a file of its own. */
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
    // A killed process may have left writes unsynced. Callers see them from now on, so a power cut must not lose them.
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
