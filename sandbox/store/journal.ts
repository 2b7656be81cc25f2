import { join } from 'node:path';
import { type Batch, type BatchEntries, batchEntries, batchOf } from './encoding.ts';
import { type Files, type OpenFile, readAll, systemCode, writeAll, writeAllNow } from './files.ts';
import { type FilePlace, journalName } from './generation.ts';
import {
  damaged,
  type FileLine,
  type Header,
  headerLine,
  lineOf,
  linesOf,
  orDamaged,
  piecesOf,
  readHeader,
} from './lines.ts';
import type { Seal, Sealer } from './seal.ts';
import { StoreError } from './store.ts';
import { readSyncedMark, syncedMark, syncedMarkBytes } from './synced-mark.ts';

/** What was read of a journal. `base` is the number of the batch before its first. */
export interface JournalScan {
  readonly path: string;
  readonly base: number;
  readonly version: number;
  /** Set where it counts only once the document with the number `base` is there. */
  readonly after: Header['after'];
  /** A batch is one line, so one checksum: all of it is there, or none. */
  readonly batches: readonly Batch[];
  /** How many bytes are good. */
  readonly length: number;
  /** What appends that were never synced left after the good bytes. */
  readonly torn: Buffer | undefined;
  /** The last batch that was certainly on the disk, as the journal says; undefined where it does not say so. */
  readonly synced: number | undefined;
  /** Where it says so. */
  readonly markAt: number;
  readonly seal: Seal;
}

/** Reads a journal; throws `damaged` for anything but what a power cut leaves of lines that were not synced. */
export function scanJournal(bytes: Buffer, path: string, sealer: Sealer): JournalScan {
  const [first] = linesOf(bytes);
  const { seq: base, version, after, label } = readHeader(first, 'journal', path);
  const seal = sealer.existing(label, path);
  const batches: Batch[] = [];
  const markAt = first?.end ?? 0;
  let length = markAt + (version < 3 ? 0 : syncedMarkBytes);
  if (length > bytes.length) throw damaged(path, 'line 2');
  const synced = version < 3 ? undefined : readSyncedMark(bytes.subarray(markAt, length));
  const scan = { path, base, version, after, batches, synced, markAt, seal };
  for (const line of linesOf(bytes, length)) {
    const number = base + batches.length + 1;
    const text = openLine(line, seal, version, number);
    if (text instanceof Error) {
      const torn = version === 1 ? line.isLast && line.torn : isUnsynced(bytes, length, number, seal);
      if (torn) return { ...scan, length, torn: bytes.subarray(length) };
      throw damaged(path, `line ${batches.length + 2}`, text);
    }
    batches.push(orDamaged(path, `line ${batches.length + 2}`, () => decode(text, version).batch));
    length = line.end;
  }
  return { ...scan, length, torn: undefined };
}

/**
 * Whether all from `start` on, where the line of this number does not open, was never synced: it is lines of later
 * numbers, of which none says that this one was synced when it was written, and what a power cut leaves of others.
 */
function isUnsynced(bytes: Buffer, start: number, number: number, seal: Seal): boolean {
  let [isTorn, next] = [false, number];
  for (const piece of piecesOf(bytes, start)) {
    const later = Number(piece.body?.slice(0, piece.body.indexOf(' ')));
    const text = openLine(piece, seal, 2, later);
    if (text instanceof Error) {
      if (!piece.torn) return false;
      isTorn = true;
    } else {
      // Without a torn one before it, lines are missing that no power cut took.
      if (!isTorn || later <= next || decode(text, 2).synced >= number) return false;
      next = later;
    }
  }
  return true;
}

function openLine(line: FileLine, seal: Seal, version: number, number: number): string | Error {
  const mark = version === 1 ? '' : `${number} `;
  if (!line.body?.startsWith(mark)) return new Error('The line is not whole, or another one');
  try {
    return seal.open(line.body.slice(mark.length), placeOf(number));
  } catch (error) {
    return error instanceof Error ? error : new Error(String(error));
  }
}

function placeOf(seq: number): string {
  return `journal ${seq}`;
}

/**
 * The line of a batch, which says in clear text which one it is, so that it is found behind others that were lost. What
 * is sealed says which was the last on the disk when it was written. A removal is written without a record.
 */
function encode(number: number, synced: number, batch: Batch, seal: Seal): Buffer {
  const text = JSON.stringify([synced, batchEntries(batch)]);
  return Buffer.from(lineOf(`${number} ${seal.close(text, placeOf(number))}`));
}

function decode(text: string, version: number): { readonly synced: number; readonly batch: Batch } {
  const parsed = JSON.parse(text);
  const [synced, entries] = (version === 1 ? [0, parsed] : parsed) as [number, BatchEntries];
  return { synced, batch: batchOf(entries) };
}

/** A place in a journal: the number of a batch, and where it ends. */
interface JournalEnd {
  readonly seq: number;
  readonly length: number;
}

/** The journal that transactions are appended to. */
export class Journal {
  readonly path: string;
  readonly base: number;
  readonly #file: OpenFile;
  readonly #seal: Seal;
  readonly #markAt: number;
  #end: JournalEnd;
  /** Up to where it is on the disk. */
  #synced: JournalEnd;
  /** Up to where it stays when a sync fails. */
  #stands: JournalEnd;
  #broken = false;

