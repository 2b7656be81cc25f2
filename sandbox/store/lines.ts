import type { OpenFile } from './files.ts';
import { plainSeal, type SealLabel } from './seal.ts';
import { StoreError } from './store.ts';

/**
 * Documents and journals are made of lines: `<length of body, 8 hex digits> <body>\n`. The length tells a line that
 * was cut short, as a torn write leaves it, from two lines that ran together, which only damage can do.
 */
export interface FileLine {
  /** Undefined where the bytes are no whole line. */
  readonly body: string | undefined;
  /** Where the line starts, and where the next one would. */
  readonly start: number;
  readonly end: number;
  readonly isLast: boolean;
  /** Whether an append that a power cut tore can have left these bytes, where they are the last. */
  readonly torn: boolean;
}

/**
 * What the first line of a file says. `seq` is the number of the last transaction before (journal) or in (document) it, or
 * that of a segment.
 */
export interface Header {
  readonly kind: 'document' | 'journal' | 'segment' | 'backup';
  readonly seq: number;
  readonly label: SealLabel;
  /**
   * Which form it has. In the second a document has ordinals and names segments, a journal has numbered lines, and a segment
   * a seed of its hashes. In the third a journal has a synced mark.
   */
  readonly version: number;
  /** Of a journal: it counts only once the document with the same number is there, and is nothing before. */
  readonly after?: 'document';
}

/** The newest form of each kind of file, in which new ones are written. */
const newest = { document: 2, journal: 3, segment: 2, backup: 1 } as const;

/** The form that a journal must have to be gone on with. */
export const newestJournal = newest.journal;
const PREFIX = 9;
const NEWLINE = 10;

/** The line that holds `body`, which has no line break. */
export function lineOf(body: string): string {
  return `${Buffer.byteLength(body).toString(16).padStart(8, '0')} ${body}\n`;
}

/** The lines of a file from `first` on, also broken ones. */
export function* linesOf(bytes: Buffer, first = 0): Generator<FileLine> {
  for (let start = first; start < bytes.length; ) {
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

/**
 * What several appends, of which none was on the disk for certain, left from `start` on: whole lines, and between them
 * what a power cut kept of others. Lines are told by their length, since a line end can be among what was lost; behind a
 * hole can be a line, or the rest of one.
 */
export function* piecesOf(bytes: Buffer, start: number): Generator<FileLine> {
  for (let at = start; at < bytes.length; ) {
    const behind = afterZeros(bytes, at);
    const whole = wholeLineEnd(bytes, behind);
    const newline = bytes.indexOf(NEWLINE, at);
    const rest = newline < 0 ? bytes.length : newline + 1;
    const end = whole === undefined ? rest : behind > at ? behind : whole;
    const line = lineAt(bytes, at, end, bytes[end - 1] === NEWLINE);
    yield { ...line, torn: line.torn || hasHole(bytes.subarray(at, end)) };
    at = end;
  }
}

/** Where the line that starts here ends by its length; undefined where none starts, or it ends beyond the file. */
function wholeLineEnd(bytes: Buffer, start: number): number | undefined {
  const full = announcedAt(bytes, start, bytes.length);
  return full !== undefined && start + full <= bytes.length ? start + full : undefined;
}

function afterZeros(bytes: Buffer, start: number): number {
  let at = start;
  while (bytes[at] === 0) at += 1;
  return at;
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
export function headerLine({ label, kind, seq, ...marks }: Omit<Header, 'version'>): string {
  return lineOf(plainSeal.close(JSON.stringify({ kind, version: newest[kind], seq, ...label, ...marks }), 'header'));
}

/** Reads the first line of `file`, which must be of this kind. */
export function readHeader(line: FileLine | undefined, kind: Header['kind'], file: string): Header {
  const { version, seq, ...rest } = orDamaged(file, 'its first line', () => {
    const header = JSON.parse(plainSeal.open(line?.body ?? '', 'header'));
    if (header.kind !== kind) throw new Error(`This is not a ${kind}`);
    return header as { version: number; seq: number; key?: string; salt?: string; after?: 'document' };
  });
  if (!(version >= 1 && version <= newest[kind])) {
    throw new StoreError(
      'damaged',
      `${file} has format ${version}, this version reads ${newest[kind]}: use a newer version`,
    );
  }
  const label = {
    ...(rest.key !== undefined && { key: rest.key }),
    ...(rest.salt !== undefined && { salt: rest.salt }),
  };
  return { kind, version, seq, label, ...(rest.after !== undefined && { after: rest.after }) };
}

/** Runs `open`; whatever it throws means that this part of the file is damaged. */
export function orDamaged<T>(file: string, part: string, open: () => T): T {
  try {
    return open();
  } catch (cause) {
    throw damaged(file, part, cause);
  }
}

/** The error for a file that cannot be trusted. */
export function damaged(file: string, what: string, cause?: unknown): StoreError {
  const message = `${file} is damaged (${what}). Nothing was changed: restore the folder from a backup, or start with an empty one`;
  return new StoreError('damaged', message, { cause });
}
