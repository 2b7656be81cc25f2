import type { components } from '../../generated/proxy/types.ts';
import type { Checker, Verdict } from './checker.ts';
import { Tally } from './coverage.ts';
import type { Exchange } from './exchange.ts';
import type { Finding } from './finding.ts';
import type { Opinion } from './second-opinion.ts';
import { UnmatchedCalls } from './unmatched.ts';

/** The report, as `openapi/proxy.yaml` has it. */
export type Report = components['schemas']['Report'];

/** Most distinct findings that are kept; further ones are counted. */
const mostFindings = 1000;

/** By weight. */
const severities: readonly Finding['severity'][] = ['error', 'warning', 'notice'];

/** What was found so far. Its size is bounded, however much traffic there is: a finding seen again is counted. */
export class FindingBook {
  readonly #source: Report['source'];
  readonly #version: string;
  readonly #tally: Tally;
  readonly #unmatched: UnmatchedCalls;
  readonly #findings = new Map<string, Finding>();
  readonly #exchanges = { checked: 0, outside: 0, unreadable: 0 };
  readonly #incomplete = { messages: 0, bodies: 0, headers: 0, credentials: 0, replies: 0 };
  #second: { exchanges: number; prism_only: number; validator_only: number } | null = null;
  #notKept = 0;
  /** Is told of each change. */
  onChange = () => {};

  /** `apis` names the contracts whose coverage counts. */
  constructor(checker: Checker, source: Report['source'], version: string, apis?: readonly string[]) {
    this.#source = source;
    this.#version = version;
    this.#tally = new Tally(checker.contracts, apis);
    this.#unmatched = new UnmatchedCalls(checker.contracts);
  }

  /** Notes a checked exchange, and what Prism said of it. Says which of its findings are kept, and the first of their kind. */
  add(exchange: Pick<Exchange, 'reply'>, verdict: Verdict, second?: Opinion): readonly Finding[] {
    this.#exchanges.checked += 1;
    this.#tally.add(exchange, verdict);
    if (second !== undefined)
      this.#addOpinions({
        exchanges: 1,
        prism_only: second.prismOnly.length > 0 ? 1 : 0,
        validator_only: second.validatorOnly.length > 0 ? 1 : 0,
      });
    const first = [...verdict.findings, ...(second?.prismOnly ?? [])].filter((found) => this.#keep(found));
    this.onChange();
    return first;
  }

  #addOpinions({ exchanges, prism_only, validator_only }: NonNullable<Report['second_opinion']>): void {
    this.#second ??= { exchanges: 0, prism_only: 0, validator_only: 0 };
    this.#second.exchanges += exchanges;
    this.#second.prism_only += prism_only;
    this.#second.validator_only += validator_only;
  }

  /** Adds what another book had found, of which the first kinds are kept. */
  takeOver({ exchanges, unmatched, incomplete, findings, totals, coverage, second_opinion }: Report): void {
    if (second_opinion !== null) this.#addOpinions(second_opinion);
    this.#unmatched.takeOver(unmatched);
    for (const why of ['checked', 'outside', 'unreadable'] as const) this.#exchanges[why] += exchanges[why];
    this.lack(incomplete);
    for (const found of findings) this.#keep(found);
    this.#notKept += totals.not_kept;
    this.#tally.takeOver(coverage);
    this.onChange();
  }

  /** Notes an exchange that is under no contract's address, or a captured one that cannot be read. */
  skip(why: 'outside' | 'unreadable'): void {
    this.#exchanges[why] += 1;
    this.onChange();
  }

  /** Notes a captured call to an address that is under no contract. */
  skipCall(method: string, url: URL): void {
    this.#unmatched.add(method, url);
    this.skip('outside');
  }

  /** Notes what a capture lacks of messages that were checked. */
  lack(lacking: Report['incomplete']): void {
    for (const what of Object.keys(this.#incomplete) as (keyof Report['incomplete'])[])
      this.#incomplete[what] += lacking[what];
    this.onChange();
  }

  /** Notes a finding as often as it was seen. Says whether it is kept, and the first of its kind. */
  #keep(found: Finding): boolean {
    const key = keyOf(found);
    const known = this.#findings.get(key);
    if (known !== undefined) {
      known.times += found.times;
      return false;
    }
    if (this.#findings.size >= mostFindings && !this.#makeRoom(found)) {
      this.#notKept += found.times;
      return false;
    }
    this.#findings.set(key, { ...found });
    return true;
  }

  /** Drops the latest of the lightest findings for one that weighs more. Says whether there was one. */
  #makeRoom({ severity }: Finding): boolean {
    for (const lighter of severities.slice(severities.indexOf(severity) + 1).toReversed()) {
      const [key, dropped] = [...this.#findings].findLast(([, known]) => known.severity === lighter) ?? [];
      if (key === undefined || dropped === undefined) continue;
      this.#findings.delete(key);
      this.#notKept += dropped.times;
      return true;
    }
    return false;
  }

  /** The report as of now. */
  get report(): Report {
    const findings = [...this.#findings.values()].map((found) => ({ ...found }));
    const of = (severity: Finding['severity']) => findings.filter((found) => found.severity === severity).length;
    return {
      schema_version: 1,
      tool: { name: 'rewards-sandbox', version: this.#version },
      source: this.#source,
      exchanges: { ...this.#exchanges },
      unmatched: this.#unmatched.list,
      incomplete: { ...this.#incomplete },
      second_opinion: this.#second && { ...this.#second },
      totals: { errors: of('error'), warnings: of('warning'), notices: of('notice'), not_kept: this.#notKept },
      findings,
      coverage: this.#tally.coverage,
    };
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
