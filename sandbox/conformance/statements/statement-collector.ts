import type { components } from '../../../generated/proxy/types.ts';
import { maskUrl } from '../../activity-log/masking.ts';
import { idsOf } from '../../contract/basis.ts';
import { getOrCreate, once } from '../../runtime/caches.ts';
import { advice } from '../answers.ts';
import type { OperationOf } from '../contracts.ts';
import { cut, type Finding, traceOf } from '../finding.ts';
import { judgeTrace } from './judge-trace.ts';
import { isSuccess, type ParsedExchange } from './parsed-exchange.ts';
import { exercised, openPlaces, placesOf } from './places.ts';
import { traceEvent } from './read-trace-event.ts';
import { type ExchangeRule, isOpenPoint } from './rule.ts';
import { statements } from './statements.ts';
import type { TraceNature } from './trace.ts';
import { Interned, type TraceEvent } from './trace-event.ts';

type StatementCoverage = components['schemas']['StatementCoverage'];
type OpenPointUse = components['schemas']['OpenPointUse'];
type Call = NonNullable<OpenPointUse['example']>;

/** Maximum number of exchanges listed for a violated statement. */
const mostNamed = 10;
/** Maximum number of findings stored from before a reset. */
const mostEarlier = 1_000;
/** Control API operations after which the sandbox may return the same codes, tokens and balances again. */
const rewinds = new Set(['resetWorkspace', 'restoreSnapshot']);
/** Maximum length of an address in the description of an exchange, in characters. */
const mostUrl = 200;
const places = placesOf(statements);

interface Count {
  kept: number;
  violated: number;
  /** The first exchanges that violated the statement or open point. */
  readonly exchanges: StatementCoverage['exchanges'];
  /** The first exchange that exercised the statement or open point. */
  example: Call | null;
}

/** A function that describes the counted exchange. It is called only for the first one. */
type Example = () => Call | null;

/** Counts by statement and open point: exercises without violation, and violations with the exchanges at fault. */
class Counts {
  readonly #counts: Map<string, Count>;

  constructor(counts: ReadonlyMap<string, Count> = new Map()) {
    this.#counts = new Map([...counts].map(([id, count]) => [id, { ...count, exchanges: [...count.exchanges] }]));
  }

  keep(id: string, times = 1, example?: Example): void {
    const count = this.#of(id);
    count.kept += times;
    count.example ??= example?.() ?? null;
  }

  violate(id: string, calls: StatementCoverage['exchanges'], times = 1, example?: Example): void {
    const count = this.#of(id);
    count.violated += times;
    count.example ??= example?.() ?? null;
    for (const { number, method, url } of calls) {
      const isNamed = count.exchanges.some((named) => named.number === number);
      if (!isNamed && count.exchanges.length < mostNamed) count.exchanges.push({ number, method, url });
    }
  }

  /** Counts a call that may already be counted as violating (`true`) or keeping (`false`) an open point. */
  recount(
    id: string,
    before: boolean | undefined,
    violating: StatementCoverage['exchanges'] | undefined,
    example: Example,
  ): void {
    if (violating === undefined) {
      if (before === undefined) this.keep(id, 1, example);
    } else if (before !== true) {
      this.violate(id, violating, 1, example);
      if (before === false) this.keep(id, -1);
    }
  }

