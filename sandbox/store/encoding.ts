import type { OpenFile } from './files.ts';
import { freezeRecord } from './record.ts';
import { earlierVersionError, plainSeal, type SealLabel } from './seal.ts';
import { StoreError } from './store.ts';
import type { Slice, Slices } from './view.ts';
import type { WrittenChange } from './working-set.ts';

/**
 * The write-ahead log, sealed documents and backups are made of lines: `<length of body, 8 hex digits> <body>\n`. The
 * length distinguishes a truncated line, as a torn write leaves it, from two merged lines, which only damage
 * can cause.
 */
export interface FileLine {
  /** Undefined if the bytes are no whole line. */
  readonly body: string | undefined;
  /** Where the line starts, and where the next one would. */
  readonly start: number;
  readonly end: number;
  readonly isLast: boolean;
  /** Whether an append that a power cut tore can have left these bytes, where they are the last. */
  readonly torn: boolean;
}

/** What the first line of a file says. `seq` is the number of the last entry before a log. */
interface Header {
  readonly kind: 'document' | 'log' | 'backup';
  readonly seq: number;
  readonly label: SealLabel;
}

/** The format of each kind of file. */
export const formats = { document: 4, log: 2, backup: 1 } as const;

const PREFIX = 9;
const NEWLINE = 10;

/** The line that holds `body`, which has no line break. */
export function lineOf(body: string): string {
  return `${Buffer.byteLength(body).toString(16).padStart(8, '0')} ${body}\n`;
}

/** The lines of a file, also broken ones. */
function* linesOf(bytes: Buffer): Generator<FileLine> {
  for (let start = 0; start < bytes.length; ) {
    const newline = bytes.indexOf(NEWLINE, start);
    const end = newline < 0 ? bytes.length : newline + 1;
    yield lineAt(bytes, start, end, newline >= 0);
    start = end;
  }
}

/** How much of a file is read in one go. */
const PIECE = 64 * 1024;

/**
 * The lines of an open file, also broken ones, read a piece at a time: only the lines of one piece are in memory.
 *
 * @param longest how many bytes a line may have. A longer one counts as broken, and nothing after it is read
 */
export async function* linesIn(
  file: OpenFile,
  longest = Number.POSITIVE_INFINITY,
): AsyncGenerator<FileLine, void, void> {
  let parts: Buffer[] = [];
  let start = 0;
  let last: FileLine | undefined;
  for (let position = 0, read = -1; read !== 0; position += read) {
    const piece = Buffer.allocUnsafe(PIECE);
    read = await file.read(piece, position);
    const newline = piece.subarray(0, read).lastIndexOf(NEWLINE);
    parts.push(piece.subarray(0, read));
    if (newline < 0 && read > 0) {
      const end = position + read;
      if (end - start <= longest) continue;
      yield { body: undefined, start, end, isLast: true, torn: false };
      return;
    }
    const bytes = Buffer.concat(parts);
    // At the end, what has no line end counts as a line too.
    const whole = read === 0 ? bytes.length : bytes.length - read + newline + 1;
    for (const line of linesOf(bytes.subarray(0, whole))) {
      if (last !== undefined) yield { ...last, isLast: false };
      last = { ...line, start: start + line.start, end: start + line.end };
    }
    parts = [bytes.subarray(whole)];
    start += whole;
  }
  if (last !== undefined) yield { ...last, isLast: true };
}

/** How long the line at `start` says that it is, prefix and line end included. */
function announcedAt(bytes: Buffer, start: number, end: number): number | undefined {
  const prefix = bytes.toString('latin1', start, Math.min(start + PREFIX, end));
  return /^[0-9a-f]{8} $/.test(prefix) ? PREFIX + Number.parseInt(prefix, 16) + 1 : undefined;
}

function lineAt(bytes: Buffer, start: number, end: number, closed: boolean): FileLine {
  const full = announcedAt(bytes, start, end);
  const length = end - start;
  return {
    body: closed && length === full ? bytes.toString('utf8', start + PREFIX, end - 1) : undefined,
    start,
    end,
    isLast: end === bytes.length,
    torn: isTorn(bytes.subarray(start, end), full, closed),
  };
}

/**
 * A torn append ends too early, or has holes where sectors did not reach the disk: they read as zeros, which no line of
 * ours contains. Anything else is damage, a whole line with other bytes above all: it may have been acknowledged.
 */
