import type { Row } from './row.ts';

/** Several lists, each in an order, as one list in that order. `isBefore` says which of two comes first. */
export function* merged<T>(lists: readonly Iterable<T>[], isBefore: (one: T, other: T) => boolean): Generator<T> {
  const heads = lists.map((list) => list[Symbol.iterator]()).map((rest) => ({ rest, next: rest.next() }));
  for (;;) {
    let first: (typeof heads)[number] | undefined;
    for (const head of heads) {
      if (head.next.done) continue;
      if (first === undefined || isBefore(head.next.value, first.next.value)) first = head;
    }
    if (first === undefined) return;
    yield first.next.value;
    first.next = first.rest.next();
  }
}

/** Rows that are in order each, oldest insertion first. */
export function inOrder(lists: readonly Iterable<Row>[]): Generator<Row> {
  return merged(lists, (one, other) => one.ordinal < other.ordinal);
}
