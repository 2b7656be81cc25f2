import type { OpenFile } from './files.ts';
import type { Slice, Slices } from './row.ts';
import { freezeRecord } from './row.ts';
import { earlierVersionError, plainSeal, type SealLabel } from './seal.ts';
import { StoreError } from './store.ts';
import type { WrittenChange } from './working-set.ts';

/**
 * A line of a write-ahead log, a sealed document or a backup: `<length of body, 8 hex digits> <body>\n`. The length
 * distinguishes a truncated line, which a torn write can leave, from two merged lines, which only damage can cause.
 */
export interface FileLine {
  /** Undefined if the bytes are not a complete line. */
  readonly body: string | undefined;
  /** The offsets of the line and the next line. */
  readonly start: number;
  readonly end: number;
  readonly isLast: boolean;
  /** Whether a torn append could have left these bytes at the end of the file. */
  readonly torn: boolean;
}

/** The content of a file's first line. In a log, `seq` is the number of the last entry before it. */
interface Header {
  readonly kind: 'document' | 'log' | 'backup';
  readonly seq: number;
  readonly label: SealLabel;
}

/** The format version of each kind of file. */
export const formats = { document: 4, log: 2, backup: 1 } as const;

const PREFIX = 9;
const NEWLINE = 10;

/** Returns the encoded line of `body`, which must not contain a line break. */
export function lineOf(body: string): string {
  return `${Buffer.byteLength(body).toString(16).padStart(8, '0')} ${body}\n`;
}

/** Yields the lines of a file, including broken ones. */
function* linesOf(bytes: Buffer): Generator<FileLine> {
  for (let start = 0; start < bytes.length; ) {
    const newline = bytes.indexOf(NEWLINE, start);
    const end = newline < 0 ? bytes.length : newline + 1;
    yield lineAt(bytes, start, end, newline >= 0);
    start = end;
  }
}

/** The number of bytes per read. */
const PIECE = 64 * 1024;

/**
 * Yields the lines of an open file, including broken ones. Only the lines of one chunk are in memory.
 *
 * @param longest maximum length of a line, in bytes; a longer line counts as broken, and nothing after it is read
 */
export async function* linesIn(file: OpenFile, longest = Number.POSITIVE_INFINITY) {
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
    // At the end of the file, text without a line break also counts as a line.
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

/** Returns the length announced by the line at `start`, including its prefix and line break, or undefined if the prefix is invalid. */
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
 * Returns whether a torn append could have left this line. Such a line ends too early, or has holes where sectors did
 * not reach the disk. Holes read as zeros, which no valid line contains.
 *
 * Anything else is damage, in particular a complete line with changed bytes, because it may have been acknowledged.
 */
function isTorn(line: Buffer, full: number | undefined, closed: boolean): boolean {
  if (full !== undefined && line.length > full) return false;
  const endsEarly = !closed && (full === undefined || line.length < full);
  return endsEarly || hasHole(line);
}

/** Returns whether the line has a hole. A single zero can be a flipped bit of a space, except at the start or end of a line. */
function hasHole(line: Buffer): boolean {
  return line[0] === 0 || line.at(-1) === 0 || line.includes('\0\0');
}

/** Returns the first line of a file. */
export function headerLine({ label, kind, seq }: Header): string {
  return lineOf(plainSeal.close(JSON.stringify({ kind, version: formats[kind], seq, ...label }), 'header'));
}

/** Parses the first line of `file`, which must be of this kind. */
export function readHeader(line: FileLine | undefined, kind: Header['kind'], file: string): Header {
  const { version, seq, ...label } = orDamaged(file, 'its first line', () => {
    const { kind: found, ...header } = JSON.parse(plainSeal.open(line?.body ?? '', 'header'));
    if (found !== kind) throw new Error(`This is not a ${kind}`);
    return header as { version: number; seq: number } & SealLabel;
  });
  refuseOtherFormat(kind, version, file);
  return { kind, seq, label };
}

/** Throws if the file has a format that this version cannot read. */
export function refuseOtherFormat(kind: Header['kind'], version: number, file: string): void {
  if (version < formats[kind]) throw earlierVersionError(file);
  if (version === formats[kind]) return;
  const message = `${file} has format ${version}, but this version reads format ${formats[kind]}: use a newer version`;
  throw new StoreError('damaged', message);
}

/** Runs `open`. If it throws, reports that this part of the file is damaged. */
export function orDamaged<T>(file: string, part: string, open: () => T): T {
  try {
    return open();
  } catch (cause) {
    throw damagedError(file, part, cause);
  }
}

/** Returns the error for a damaged file. */
export function damagedError(file: string, what: string, cause?: unknown): StoreError {
  const message = `${file} is damaged (${what}). Nothing was changed: restore the folder from a backup, or start with an empty one`;
  return new StoreError('damaged', message, { cause });
}

/** The transactions that were written together. */
export type Batch = readonly (readonly WrittenChange[])[];

/**
 * Approximate number of characters in a line. It is large enough that sealing costs little, and small enough not to
 * block the event loop.
 */
const LINE_CHARACTERS = 64 * 1024;

/** A record with its collection and id. */
export type Entry = readonly [collection: string, id: string, record: unknown];

/** Yields the records as JSON arrays, each about the size of one line. */
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

/** Groups consecutive entries of the same collection into slices. */
export function* slicesIn(entries: readonly Entry[]): Generator<Slice> {
  let rows: Slice['rows'][number][] = [];
  for (const [at, [collection, id, record]] of entries.entries()) {
    rows.push({ id, record: freezeRecord(record, `${collection} ${id}`) });
    if (entries[at + 1]?.[0] === collection) continue;
    yield { collection, rows };
    rows = [];
  }
}

/** A batch in its stored form. A removal has no record. */
export type BatchEntries = readonly (readonly (readonly [string, string, unknown?])[])[];

export function batchEntries(batch: Batch): BatchEntries {
  const entries: (readonly [string, string, unknown?])[][] = [];
  for (const changes of batch) {
    const written: (readonly [string, string, unknown?])[] = [];
    for (const { collection, id, record } of changes)
      written.push(record === undefined ? [collection, id] : [collection, id, record]);
    entries.push(written);
  }
  return entries;
}

/** Converts stored entries back to a batch. */
export function batchOf(entries: BatchEntries): Batch {
  return entries.map((changes) => changes.map(([collection, id, record]) => ({ collection, id, record })));
}
