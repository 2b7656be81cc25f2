import type { Schemas } from './api.ts';

type Finding = Schemas['Finding'];

/** The first of all items that have the same key, and how many they are. */
export function alike<T>(items: readonly T[], keyOf: (item: T) => string): { first: T; count: number }[] {
  const groups = [...Map.groupBy(items, keyOf).values()];
  return groups.flatMap(([first, ...more]) => (first === undefined ? [] : [{ first, count: 1 + more.length }]));
}

/** Findings, which come oldest first, grouped by kind, the newest first. */
export function kindsOf(items: readonly Finding[]): { finding: Finding; count: number }[] {
  const keyOf = ({ operation, method, url, code, pointer }: Finding) =>
    `${operation ?? method + url} ${code} ${pointer}`;
  return alike(items.toReversed(), keyOf).map(({ first, count }) => ({ finding: first, count }));
}
