import type { Rating } from './change.ts';

/** How a contract's version stands to its changes since the last release. */
export type Verdict =
  | { readonly matches: true; readonly note?: string }
  | { readonly matches: false; readonly wanted: string; readonly reason: string };

/**
 * The lowest version that a rating asks for (OP-58): breaking raises the first number, additive the second,
 * documentation the third; below 1.0.0 breaking raises the second and everything else the third. Throws for what is no
 * version.
 */
export function wantedVersion(before: string, rating: Rating): string {
  const [major, minor, patch] = numbers(before);
  const raised = { breaking: 0, additive: 1, documentation: 2 }[rating] + (major === 0 ? 1 : 0);
  if (raised === 0) return `${major + 1}.0.0`;
  return raised === 1 ? `${major}.${minor + 1}.0` : `${major}.${minor}.${patch + 1}`;
}

/** Checks the version of a contract by the gravest rating of its changes. Throws for what is no version. */
export function judge(before: string, now: string, rating: Rating | undefined): Verdict {
  const wanted = rating === undefined ? before : wantedVersion(before, rating);
  if (order(now, wanted) < 0) {
    const reason = rating === undefined ? 'it went back' : `the changes are ${rating}`;
    return { matches: false, wanted, reason };
  }
  if (order(now, wanted) === 0) return { matches: true };
  const note = rating === undefined ? 'raised without a change' : `raised further than to ${wanted}, which is enough`;
  return { matches: true, note };
}

/** Which of two versions comes first. Throws for what is no version. */
export function order(one: string, other: string): number {
  const [left, right] = [numbers(one), numbers(other)];
  return left[0] - right[0] || left[1] - right[1] || left[2] - right[2];
}

function numbers(version: string): [number, number, number] {
  const [, major, minor, patch] = /^(\d+)\.(\d+)\.(\d+)$/.exec(version) ?? [];
  if (patch === undefined) throw new Error(`"${version}" is no version: write three numbers, such as 1.2.0.`);
  return [Number(major), Number(minor), Number(patch)];
}
