import type { Schemas } from './api.ts';

type Finding = Schemas['Finding'];

/** Groups items by key. Returns the first item of each group and the group's size. */
export function alike<T>(items: readonly T[], keyOf: (item: T) => string): { first: T; count: number }[] {
  const groups = [...Map.groupBy(items, keyOf).values()];
  return groups.flatMap(([first, ...more]) => (first === undefined ? [] : [{ first, count: 1 + more.length }]));
}

/** Groups findings by kind, newest first. `items` must be sorted oldest first. */
export function kindsOf(items: readonly Finding[]): { finding: Finding; count: number }[] {
  const keyOf = ({ operation, method, url, code, pointer }: Finding) =>
    `${operation ?? method + url} ${code} ${pointer}`;
  return alike(items.toReversed(), keyOf).map(({ first, count }) => ({ finding: first, count }));
}
