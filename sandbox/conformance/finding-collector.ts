import type { components } from '../../generated/proxy/types.ts';
import { type Answers, weighed } from './answers.ts';
import type { Checker, Verdict } from './checker.ts';
import { Tally, UnmatchedCalls } from './coverage.ts';
import type { Exchange } from './exchange.ts';
import type { Finding } from './finding.ts';
import { type Judged, StatementCollector } from './statements/statement-collector.ts';
import type { TraceNature } from './statements/trace.ts';

/** Findings in an exchange that only Prism reports, and those that only the validator reports. */
export interface Opinion {
  readonly prismOnly: readonly Finding[];
  readonly validatorOnly: readonly Finding[];
}

/** The report, as defined in `openapi/proxy.yaml`. */
export type Report = components['schemas']['Report'];

/** Collects findings. Its size is bounded regardless of traffic, because repeated findings are only counted. */
export class FindingCollector {
  readonly #source: Report['source'];
  readonly #version: string;
  readonly #tally: Tally;
  readonly #unmatched: UnmatchedCalls;
  readonly #statements: StatementCollector;
  readonly #answers: Answers;
  readonly #findings = new DistinctFindings();
  readonly #exchanges = { checked: 0, outside: 0, unreadable: 0 };
  readonly #incomplete = { messages: 0, bodies: 0, headers: 0, credentials: 0, replies: 0 };
  #second: { exchanges: number; prism_only: number; validator_only: number } | null = null;
  /** Called on each change. */
  onChange = () => {};

  /**
   * `apis` lists the contracts to include in the coverage. `nature` describes what the recording is certain to contain.
   */
  constructor(
    checker: Checker,
    source: Report['source'],
    version: string,
    apis?: readonly string[],
    nature: TraceNature = { complete: false, oneClock: source === 'proxy' },
  ) {
    this.#answers = checker.answers;
    this.#source = source;
    this.#version = version;
    this.#tally = new Tally(checker.contracts, apis);
    this.#unmatched = new UnmatchedCalls(checker.contracts);
    this.#statements = new StatementCollector(nature, (id) => checker.operations.get(id)?.operation);
  }

  /** Adds a checked exchange, with Prism's opinion, if any. Returns the findings that are the first of their kind. */
  add(exchange: Pick<Exchange, 'reply'>, verdict: Verdict, second?: Opinion): readonly Finding[] {
    const { parsed, satisfied = [], isOutside = false } = verdict;
    // Findings from a log still have the severity from when they were logged.
    const findings = verdict.findings.map((found) => weighed(found, this.#answers));
    this.#exchanges[isOutside ? 'outside' : 'checked'] += 1;
    this.#tally.add(exchange, verdict);
    if (second !== undefined)
      this.#addOpinions({
        exchanges: 1,
        prism_only: second.prismOnly.length > 0 ? 1 : 0,
        validator_only: second.validatorOnly.length > 0 ? 1 : 0,
      });
    if (parsed !== undefined) this.#statements.add(parsed, findings, satisfied);
    else if (isOutside) this.#statements.addOutside();
    else this.#statements.addUnknown();
    const first = [...findings, ...(second?.prismOnly ?? [])].filter((found) => this.#findings.add(found));
    this.onChange();
    return first;
  }

  #addOpinions({ exchanges, prism_only, validator_only }: NonNullable<Report['second_opinion']>): void {
    this.#second ??= { exchanges: 0, prism_only: 0, validator_only: 0 };
    this.#second.exchanges += exchanges;
    this.#second.prism_only += prism_only;
    this.#second.validator_only += validator_only;
  }

  /** Adds the contents of another report. */
  takeOver(report: Report): void {
    const { exchanges, unmatched, incomplete, findings, totals, coverage, second_opinion } = report;
    if (second_opinion !== null) this.#addOpinions(second_opinion);
    this.#statements.takeOver(report);
    this.#unmatched.takeOver(unmatched);
    for (const why of ['checked', 'outside', 'unreadable'] as const) this.#exchanges[why] += exchanges[why];
    this.addCaptureGaps(incomplete);
    for (const found of findings) this.#findings.add(found);
    this.#findings.dropped += totals.not_kept;
    this.#tally.takeOver(coverage);
    this.onChange();
  }