function isTorn(line: Buffer, full: number | undefined, closed: boolean): boolean {
  if (full !== undefined && line.length > full) return false;
  const endsEarly = !closed && (full === undefined || line.length < full);
  return endsEarly || hasHole(line);
}

/** One zero alone can be a flipped bit of a space; at the start of a line, or in place of its end, it cannot. */
function hasHole(line: Buffer): boolean {
  return line[0] === 0 || line.at(-1) === 0 || line.includes('\0\0');
}

/** The first line of a file. */
export function headerLine({ label, kind, seq }: Header): string {
  return lineOf(plainSeal.close(JSON.stringify({ kind, version: formats[kind], seq, ...label }), 'header'));
}

/** Reads the first line of `file`, which must be of this kind. */
export function readHeader(line: FileLine | undefined, kind: Header['kind'], file: string): Header {
  const {
    kind: _,
    version,
    seq,
    ...label
  } = orDamaged(file, 'its first line', () => {
    const header = JSON.parse(plainSeal.open(line?.body ?? '', 'header'));
    if (header.kind !== kind) throw new Error(`This is not a ${kind}`);
    return header as { kind: string; version: number; seq: number } & SealLabel;
  });
  refuseOtherFormat(kind, version, file);
  return { kind, seq, label };
}

/** Throws if a file has another format than this version reads. */
export function refuseOtherFormat(kind: Header['kind'], version: number, file: string): void {
  if (version < formats[kind]) throw earlierVersionError(file);
  if (version === formats[kind]) return;
  const message = `${file} has format ${version}, but this version reads format ${formats[kind]}: use a newer version`;
  throw new StoreError('damaged', message);
}

/** Runs `open`; whatever it throws means that this part of the file is damaged. */
export function orDamaged<T>(file: string, part: string, open: () => T): T {
  try {
    return open();
  } catch (cause) {
    throw damagedError(file, part, cause);
  }
}

/** The error for a file that cannot be trusted. */
export function damagedError(file: string, what: string, cause?: unknown): StoreError {
  const message = `${file} is damaged (${what}). Nothing was changed: restore the folder from a backup, or start with an empty one`;
  return new StoreError('damaged', message, { cause });
}

/** The transactions that were written together. */
export type Batch = readonly (readonly WrittenChange[])[];

/**
 * About how much one line holds: large enough that sealing costs little, small enough not to hold up the event loop.
 */
const LINE_CHARACTERS = 64 * 1024;

/** A record. */
export type Entry = readonly [collection: string, id: string, record: unknown];

/** The entries as JSON arrays of about one line's size. */
export async function* textsOf(slices: Slices): AsyncGenerator<string, void, void> {
  let entries = '';
  for await (const { collection, rows } of slices) {
    for (const { id, record } of rows) {
      const entry: Entry = [collection, id, record];
      entries += `${entries && ','}${JSON.stringify(entry)}`;
      if (entries.length < LINE_CHARACTERS) continue;
      yield `[${entries}]`;
      entries = '';
    }
  }
  if (entries) yield `[${entries}]`;
}

/** Entries one after the other that are of the same collection, as one slice. */
export function* slicesIn(entries: readonly Entry[]): Generator<Slice> {
  let rows: Slice['rows'][number][] = [];
  for (const [at, [collection, id, record]] of entries.entries()) {
    rows.push({ id, record: freezeRecord(record, `${collection} ${id}`) });
    if (entries[at + 1]?.[0] === collection) continue;
    yield { collection, rows };
    rows = [];
  }
}

/** A batch as it is stored. A removal is written without a record. */
export type BatchEntries = readonly (readonly (readonly [string, string, unknown?])[])[];

export function batchEntries(batch: Batch): BatchEntries {
  const entries: (readonly [string, string, unknown?])[][] = [];
  for (const changes of batch) {
    const written: (readonly [string, string, unknown?])[] = [];
    for (const { collection, id, record } of changes) {
      written.push(record === undefined ? [collection, id] : [collection, id, record]);
    }
    entries.push(written);
  }
  return entries;
}

/** What `batchEntries` was given. */
export function batchOf(entries: BatchEntries): Batch {
  return entries.map((changes) => changes.map(([collection, id, record]) => ({ collection, id, record })));
}
