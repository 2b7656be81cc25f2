import { join } from 'node:path';
import type { BlockCache } from './block-cache.ts';
import { lowest } from './entries.ts';
import { type OpenFile, readAll, readAllNow, systemCode } from './files.ts';
import { type FilePlace, segmentName } from './generation.ts';
import { damaged, linesOf, orDamaged, readHeader } from './lines.ts';
import { freezeRecord } from './record.ts';
import type { Row } from './row.ts';
import type { HashSeed } from './row-hash.ts';
import type { Seal } from './seal.ts';
import { decodeIndex, type PartIndex } from './segment-index.ts';
import { StoreError } from './store.ts';

/** What the document says of a segment that counts: which file it is, and the rows that no longer count. */
export interface SegmentNote {
  readonly number: number;
  /** The size of the file. */
  readonly size: number;
  /** By collection, in base64: see `Bits`. */
  readonly hidden: Readonly<Record<string, string>>;
}

/** Which part of a segment is sealed: a block, by where it starts, or the directory. */
export function placeIn(number: number, part: number | 'directory'): string {
  return `segment ${number} ${part}`;
}

/** What the last bytes of a segment are: where its directory starts, in clear text. */
export const TRAILER_BYTES = 24;

export function trailerOf(directory: number): Buffer {
  return Buffer.from(`directory ${String(directory).padStart(TRAILER_BYTES - 11)}\n`);
}

/** Rows as a block holds them. */
export type StoredRow = readonly [id: string, ordinal: number, record: unknown];

/** Longest first line. */
const HEADER_BYTES = 512;

/**
 * A file of rows that is written once and never changed: blocks of about 2 KB, sealed each by itself, and behind them a
 * directory that is in memory. A row is read when it is asked for.
 */
export class Segment {
  readonly number: number;
  readonly size: number;
  readonly path: string;
  readonly parts: ReadonlyMap<string, SegmentPart>;
  readonly #file: OpenFile;
  readonly #seal: Seal;
  readonly #cache: BlockCache;
  /** Who reads it: the store, and its views. */
  #holders = 1;

  private constructor(path: string, { number, size }: SegmentNote, file: OpenFile, read: Opened, cache: BlockCache) {
    this.path = path;
    this.number = number;
    this.size = size;
    this.#file = file;
    this.#seal = read.seal;
    this.#cache = cache;
    this.parts = new Map(read.parts.map((index) => [index.name, new SegmentPart(this, index)]));
  }

  /** Opens a segment that a document names. Rejects with `damaged` where it is not as it was written. */
  static async open(place: FilePlace, note: SegmentNote, cache: BlockCache): Promise<Segment> {
    const path = join(place.dir, segmentName(place.generation, note.number));
    const file = await place.files.openToRead(path);
    if (file === undefined) throw damaged(path, 'it is missing');
    try {
      return new Segment(path, note, file, await opened(file, path, note, place), cache);
    } catch (error) {
      await file.close();
      throw error;
    }
  }

  /** What its hashes depend on. */
  get seed(): HashSeed | undefined {
    return [...this.parts.values()][0]?.index.seed;
  }

  /** How many rows it was written with. */
  get rows(): number {
    return [...this.parts.values()].reduce((sum, { rows }) => sum + rows, 0);
  }