  /** Counts an exchange that no contract covers, or a captured one that cannot be read. */
  skip(why: 'outside' | 'unreadable'): void {
    this.#exchanges[why] += 1;
    if (why === 'outside') this.#statements.addOutside();
    this.onChange();
  }

  /** Counts a captured call to an address that no contract covers. */
  skipCall(method: string, url: URL): void {
    this.#unmatched.add(method, url);
    this.skip('outside');
  }

  /** Records the capture gaps of checked messages. */
  addCaptureGaps(gaps: Report['incomplete']): void {
    for (const what of Object.keys(this.#incomplete) as (keyof Report['incomplete'])[])
      this.#incomplete[what] += gaps[what];
    this.onChange();
  }

  /** Records that the capture is an export of a test tool, which contains only the calls of that tool. */
  addExportOf(tool: string): void {
    this.#statements.addExportOf(tool);
  }

  /** The reason that the recording cannot be checked as complete, or `undefined` if it can. */
  get orderGap(): string | undefined {
    return this.#statements.orderGap;
  }

  /** The current report. */
  get report(): Report {
    return this.#reportWith(this.#statements.judge());
  }

  /** The report for callers that poll. Findings about the whole recording may be slightly out of date. */
  get roughReport(): Report {
    return this.#reportWith(this.#statements.judge(true));
  }

  #reportWith(judged: Judged): Report {
    // Findings about the whole recording are computed on each request and not stored.
    const all = this.#findings.copy();
    for (const found of judged.findings) all.add(weighed(found, this.#answers));
    const { findings, dropped } = all;
    const of = (severity: Finding['severity']) => findings.filter((found) => found.severity === severity).length;
    return {
      schema_version: 1,
      tool: { name: 'rewards-sandbox', version: this.#version },
      source: this.#source,
      exchanges: { ...this.#exchanges },
      unmatched: this.#unmatched.list,
      incomplete: { ...this.#incomplete },
      second_opinion: this.#second && { ...this.#second },
      totals: { errors: of('error'), warnings: of('warning'), notices: of('notice'), not_kept: dropped },
      findings,
      coverage: this.#tally.coverage,
      statements: [...judged.coverage],
      open_points: [...judged.openPoints],
    };
  }
}

/** Maximum number of distinct findings stored. Further ones are only counted. */
const mostFindings = 1000;

/** Severities, heaviest first. */
const severities: readonly Finding['severity'][] = ['error', 'warning', 'notice'];

/** Distinct findings, each with its number of occurrences. A full collection drops its least severe finding for a more severe one. */
class DistinctFindings {
  readonly #findings = new Map<string, Finding>();
  /** Number of occurrences that were not stored. */
  dropped = 0;

  /** Counts a finding. Returns whether it was stored as the first of its kind. */
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
    const copy = new DistinctFindings();
    for (const [key, found] of this.#findings) copy.#findings.set(key, { ...found });
    copy.dropped = this.dropped;
    return copy;
  }

  get findings(): Finding[] {
    return [...this.#findings.values()];
  }

  /** Drops the latest of the least severe findings to make room for a more severe one. Returns whether it dropped one. */
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

/** Returns the key that findings share if they are counted as one. */
function keyOf(found: Finding): string {
  const { code, api, operation, direction, status, expected, basis, source } = found;
  // The same finding in several items of a list counts as one.
  const pointer = found.pointer.replaceAll(/\/\d+(?=\/|$)/g, '/*');
  // Only the first segment distinguishes paths outside the interface, because the rest may be an id.
  const path = found.severity === 'notice' ? found.actual.split('/')[1] : found.actual;
  const method = operation === null ? `${found.method} ${path}` : '';
  const of = direction === 'reply' ? status : 0;
  return JSON.stringify([code, api, operation, method, of, pointer, expected, basis, source]);
}
