import { Entries } from './entries.ts';
import type { HashSeed } from './row-hash.ts';

/**
 * Where the rows of a segment are. Everything that grows with them is in typed arrays: off the heap, and read from the
 * disk as they are.
 */
export interface PartIndex {
  readonly name: string;
  readonly rows: number;
  /** The ordinal of the last row. */
  readonly last: number;
  /** Of each block: where it starts in the file, how long it is, and the number of its first row. */
  readonly starts: Float64Array;
  readonly lengths: Uint32Array;
  readonly firsts: Uint32Array;
  /** What its hashes depend on; undefined in the first form. */
  readonly seed: HashSeed | undefined;
  readonly ids: Entries;
  readonly indexes: ReadonlyMap<string, Entries>;
  /** By the name of each order; see `SortOrder`. */
  readonly orders: ReadonlyMap<string, PartOrder>;
  /** Whether ends were asked for when it was written. */
  readonly hasEnds: boolean;
  /** The rows that have an end, what ends first before the others. */
  readonly ended: Uint32Array;
}

/** The rows that are in an order, by that order, and the key of each one in `edgeEach`. */
export interface PartOrder {
  readonly rows: Uint32Array;
  readonly edges: readonly string[];
}

/** Most rows of a segment: the arrays of one are made without holding up the event loop. */
export const mostRows = 2 ** 16;
/** How many rows of an order have their key in memory: one in so many. */
export const edgeEach = 64;

/** What is said of a part in JSON: everything but its arrays, of which it has the lengths. */
interface Shape {
  readonly name: string;
  readonly rows: number;
  readonly last: number;
  readonly seed?: HashSeed;
  readonly blocks: number;
  readonly indexes: readonly (readonly [name: string, entries: number])[];
  readonly orders: readonly (readonly [name: string, rows: number, edges: readonly string[]])[];
  readonly hasEnds: boolean;
  readonly ended: number;
}

/** What an earlier version said: one order at the most, without a name. */
interface EarlierShape {
  readonly orders?: undefined;
  readonly order: number | null;
  readonly edges: readonly string[];
}

const DOUBLE = 8;

/** The directory of a segment: shapes in JSON, then all arrays of doubles, then all of integers. */
export function encodeIndex(parts: readonly PartIndex[]): Buffer {
  const shapes = parts.map(({ name, rows, last, seed, starts, indexes, orders, hasEnds, ended }): Shape => {
    const lengths = [...indexes].map(([index, entries]) => [index, entries.values.length] as const);
    const inOrder = [...orders].map(([order, kept]) => [order, kept.rows.length, kept.edges] as const);
    return {
      ...{ name, rows, last, ...(seed && { seed }), blocks: starts.length, indexes: lengths },
      ...{ orders: inOrder, hasEnds, ended: ended.length },
    };
  });
  const text = Buffer.from(JSON.stringify(shapes));
  const size = Buffer.alloc(DOUBLE);
  size.writeUInt32LE(text.length);
  const doubles = parts.flatMap(({ starts, ids, indexes }) => [
    starts,
    ...[ids, ...indexes.values()].map(({ values }) => values),
  ]);
  const integers = parts.flatMap(({ lengths, firsts, orders, ended }) => [
    ...[lengths, firsts],
    ...[...orders.values()].map(({ rows }) => rows),
    ended,
  ]);
  const padding = Buffer.alloc(padded(text.length) - text.length);
  return Buffer.concat([size, text, padding, ...[...doubles, ...integers].map(bytesOf)]);
}

/** What `encodeIndex` was given. Throws where the bytes end early. */
export function decodeIndex(bytes: Uint8Array): PartIndex[] {
  // A copy of its own: arrays begin at a multiple of eight, and no pool is held for them.
  const own = new Uint8Array(bytes);
  const length = new DataView(own.buffer).getUint32(0, true);
  const shapes = JSON.parse(Buffer.from(own.buffer, DOUBLE, length).toString()) as Shape[];
  let at = DOUBLE + padded(length);
  const take = (size: number): number => {
    at += size;
    return at - size;
  };
  const doubles = (count: number) => new Float64Array(own.buffer, take(count * DOUBLE), count);
  const integers = (count: number) => new Uint32Array(own.buffer, take(count * 4), count);
  const begun = shapes.map(({ name, rows, last, seed, blocks, indexes, hasEnds }) => ({
    ...{ name, rows, last, seed, hasEnds, starts: doubles(blocks), ids: new Entries(doubles(rows), seed) },
    indexes: new Map(indexes.map(([index, entries]) => [index, new Entries(doubles(entries), seed)] as const)),
  }));
  return begun.map((part, number) => {
    const shape = shapes[number] as Shape;
    const { blocks, ended } = shape;
    return {
      ...{ ...part, lengths: integers(blocks), firsts: integers(blocks) },
      orders: new Map(ordersIn(shape).map(([name, rows, edges]) => [name, { rows: integers(rows), edges }] as const)),
      ended: integers(ended),
    };
  });
}

function ordersIn(shape: Shape | EarlierShape): Shape['orders'] {
  if (shape.orders !== undefined) return shape.orders;
  return shape.order === null ? [] : [['', shape.order, shape.edges]];
}

function padded(length: number): number {
  return Math.ceil(length / DOUBLE) * DOUBLE;
}

function bytesOf(array: Float64Array | Uint32Array | readonly never[]): Uint8Array {
  return ArrayBuffer.isView(array)
    ? new Uint8Array(array.buffer, array.byteOffset, array.byteLength)
    : new Uint8Array(0);
}