  copy(): Counts {
    return new Counts(this.#counts);
  }

  get coverage(): StatementCoverage[] {
    return statements.map(({ id, notVisible }) => {
      const { kept, violated, exchanges } = this.#counts.get(id) ?? { kept: 0, violated: 0, exchanges: [] };
      const observed = violated > 0 ? 'violated' : kept > 0 ? 'kept' : 'not_observed';
      const state = notVisible !== undefined && observed === 'not_observed' ? 'not_visible' : observed;
      return { id, state, kept, violated, exchanges: [...exchanges] };
    });
  }

  get openPoints(): OpenPointUse[] {
    return [...this.#counts]
      .filter(([id]) => isOpenPoint(id))
      .map(([id, { kept, violated, example }]) => ({ id, kept, violated, example }))
      .sort((one, other) => one.id.localeCompare(other.id, 'en', { numeric: true }));
  }

  #of(id: string): Count {
    return getOrCreate(this.#counts, id, () => ({ kept: 0, violated: 0, exchanges: [], example: null }));
  }
}

/** The verdict on a recording: its findings, all statements, and the open points that it relies on. */
export interface Judged {
  readonly findings: readonly Finding[];
  readonly coverage: readonly StatementCoverage[];
  readonly openPoints: readonly OpenPointUse[];
}

type Report = components['schemas']['Report'];

/** A finding in a single exchange. */
type Found = Pick<Finding, 'code' | 'basis' | 'severity' | 'party'> & Partial<Pick<Finding, 'url'>>;

/** Collects the statements and open points that the exchanges of a recording exercise or violate. Its size is bounded. */
export class StatementCollector {
  readonly #operationOf: OperationOf;
  readonly #mostEvents: number;
  readonly #counts = new Counts();
  readonly #interned = new Interned();
  #events: TraceEvent[] = [];
  #number = 0;
  #nature: TraceNature;
  /** The test tool that made the recording, if any. The recording then contains only that tool's calls. */
  #tool: string | undefined;
  /** Findings of the trace rules from before the sandbox was last reset or restored. */
  #earlier: readonly Finding[] = [];
  #judged: { readonly of: number; readonly judged: Judged } | undefined;

  /** `mostEvents` is the maximum number of exchanges that trace rules examine. At that number, the older half is dropped. */
  constructor(nature: TraceNature, operationOf: OperationOf, mostEvents = 200_000) {
    this.#nature = nature;
    this.#operationOf = operationOf;
    this.#mostEvents = mostEvents;
  }

  /** Records an exchange with its findings and the rules that it satisfies. Successive numbers must increase. */
  add(
    parsed: ParsedExchange,
    findings: readonly Found[],
    satisfied: readonly ExchangeRule[],
    number = this.#number + 1,
  ): void {
    this.#number = number;
    if (rewinds.has(parsed.operation) && isSuccess(parsed)) this.#restart();
    const broken = new Set(findings.flatMap(({ basis, code }) => (advice.has(code) ? [] : idsOf(basis))));
    const call = once(() => callOf(this.#number, parsed, findings[0]?.url));
    for (const id of broken) this.#counts.violate(id, [call()], 1, call);
    const operation = this.#operationOf(parsed.operation);
    const shown = new Set([
      ...exercised(places.get(parsed.operation) ?? [], parsed),
      ...exercised(operation === undefined ? [] : openPlaces(operation), parsed),
      ...satisfied.flatMap(({ basis }) => idsOf(basis)),
    ]);
    for (const id of shown) if (!broken.has(id)) this.#counts.keep(id, 1, call);
    const openPoints = new Map([...shown, ...broken].filter(isOpenPoint).map((id) => [id, broken.has(id)] as const));
    const errors = findings.filter(({ severity }) => severity === 'error');
    const isAtFault = (side: Finding['party']) => errors.some(({ party }) => party === side);
    const faulty = { caller: isAtFault('caller'), host: isAtFault('host') };
    this.#remember(traceEvent(this.#number, parsed, faulty, openPoints, this.#interned));
  }

  /** Records a call outside the interface. It may belong to an operation whose address is an open point. */
  addOutside(): void {
    this.#nature = { ...this.#nature, hasOutside: true };
    this.#judged = undefined;
  }

  /** Records a call that almost matches a contract. It may be any call that seems to be missing. */
  addUnknown(): void {
    this.#nature = { ...this.#nature, complete: false };
    this.#judged = undefined;
  }

  /** Records that the recording is an export of a test tool, without the calls between servers. */
  addExportOf(tool: string): void {
    this.#tool = tool;
    this.addUnknown();
  }

  /** The reason that the recording does not contain all calls with their order, or `undefined` if it does. */
  get orderGap(): string | undefined {
    if (this.#tool !== undefined) return `an export of ${this.#tool} has only those that ${this.#tool} made`;
    const all = this.#events.length;
    const untimed = this.#events.filter(({ span }) => span === undefined).length;
    if (untimed > 0) return `${untimed} of ${all} have no time`;
    const ends = new Set(this.#events.flatMap(({ span }) => [span?.start, span?.end]));
    return all > 1 && ends.size === 1 ? `all ${all} have one time, as a frozen clock gives them` : undefined;
  }

  /** Adds the counts of another collector's report. */
  takeOver({ statements: coverage, open_points }: Pick<Report, 'statements' | 'open_points'>): void {
    for (const { id, kept, violated, exchanges } of coverage) {
      if (kept > 0) this.#counts.keep(id, kept);
      if (violated > 0) this.#counts.violate(id, exchanges, violated);
    }
    for (const { id, kept, violated, example } of open_points) {
      if (kept > 0) this.#counts.keep(id, kept, () => example);
      if (violated > 0) this.#counts.violate(id, [], violated, () => example);
    }
    this.#judged = undefined;
  }

  /** Returns the verdict on the recording so far. With `roughly`, returns a cached verdict until the recording has grown by a tenth. */
  judge(roughly = false): Judged {
    const latest = this.#judged;
    if (latest !== undefined && this.#number <= latest.of * (roughly ? 1.1 : 1)) return latest.judged;
    const counts = this.#counts.copy();
    const findings = [...this.#earlier, ...this.#judgeEvents(counts)];
    const judged = { findings, coverage: counts.coverage, openPoints: counts.openPoints };
    this.#judged = { of: this.#number, judged };
    return judged;
  }

  /** The current findings of the trace rules, each with the number of the exchange at fault. */
  get numbered(): readonly { readonly number: number; readonly finding: Finding }[] {
    return judgeTrace(this.#events, this.#nature, this.#operationOf).flatMap(({ observed, finding }) =>
      finding === undefined ? [] : [{ number: observed.at.number, finding }],
    );
  }

  /** Checks the exchanges since the last reset and adds the results to `counts`. */
  #judgeEvents(counts: Counts): readonly Finding[] {
    const findings: Finding[] = [];
    // An open point counts calls, not rules: each call once, as violated if any rule about it is violated.
    const counted = new Map<TraceEvent, Map<string, boolean>>();
    for (const { rule, observed, finding } of judgeTrace(this.#events, this.#nature, this.#operationOf)) {
      const { number, operation, method, url, status = null, trace } = observed.at;
      const example = () => ({ number, operation, method, url, status, trace });
      const isKept = finding === undefined || advice.has(finding.code);
      const violating = isKept ? undefined : [...(observed.with ?? []), observed.at];
      for (const id of idsOf(rule.basis)) {
        if (!isOpenPoint(id)) {
          counts.recount(id, undefined, violating, example);
          continue;
        }
        const points = getOrCreate(counted, observed.at, () => new Map(observed.at.openPoints));
        counts.recount(id, points.get(id), violating, example);
        points.set(id, points.get(id) === true || violating !== undefined);
      }
      if (finding !== undefined) findings.push(finding);
    }
    return findings;
  }

  /**
   * Checks the recording so far and discards its exchanges. The recording no longer counts as complete. Later calls may refer to
   * earlier ones: to the state of a snapshot, or in another workspace.
   */
  #restart(): void {
    this.#earlier = [...this.#earlier, ...this.#judgeEvents(this.#counts)].slice(0, mostEarlier);
    this.#events = [];
    this.#nature = { ...this.#nature, complete: false };
  }

  #remember(event: TraceEvent | undefined): void {
    if (event === undefined) return;
    this.#events.push(event);
    if (this.#events.length < this.#mostEvents) return;
    this.#events = this.#events.slice(this.#mostEvents / 2);
    // Earlier events are lost.
    this.#nature = { ...this.#nature, complete: false };
  }
}

/** Describes an exchange that exercised or violated a statement. */
function callOf(number: number, { operation, status, exchange }: ParsedExchange, shown?: string): Call {
  const { method, url } = exchange;
  const call = { method: method.slice(0, 20), url: shown ?? cut(maskUrl(url), mostUrl), trace: traceOf(exchange) };
  return { number, operation, ...call, status: status ?? null };
}
