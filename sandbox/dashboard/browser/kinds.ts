import type { Schemas } from './api.ts';

type Finding = Schemas['Finding'];

/** Findings, which come oldest first, grouped by kind, the newest first. */
export function kindsOf(items: readonly Finding[]): { finding: Finding; count: number }[] {
  const kinds = new Map<string, { finding: Finding; count: number }>();
  for (const finding of items.toReversed()) {
    const key = `${finding.operation ?? finding.method + finding.url} ${finding.code} ${finding.pointer}`;
    const kind = kinds.get(key);
    if (kind === undefined) kinds.set(key, { finding, count: 1 });
    else kind.count += 1;
  }
  return [...kinds.values()];
}