  private constructor(
    { path, base, seal, markAt }: Pick<JournalScan, 'path' | 'base' | 'seal' | 'markAt'>,
    file: OpenFile,
    end: JournalEnd,
  ) {
    this.path = path;
    this.base = base;
    this.#file = file;
    this.#seal = seal;
    this.#markAt = markAt;
    this.#end = end;
    this.#synced = end;
    this.#stands = end;
  }

  /** Makes the journal that follows batch `base`. It appears under its name whole and durable, or not at all. */
  static async create(
    { files, dir, generation, sealer }: FilePlace,
    base: number,
    marks: Pick<Header, 'after'> = {},
  ): Promise<Journal> {
    const path = join(dir, journalName(generation, base));
    const { seal, label } = sealer.fresh();
    const header = Buffer.from(headerLine({ kind: 'journal', seq: base, label, ...marks }));
    const start = Buffer.concat([header, syncedMark(base)]);
    const file = await files.create(`${path}.tmp`);
    try {
      await writeAll(file, start, 0);
      await file.sync();
      await files.rename(`${path}.tmp`, path);
      await files.syncDir(dir);
    } catch (error) {
      await file.close();
      throw error;
    }
    return new Journal({ path, base, seal, markAt: header.length }, file, { seq: base, length: start.length });
  }

  /** Goes on with a journal that was read. One of an earlier form gets no more lines, and so no mark. */
  static async resume(files: Files, scan: JournalScan): Promise<Journal> {
    const file = await files.open(scan.path);
    try {
      // What was read may have been written but not synced by a process that was killed: readers must not see it go.
      await file.sync();
    } catch (error) {
      await file.close();
      throw error;
    }
    const end = { seq: scan.base + scan.batches.length, length: scan.length };
    return new Journal(scan, file, end);
  }

  /** The number of the last batch. */
  get seq(): number {
    return this.#end.seq;
  }

  get length(): number {
    return this.#end.length;
  }

  /** Whether a write or a sync ended in doubt, with `gave_up`: then nothing may be built on this journal. */
  get broken(): boolean {
    return this.#broken;
  }

  /** Appends a batch, which is then with the system, and returns how many bytes it takes. After `refused` it is not part of the journal: see `takeBack`. */
  append(batch: Batch): number {
    if (this.#broken) throw new StoreError('gave_up', 'The disk failed to keep a write: restart');
    const seq = this.#end.seq + 1;
    const bytes = encode(seq, this.#synced.seq, batch, this.#seal);
    try {
      writeAllNow(this.#file, bytes, this.#end.length);
    } catch (cause) {
      throw new StoreError('refused', `The disk refused a write (${systemCode(cause) ?? cause}): nothing changed`, {
        cause,
      });
    }
    this.#end = { seq, length: this.#end.length + bytes.length };
    return bytes.length;
  }

  /** Takes back what a refused append left, so that the next opening does not find it. */
  async takeBack(): Promise<void> {
    try {
      await this.#file.truncate(this.#end.length);
      await this.#file.sync();
    } catch (cause) {
      this.#broken = true;
      throw new StoreError('gave_up', 'The disk failed and so did taking back the write: restart', { cause });
    }
  }

  /** Resolves when all that was appended before the call is on the disk. */
  async sync(): Promise<void> {
    if (this.#broken) throw new StoreError('gave_up', 'The disk failed to keep a write: restart');
    const end = this.#end;
    if (end.seq === this.#synced.seq) return;
    try {
      await this.#file.sync();
    } catch (cause) {
      // After a failed sync the system may drop what it could not write and report success next time: no second try.
      this.#broken = true;
      throw new StoreError('gave_up', `The disk failed to keep a write (${systemCode(cause) ?? cause}): restart`, {
        cause,
      });
    }
    this.#synced = end;
    this.#mark(end.seq);
  }

  /** Says up to where the journal is on the disk. It need not be there itself before the next sync. */
  #mark(seq: number): void {
    try {
      writeAllNow(this.#file, syncedMark(seq), this.#markAt);
    } catch {
      // The earlier mark, or half of one, only says less.
    }
  }

  /** What is appended so far stays when a later sync fails. */
  stand(): void {
    this.#stands = this.#end;
  }

  /** Takes back what is neither synced nor stands, and appends nothing more. */
  async abandon(): Promise<void> {
    this.#broken = true;
    const from = this.#synced;
    const to = this.#stands.seq > from.seq ? this.#stands : from;
    if (this.#end.seq === from.seq) return;
    try {
      await this.#file.truncate(to.length);
      // The system may have dropped what it failed to write: it gets what stands anew.
      const bytes = Buffer.alloc(to.length - from.length);
      if (bytes.length > 0) {
        await readAll(this.#file, bytes, from.length);
        await writeAll(this.#file, bytes, from.length);
      }
      await this.#file.sync();
    } catch (cause) {
      throw new StoreError('gave_up', 'The disk failed and so did taking back the write: restart', { cause });
    }
    this.#end = to;
  }

  async close(): Promise<void> {
    await this.#file.close();
  }
}
