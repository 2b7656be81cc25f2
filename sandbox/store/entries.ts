import { type HashSeed, hashOf, type SoughtKey } from './row-hash.ts';

/** An entry is a hash of 32 bits and the number of a row below this, together exact in a double. */
const rowsOfHash = 2 ** 20;
/** Bits of a filter for each entry, at least; it has a power of two of them, so up to twice as many. */
const bitsEach = 8;
const none: readonly number[] = [];

/** What stands for `key` of `row` in an array that is sorted by it. */
export function entryOf(key: string, row: number, seed: HashSeed | undefined): number {
  return hashOf(key, seed) * rowsOfHash + row;
}

/** The rows of a part by the hashes of their ids, or of their keys in one index. */
export class Entries {
  /** In order. See `entryOf`. */
  readonly values: Float64Array;
  readonly seed: HashSeed | undefined;
  /** Made by the first look-up. */
  #filter: Filter | undefined;

  constructor(values: Float64Array, seed: HashSeed | undefined) {
    this.values = values;
    this.seed = seed;
  }

  /** The rows of all entries with the hash of a key; of a few it is that of another key. */
  rowsUnder(sought: SoughtKey): readonly number[] {
    const hash = sought.hash(this.seed);
    this.#filter ??= new Filter(this.values);
    return this.#filter.mayHave(hash) ? this.#rowsOf(hash) : none;
  }

  #rowsOf(hash: number): number[] {
    const from = hash * rowsOfHash;
    const rows: number[] = [];
    for (let at = lowest(this.values.length, (middle) => (this.values[middle] ?? 0) >= from); ; at += 1) {
      const row = (this.values[at] ?? Number.POSITIVE_INFINITY) - from;
      if (row >= rowsOfHash) return rows;
      rows.push(row);
    }
  }
}

/**
 * Which hashes are not there, which is what most look-ups of a new id need to know: a bit for each range of hashes, set
 * where an entry is in it.
 */
export class Filter {
  readonly #bits: Uint32Array;
  /** How far a hash is shifted to give its bit. */
  readonly #shift: number;

  constructor(entries: Float64Array) {
    const digits = Math.max(5, Math.ceil(Math.log2(entries.length * bitsEach)));
    this.#shift = 32 - digits;
    this.#bits = new Uint32Array(2 ** (digits - 5));
    for (const entry of entries) {
      const bit = Math.floor(entry / rowsOfHash) >>> this.#shift;
      this.#bits[bit >>> 5] = (this.#bits[bit >>> 5] ?? 0) | (1 << (bit & 31));
    }
  }

  get bytes(): number {
    return this.#bits.byteLength;
  }

  mayHave(hash: number): boolean {
    const bit = hash >>> this.#shift;
    return (((this.#bits[bit >>> 5] ?? 0) >>> (bit & 31)) & 1) === 1;
  }
}

/** The first number below `length` that is beyond an edge, all after it being so too; `length` where none is. */
export function lowest(length: number, isBeyond: (middle: number) => boolean): number {
  let low = 0;
  let high = length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (isBeyond(middle)) high = middle;
    else low = middle + 1;
  }
  return low;
}
