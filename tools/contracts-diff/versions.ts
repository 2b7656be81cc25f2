import type { Rating } from './change.ts';

/** Whether a contract's version matches its changes since the last release. */
export type Verdict =
  | { readonly matches: true; readonly note?: string }
  | { readonly matches: false; readonly wanted: string; readonly reason: string };

/**
 * Returns the lowest version that a rating requires (OP-58). From 1.0.0, breaking changes raise the major version,
 * additive changes the minor version, and documentation changes the patch version. Below 1.0.0, breaking changes raise
 * the minor version, and all others the patch version. Throws if `before` is not a version.
 */
export function wantedVersion(before: string, rating: Rating): string {
  const [major, minor, patch] = numbers(before);
  const raised = { breaking: 0, additive: 1, documentation: 2 }[rating] + (major === 0 ? 1 : 0);
  if (raised === 0) return `${major + 1}.0.0`;
  return raised === 1 ? `${major}.${minor + 1}.0` : `${major}.${minor}.${patch + 1}`;
}

/** Checks a contract's version against the most severe rating of its changes. Throws if an argument is not a version. */
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

/** Compares two versions for sorting. Throws if an argument is not a version. */
export function order(one: string, other: string): number {
  const [left, right] = [numbers(one), numbers(other)];
  return left[0] - right[0] || left[1] - right[1] || left[2] - right[2];
}

function numbers(version: string): [number, number, number] {
  const [, major, minor, patch] = /^(\d+)\.(\d+)\.(\d+)$/.exec(version) ?? [];
  if (patch === undefined) throw new Error(`"${version}" is no version: write three numbers, such as 1.2.0.`);
  return [Number(major), Number(minor), Number(patch)];
}
