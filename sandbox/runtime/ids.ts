import { createCipheriv, createHash } from 'node:crypto';
import type { Tx } from '../store/store.ts';

/** The last number of each counter, by name. */
export interface NumberingCollections {
  readonly counters: number;
}

export const numberingSchema = { counters: {} } as const;

/** Counts of items that have their own limit. They are excluded from the byte limits of the workspace. */
export interface TallyCollections extends NumberingCollections {
  readonly tallies: number;
}

export const tallySchema = { ...numberingSchema, tallies: { bounded: true } } as const;

/** Returns the last number of a counter; 0 if it has not been used. */
export function lastNumber(reader: Pick<Tx<NumberingCollections>, 'get'>, counter: string): number {
  return reader.get('counters', counter) ?? 0;
}

/** Increments a counter and returns its new value. Use the transaction that writes the numbered record. */
export function nextNumber(tx: Tx<NumberingCollections>, counter: string): number {
  const number = lastNumber(tx, counter) + 1;
  tx.put('counters', counter, number);
  return number;
}

/** Returns the count of a tally; 0 if it does not exist. */
export function lastTally(reader: Pick<Tx<TallyCollections>, 'get'>, tally: string): number {
  return reader.get('tallies', tally) ?? 0;
}

/** Formats a readable id: a prefix and a number of at least six digits, such as `ORD-000001`. */
export function numberedId(prefix: string, number: number): string {
  return `${prefix}-${digits(number, 6)}`;
}

/** Returns the number in an id from `numberedId`, formatted as a key. */
export function numberIn(id: string): string {
  return orderedKey(Number(/\d+/.exec(id)?.[0] ?? 0));
}

/** Formats a number as a key. Keys sort in the order of their numbers. */
export function orderedKey(number: number): string {
  return String(number).padStart(12, '0');
}

/** Pads a number with leading zeros to at least `wanted` digits. */
export function digits(number: number, wanted: number): string {
  return String(number).padStart(wanted, '0');
}

/** A position in a stream of random bytes: its seed, and the number of bytes drawn. */
export interface StreamPlace {
  readonly seed: string;
  readonly drawn: number;
}

/**
 * The positions of the random streams that generate stored codes and ids. `records` derives from the workspace seed.
 * `unique` has its own seed, which no other run shares (OP-245).
 */
export interface RandomCollections {
  readonly streams: StreamPlace;
}

export const randomSchema = { streams: {} } as const;

/** Sets the position of the `records` stream. The next unique code starts a new stream. */
export function placeStream(tx: Tx<RandomCollections>, place: StreamPlace): void {
  tx.put('streams', 'records', place);
  endUnique(tx);
}

/**
 * Makes the next unique code start a new stream. Call this method after restoring earlier data, which contains an old
 * position of the stream.
 */
export function endUnique(tx: Tx<RandomCollections>): void {
  tx.remove('streams', 'unique');
}

/**
 * Draws random values in a transaction, which also stores the new position of the stream. A rejected transaction
 * consumes nothing, and committed values are never drawn again (OP-94). Throws if no stream exists.
 *
 * @param newSeed returns a random seed, for codes that no other run may draw: after a reset or a restored snapshot,
 *   or in another data folder (OP-245)
 */
export function draw<R>(tx: Tx<RandomCollections>, use: (random: SeededRandom) => R, newSeed?: () => string): R {
  const stream = newSeed === undefined ? 'records' : 'unique';
  const place = tx.get('streams', stream) ?? (newSeed && { seed: newSeed(), drawn: 0 });
  if (place === undefined) throw new Error('the store has no random stream');
  const random = byPlace.get(place) ?? new SeededRandom(place);
  byPlace.delete(place);
  const drawn = use(random);
  byPlace.set(random.place(), random);
  tx.put('streams', stream, random.place());
  return drawn;
}

/** Draws codes that another party stores. Whether they must be unique across runs depends on that party. */
export type DrawKept = <R>(tx: Tx<RandomCollections>, use: (random: SeededRandom) => R) => R;

/** Open streams, keyed by their stored position record, so that consecutive draws need not recreate the cipher. */
const byPlace = new WeakMap<StreamPlace, SeededRandom>();

/**
 * The seeded source of all randomness: a cryptographic stream (AES-256-CTR) whose key derives from the seed. The same
 * seed yields the same codes, ids and secrets. Without the seed, the next value cannot be predicted.
 */
export class SeededRandom {
  #cipher;
  #place: StreamPlace;
  /** Values of the stream that have been computed but not yet drawn. */
  #ahead: Buffer = none;
  #handedOut = false;

  /**
   * @param start the position to resume from, or any text as seed; a seed must include everything that distinguishes
   *   the stream
   */
  constructor(start: StreamPlace | string) {
    this.#place = typeof start === 'string' ? { seed: start, drawn: 0 } : start;
    this.#cipher = stream(this.#place);
  }

  /** Returns the current position of the stream. */
  place(): StreamPlace {
    return this.#place;
  }

  /** Resumes from a position in a stream with this seed or another one. */
  resume(place: StreamPlace): void {
    this.#place = place;
    this.#cipher = stream(place);
    this.#ahead = none;
  }

  bytes(length: number): Buffer {
    const { seed, drawn } = this.#place;
    this.#place = { seed, drawn: drawn + length };
    if (this.#ahead.length < length) this.#workAhead(length);
    const next = this.#ahead.subarray(0, length);
    this.#ahead = this.#ahead.subarray(length);
    return next;
  }

  /** Computes the requested bytes. After the first request it computes a larger block, which costs little more. */
  #workAhead(length: number): void {
    const more = Math.max(length - this.#ahead.length, this.#handedOut ? aheadBytes : 0);
    this.#ahead = Buffer.concat([this.#ahead, this.#cipher.update(Buffer.alloc(more))]);
    this.#handedOut = true;
  }

  hex(length: number): string {
    return this.bytes(length).toString('hex');
  }

  /** Returns a uniformly distributed integer from 0 up to, but not including, `below` (rejection sampling). */
  integer(below: number): number {
    const limit = Math.floor(2 ** 32 / below) * below;
    for (;;) {
      const drawn = this.bytes(4).readUInt32BE();
      if (drawn < limit) return drawn % below;
    }
  }

  /** Returns a code of `length` characters from an alphabet without look-alikes. */
  code(length: number): string {
    const alphabet = '23456789ABCDEFGHJKLMNPQRSTUVWXYZ';
    let code = '';
    while (code.length < length) code += alphabet.charAt(this.integer(alphabet.length));
    return code;
  }

  digits(length: number): string {
    let digits = '';
    while (digits.length < length) digits += this.integer(10);
    return digits;
  }
}

const blockBytes = 16;
const aheadBytes = 1024;
const none = Buffer.alloc(0);

function stream({ seed, drawn }: StreamPlace) {
  const key = createHash('sha256').update(seed).digest();
  const counter = Buffer.alloc(blockBytes);
  counter.writeBigUInt64BE(BigInt(Math.floor(drawn / blockBytes)), blockBytes / 2);
  const cipher = createCipheriv('aes-256-ctr', key, counter);
  cipher.update(Buffer.alloc(drawn % blockBytes));
  return cipher;
}