  /** The rows of the block at `start`; `once` where nobody is likely to ask again. */
  block(start: number, length: number, once: boolean): readonly Row[] {
    const key = `${this.number} ${start}`;
    const known = this.#cache.get(key);
    if (known) return known;
    if (this.#holders === 0) throw new StoreError('closed', 'The store is closed');
    const sealed = Buffer.allocUnsafe(length);
    try {
      readAllNow(this.#file, sealed, start);
    } catch (cause) {
      throw unreadable(this.path, cause);
    }
    const rows = orDamaged(this.path, `byte ${start}`, () => {
      const stored = JSON.parse(this.#seal.openBytes(sealed, placeIn(this.number, start)).toString()) as StoredRow[];
      return stored.map(([id, ordinal, record]) => ({ id, ordinal, record: freezeRecord(record, id) }));
    });
    if (!once) this.#cache.set(key, rows, length);
    return rows;
  }

  /** All of its bytes, a piece at a time. */
  async *bytes(): AsyncGenerator<Buffer, void, void> {
    for (let at = 0; at < this.size; ) {
      const piece = Buffer.allocUnsafe(Math.min(this.size - at, 1024 * 1024));
      await readAll(this.#file, piece, at);
      yield piece;
      at += piece.length;
    }
  }

  hold(): void {
    this.#holders += 1;
  }

  /** Closes it once nobody holds it any more. */
  async release(): Promise<void> {
    this.#holders -= 1;
    if (this.#holders === 0) await this.#file.close();
  }
}

/** The rows of one collection in a segment, by their number: oldest insertion first. */
export class SegmentPart {
  readonly segment: Segment;
  readonly index: PartIndex;

  constructor(segment: Segment, index: PartIndex) {
    this.segment = segment;
    this.index = index;
  }

  get rows(): number {
    return this.index.rows;
  }

  /** `once` where rows are read one after the other, as all are. */
  row(number: number, once = false): Row {
    const { starts, lengths, firsts } = this.index;
    const at = lowest(firsts.length, (middle) => (firsts[middle] ?? 0) > number) - 1;
    const rows = this.segment.block(starts[at] ?? 0, lengths[at] ?? 0, once);
    const row = rows[number - (firsts[at] ?? 0)];
    if (row === undefined) throw damaged(this.segment.path, `row ${number}`);
    return row;
  }

  /** The rows of the block that `number` is the first row of. */
  blockFrom(number: number): readonly Row[] {
    const { starts, lengths, firsts } = this.index;
    const at = lowest(firsts.length, (middle) => (firsts[middle] ?? 0) >= number);
    return this.segment.block(starts[at] ?? 0, lengths[at] ?? 0, true);
  }
}

interface Opened {
  readonly seal: Seal;
  readonly parts: readonly PartIndex[];
}

async function opened(file: OpenFile, path: string, { number, size }: SegmentNote, place: FilePlace) {
  const first = Buffer.alloc(Math.min(HEADER_BYTES, size));
  const trailer = Buffer.alloc(TRAILER_BYTES);
  await readOrDamaged(file, first, 0, path);
  await readOrDamaged(file, trailer, size - TRAILER_BYTES, path);
  const [line] = linesOf(first);
  const { label } = readHeader(line, 'segment', path);
  const seal = place.sealer.existing(label, path);
  const start = Number(trailer.toString('latin1').slice(10));
  const isWhole = Number.isSafeInteger(start) && start >= 0 && trailer.equals(trailerOf(start));
  if (!isWhole || start > size - TRAILER_BYTES) throw damaged(path, 'its end');
  const sealed = Buffer.alloc(size - TRAILER_BYTES - start);
  await readOrDamaged(file, sealed, start, path);
  const parts = orDamaged(path, 'its directory', () =>
    decodeIndex(seal.openBytes(sealed, placeIn(number, 'directory'))),
  );
  return { seal, parts };
}

async function readOrDamaged(file: OpenFile, bytes: Uint8Array, position: number, path: string): Promise<void> {
  if (position < 0) throw damaged(path, 'it ends early');
  try {
    await readAll(file, bytes, position);
  } catch (error) {
    if (systemCode(error) !== undefined) throw error;
    throw damaged(path, 'it ends early', error);
  }
}

function unreadable(path: string, cause: unknown): StoreError {
  if (systemCode(cause) === undefined) return damaged(path, 'it ends early', cause);
  return new StoreError(
    'unreadable',
    `${path} could not be read (${systemCode(cause)}): what is stored there is not shown until it can be`,
    { cause },
  );
}
