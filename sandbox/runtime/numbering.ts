/**
 * Numbers of the collections: each counter starts at 1 and is part of what a transaction writes, so a number that was refused
 * was never used and one that was written is never used again. Ids and keys are made of them here, so that they look
 * alike.
 */
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

/** The last number that a counter gave; 0 where it gave none yet. */
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
