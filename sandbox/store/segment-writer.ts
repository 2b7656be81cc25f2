import { dirname, join } from 'node:path';
import { endKeyOf } from './collection.ts';
import { Entries, entryOf } from './entries.ts';
import { type Files, type OpenFile, writeAll } from './files.ts';
import { type FilePlace, segmentName } from './generation.ts';
import { headerLine } from './lines.ts';
import type { Row } from './row.ts';
import type { HashSeed } from './row-hash.ts';
import type { Seal } from './seal.ts';
import { placeIn, type SegmentNote, trailerOf } from './segment.ts';
import { edgeEach, encodeIndex, type PartIndex, type PartOrder } from './segment-index.ts';
import { ordersOf, type SortOrder } from './sort-order.ts';
import type { CollectionSpec } from './store.ts';
import { turn } from './turn.ts';

/** About how much a block holds: what is read to read one row. */
const BLOCK_CHARACTERS = 2048;

interface Begun {
  readonly number: number;
  readonly seed: HashSeed;
}

/** Writes a segment. It counts for nothing until a document names it. */
export class SegmentWriter {
  readonly number: number;
  readonly #path: string;
  readonly #files: Files;
  readonly #file: OpenFile;
  readonly #seal: Seal;
  readonly #seed: HashSeed;
  readonly #parts = new Map<string, PartWriter>();
  /** Sealed and not with the system yet. */
  #pending: Buffer[] = [];
  #written = 0;
  #size: number;
  #rows = 0;

  private constructor(path: string, files: Files, note: Begun, file: OpenFile, seal: Seal, header: Buffer) {
    this.#path = path;
    this.#files = files;
    this.number = note.number;
    this.#seed = note.seed;
    this.#file = file;
    this.#seal = seal;
    this.#pending.push(header);
    this.#size = header.length;
  }

  static async create(place: FilePlace, number: number, seed: HashSeed): Promise<SegmentWriter> {
    const { dir, files, generation, sealer } = place;
    const path = join(dir, segmentName(generation, number));
    const { seal, label } = sealer.fresh();
    const header = Buffer.from(headerLine({ kind: 'segment', seq: number, label }));
    return new SegmentWriter(path, files, { number, seed }, await files.create(path), seal, header);
  }

  /** How many rows it has. */
  get rows(): number {
    return this.#rows;
  }

