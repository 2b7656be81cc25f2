import type { Finding } from './finding.ts';

/** Most distinct findings that are stored; further ones are only counted. */
const mostFindings = 1000;

/** By weight. */
const severities: readonly Finding['severity'][] = ['error', 'warning', 'notice'];

/** Distinct findings with how often each was seen. When full, it drops the least severe. */
export class DistinctFindings {
  readonly #findings: Map<string, Finding>;
  /** How many were seen and not stored. */
  dropped: number;

  constructor(findings: Iterable<readonly [string, Finding]> = [], dropped = 0) {
    this.#findings = new Map(findings);
    this.dropped = dropped;
  }

  /** Counts a finding. Returns whether it is stored as the first of its kind. */
  add(found: Finding): boolean {
    const key = keyOf(found);
    const existing = this.#findings.get(key);
    if (existing !== undefined) {
      existing.times += found.times;
      return false;
    }
    if (this.#findings.size >= mostFindings && !this.#makeRoom(found)) {
      this.dropped += found.times;
      return false;
    }
    this.#findings.set(key, { ...found });
    return true;
  }

  copy(): DistinctFindings {
    return new DistinctFindings(
      [...this.#findings].map(([key, found]) => [key, { ...found }] as const),
      this.dropped,
    );
  }

  get findings(): Finding[] {
    return [...this.#findings.values()];
  }

  /** Drops the latest of the lightest findings for one that weighs more. Says whether there was one. */
  #makeRoom({ severity }: Finding): boolean {
    for (const lighter of severities.slice(severities.indexOf(severity) + 1).toReversed()) {
      const [key, dropped] = [...this.#findings].findLast(([, finding]) => finding.severity === lighter) ?? [];
      if (key === undefined || dropped === undefined) continue;
      this.#findings.delete(key);
      this.dropped += dropped.times;
      return true;
    }
    return false;
  }
}

/** What two findings have in common that are counted as one. */
function keyOf(found: Finding): string {
  const { code, api, operation, direction, status, expected, basis, source } = found;
  // The same in each item of a list is one finding.
  const pointer = found.pointer.replaceAll(/\/\d+(?=\/|$)/g, '/*');
  const method = operation === null ? `${found.method} ${found.actual}` : '';
  const of = direction === 'reply' ? status : 0;
  return JSON.stringify([code, api, operation, method, of, pointer, expected, basis, source]);
}
