import { createCipheriv, createHash } from 'node:crypto';
import type { Tx } from '../store/store.ts';

/** Where the counters stand, by name. */
export interface NumberingCollections {
  readonly counters: number;
}

export const numberingSchema = { counters: {} } as const;

/** Numbers about what is bounded by itself, so that they count towards no limit of bytes either. */
export interface TallyCollections extends NumberingCollections {
  readonly tallies: number;
}

export const tallySchema = { ...numberingSchema, tallies: { bounded: true } } as const;

/** The last number that a counter gave; 0 if it gave none yet. */
export function lastNumber(reader: Pick<Tx<NumberingCollections>, 'get'>, counter: string): number {
  return reader.get('counters', counter) ?? 0;
}

/** Takes the next number of a counter, in the transaction of what bears it. */
export function nextNumber(tx: Tx<NumberingCollections>, counter: string): number {
  const number = lastNumber(tx, counter) + 1;
  tx.put('counters', counter, number);
  return number;
}

/** The count of a tally; 0 if it has counted nothing yet. */
export function lastTally(reader: Pick<Tx<TallyCollections>, 'get'>, tally: string): number {
  return reader.get('tallies', tally) ?? 0;
}

/** An id that people read: a prefix and a number of at least six digits, such as `ORD-000001`. */
export function numberedId(prefix: string, number: number): string {
  return `${prefix}-${digits(number, 6)}`;
}

/** The number in an id that `numbered` made, as a key. */
export function numberIn(id: string): string {
  return orderedKey(Number(/\d+/.exec(id)?.[0] ?? 0));
}

/** The key of a record that has a number: keys are in the order of the numbers. */
export function orderedKey(number: number): string {
  return String(number).padStart(12, '0');
}

/** A number with zeros in front, as many digits as wanted at least. */
export function digits(number: number, wanted: number): string {
  return String(number).padStart(wanted, '0');
}

/** A place in a stream of random bytes: its seed, and how many were drawn. */
export interface StreamPlace {
  readonly seed: string;
  readonly drawn: number;
}

/**
 * The positions of the streams from which the names in the collections are drawn: `records` follows from the seed, `unique`
 * from a seed of its own that no other run has (OP-245).
 */
export interface RandomCollections {
  readonly streams: StreamPlace;
}

export const randomSchema = { streams: {} } as const;

/** Starts the stream of the collections at a position. The next unique code begins a stream of its own. */
export function placeStream(tx: Tx<RandomCollections>, place: StreamPlace): void {
  tx.put('streams', 'records', place);
  endUnique(tx);
}

/** Has the next unique code begin a new stream: after a return to earlier data, which knows the position in the old one. */
export function endUnique(tx: Tx<RandomCollections>): void {
  tx.remove('streams', 'unique');
}

/**
 * Draws in a transaction. The place in the stream is part of what the transaction writes: what was refused was never
 * drawn, and what was written is never drawn again (OP-94). Throws if no stream was begun.
 *
 * @param newSeed a random seed, for a code that no other run draws: after a reset or a restored snapshot, or in another
 *   data folder (OP-245)
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

/** Draws codes that another party keeps, by the rule of who that party is. */
export type DrawKept = <R>(tx: Tx<RandomCollections>, use: (random: SeededRandom) => R) => R;

/** Streams by the very record that says where they stand, so that none is started over for each draw. */
const byPlace = new WeakMap<StreamPlace, SeededRandom>();

/**
 * The seeded source of all randomness: a cryptographic stream (AES-256-CTR) keyed by the seed, so that the same seed
 * gives the same codes, ids and secrets, and the next cannot be guessed without the seed.
 */
export class SeededRandom {
  #cipher;
  #place: StreamPlace;
  /** The next values of the stream, computed so far. */
  #ahead: Buffer = none;
  #handedOut = false;

  /**
   * @param start where to continue, or any text as seed; include whatever must make streams differ, such as the number
   * of the start
   */
  constructor(start: StreamPlace | string) {
    this.#place = typeof start === 'string' ? { seed: start, drawn: 0 } : start;
    this.#cipher = stream(this.#place);
  }

  /** How far the stream was drawn. */
  place(): StreamPlace {
    return this.#place;
  }

  /** Continues from a place of a stream, of this seed or another. */
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

  /** Computes the requested bytes; for a source in repeated use a large block, which costs hardly more. */
  #workAhead(length: number): void {
    const more = Math.max(length - this.#ahead.length, this.#handedOut ? aheadBytes : 0);
    this.#ahead = Buffer.concat([this.#ahead, this.#cipher.update(Buffer.alloc(more))]);
    this.#handedOut = true;
  }

  hex(length: number): string {
    return this.bytes(length).toString('hex');
  }

  /** A whole number from 0 up to but not including `below`, each as likely (rejection sampling). */
  integer(below: number): number {
    const limit = Math.floor(2 ** 32 / below) * below;
    for (;;) {
      const drawn = this.bytes(4).readUInt32BE();
      if (drawn < limit) return drawn % below;
    }
  }

  /** `length` characters of an alphabet without look-alikes. */
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