  /** Adds a row, newer than all of its collection before it. Returns its number in its part. */
  add(name: string, spec: CollectionSpec<unknown>, row: Row): number {
    let part = this.#parts.get(name);
    if (part === undefined) {
      part = new PartWriter(name, spec, this.#seed, (text) => this.#block(text));
      this.#parts.set(name, part);
    }
    this.#rows += 1;
    return part.add(row);
  }

  /** Hands what was added to the system. */
  async flush(): Promise<void> {
    const bytes = Buffer.concat(this.#pending);
    this.#pending = [];
    await writeAll(this.#file, bytes, this.#written);
    this.#written += bytes.length;
  }

  /** Resolves when it is on the disk under its name. */
  async finish(): Promise<SegmentNote> {
    const parts: PartIndex[] = [];
    for (const part of this.#parts.values()) {
      parts.push(await part.end());
      await turn();
    }
    const directory = this.#size;
    this.#append(this.#seal.closeBytes(encodeIndex(parts), placeIn(this.number, 'directory')));
    this.#append(trailerOf(directory));
    await this.flush();
    await this.#file.sync();
    await this.#file.close();
    await this.#files.syncDir(dirname(this.#path));
    return { number: this.number, size: this.#size, hidden: {} };
  }

  /** Removes what was written of a segment that is not to be. */
  async discard(): Promise<void> {
    await this.#file.close();
    await this.#files.remove(this.#path);
  }

  #block(text: string): { start: number; length: number } {
    const start = this.#size;
    const sealed = this.#seal.closeBytes(Buffer.from(text), placeIn(this.number, start));
    this.#append(sealed);
    return { start, length: sealed.length };
  }

  #append(bytes: Buffer): void {
    this.#pending.push(bytes);
    this.#size += bytes.length;
  }
}

/** Writes a block, and tells where. */
type Block = (text: string) => { start: number; length: number };

/** Rows as they come, with their keys in one order. */
interface Sorting {
  readonly order: SortOrder;
  readonly places: { readonly place: string; readonly row: number }[];
  /** Whether they came in that order, as they mostly do. */
  isSorted: boolean;
}

/** The rows of one collection as they come, and the arrays that they are found by. */
class PartWriter {
  readonly #name: string;
  readonly #spec: CollectionSpec<unknown>;
  readonly #seed: HashSeed;
  readonly #block: Block;
  #open = '';
  #rows = 0;
  #last = -1;
  #first = 0;
  readonly #starts: number[] = [];
  readonly #lengths: number[] = [];
  readonly #firsts: number[] = [];
  readonly #ids: number[] = [];
  readonly #indexes: Map<string, number[]>;
  readonly #sortings: readonly Sorting[];
  readonly #ends: { end: string; row: number }[] = [];

  constructor(name: string, spec: CollectionSpec<unknown>, seed: HashSeed, block: Block) {
    this.#name = name;
    this.#spec = spec;
    this.#seed = seed;
    this.#block = block;
    this.#indexes = new Map(Object.keys(spec.indexes ?? {}).map((index) => [index, []]));
    this.#sortings = ordersOf(spec).map((order) => ({ order, places: [], isSorted: true }));
  }

  add(row: Row): number {
    const { id, ordinal, record } = row;
    const number = this.#rows;
    this.#ids.push(entryOf(id, number, this.#seed));
    for (const [index, keyOf] of Object.entries(this.#spec.indexes ?? {})) {
      const key = keyOf(record);
      if (key !== undefined) this.#indexes.get(index)?.push(entryOf(key, number, this.#seed));
    }
    for (const sorting of this.#sortings) addPlace(sorting, row, number);
    const end = endKeyOf(this.#spec, row);
    if (end !== undefined) this.#ends.push({ end, row: number });
    this.#open += `${this.#open && ','}${JSON.stringify([id, ordinal, record])}`;
    this.#rows += 1;
    this.#last = ordinal;
    if (this.#open.length >= BLOCK_CHARACTERS) this.#close();
    return number;
  }

  /** Sorts what was added. Others have their turn between two arrays, each of which can take ten milliseconds. */
  async end(): Promise<PartIndex> {
    if (this.#open) this.#close();
    const orders = new Map<string, PartOrder>();
    for (const sorting of this.#sortings) {
      orders.set(sorting.order.name, partOrder(sorting));
      await turn();
    }
    this.#ends.sort((one, other) => compared(one.end, other.end));
    await turn();
    const ids = await this.#entries(this.#ids);
    const indexes = new Map<string, Entries>();
    for (const [index, numbers] of this.#indexes) indexes.set(index, await this.#entries(numbers));
    return {
      ...{ name: this.#name, rows: this.#rows, last: this.#last, seed: this.#seed, ids, indexes },
      starts: Float64Array.from(this.#starts),
      lengths: Uint32Array.from(this.#lengths),
      firsts: Uint32Array.from(this.#firsts),
      orders,
      hasEnds: this.#spec.until !== undefined,
      ended: Uint32Array.from(this.#ends, ({ row }) => row),
    };
  }

  async #entries(numbers: readonly number[]): Promise<Entries> {
    const entries = new Entries(Float64Array.from(numbers).sort(), this.#seed);
    await turn();
    return entries;
  }

  #close(): void {
    const { start, length } = this.#block(`[${this.#open}]`);
    this.#starts.push(start);
    this.#lengths.push(length);
    this.#firsts.push(this.#first);
    this.#first = this.#rows;
    this.#open = '';
  }
}

function addPlace(sorting: Sorting, row: Row, number: number): void {
  const { order, places } = sorting;
  const place = order.keyOf(row);
  if (place === undefined) return;
  sorting.isSorted &&= compared(places.at(-1)?.place ?? '', place) <= 0;
  places.push({ place, row: number });
}

function partOrder({ places, isSorted }: Sorting): PartOrder {
  if (!isSorted) places.sort((one, other) => compared(one.place, other.place));
  return {
    rows: Uint32Array.from(places, ({ row }) => row),
    edges: places.filter((_, at) => at % edgeEach === 0).map(({ place }) => place),
  };
}

/** By UTF-16 code units, as `sort()` does. */
function compared(one: string, other: string): number {
  return one < other ? -1 : one > other ? 1 : 0;
}
