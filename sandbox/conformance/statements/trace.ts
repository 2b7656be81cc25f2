import type { OrderLine, TraceEvent } from './trace-event.ts';

export interface TraceNature {
  /**
   * Whether the recording holds every call about its customers, from before the first to after the last. Only then does
   * the absence of a call say anything.
   */
  readonly complete: boolean;
  /** Whether all spans were measured by one clock, so that calls to different servers can be put in order. */
  readonly oneClock: boolean;
  /** Whether there were calls that the interface does not name: some may be of an operation whose address is open. */
  readonly hasOutside?: boolean;
}

/** An order line where a reply shows it, and its place there. */
export interface ListedLine {
  readonly line: OrderLine;
  readonly event: TraceEvent;
  readonly index: number;
}

type OrderLines = ReadonlyMap<string, readonly ListedLine[]>;

/** Most exchanges with one value to compare: comparing each pair stays affordable. */
const mostAlike = 300;

/** A recording as trace rules read it, in the order in which it was written down. */
export class Trace implements TraceNature {
  readonly events: readonly TraceEvent[];
  readonly complete: boolean;
  readonly oneClock: boolean;
  readonly #groups = new Map<string, ReadonlyMap<string, readonly TraceEvent[]>>();
  #lines: OrderLines | undefined;

  constructor(events: readonly TraceEvent[], nature: TraceNature) {
    this.events = events;
    this.complete = nature.complete;
    this.oneClock = nature.oneClock;
  }

  /** The exchanges of these operations. */
  of(...operations: readonly string[]): readonly TraceEvent[] {
    const byOperation = this.#by('operation', ({ operation }) => operation, this.events.length);
    const found = operations.flatMap((operation) => byOperation.get(operation) ?? []);
    return operations.length === 1 ? found : found.sort((one, other) => one.number - other.number);
  }

  /** The exchanges of these operations by a value; those without it are left out. */
  by(name: keyof TraceEvent['facts'] & string, ...operations: readonly string[]): ReadonlyMap<string, TraceEvent[]> {
    const key = `${name} ${operations.join(' ')}`;
    return this.#by(key, (event) => {
      const value = operations.includes(event.operation) ? event.facts[name] : undefined;
      return typeof value === 'string' ? value : undefined;
    }) as ReadonlyMap<string, TraceEvent[]>;
  }

  /** The exchanges of an operation by the customer they are about. */
  byCustomer(operation: string): ReadonlyMap<string, readonly TraceEvent[]> {
    return this.#by(`uid ${operation}`, (event) => (event.operation === operation ? event.uid : undefined));
  }

  /** Whether there may be more exchanges with the value of a group than the group holds. */
  isCut(group: readonly TraceEvent[]): boolean {
    return group.length >= mostAlike;
  }

  /** The exchanges that returned a token, by its digest. */
  get issuers(): ReadonlyMap<string, readonly TraceEvent[]> {
    const cached = this.#groups.get('issuers');
    if (cached !== undefined) return cached;
    const issuers = new Map<string, TraceEvent[]>();
    for (const event of this.events) {
      for (const token of event.facts.issued ?? []) {
        const events = issuers.get(token) ?? [];
        if (events.length < mostAlike) events.push(event);
        issuers.set(token, events);
      }
    }
    this.#groups.set('issuers', issuers);
    return issuers;
  }

  /** The order lines in replies, by their code, with the exchange. */
  get orderLines(): OrderLines {
    if (this.#lines !== undefined) return this.#lines;
    const lines = new Map<string, ListedLine[]>();
    for (const event of this.events) {
      for (const [index, line] of (event.succeeded ? (event.facts.lines ?? []) : []).entries()) {
        if (line.redeemCode === undefined) continue;
        const sameCode = lines.get(line.redeemCode) ?? [];
        if (sameCode.length < mostAlike) sameCode.push({ line, event, index });
        lines.set(line.redeemCode, sameCode);
      }
    }
    this.#lines = lines;
    return lines;
  }

  /**
   * Whether one exchange certainly ended before another began. The clock and the order of the recording have to
   * agree on it; for calls to two servers, one clock has to have measured both. Of two calls at one instant, as a frozen
   * clock has them, neither is before the other.
   */
  isBefore(one: TraceEvent, other: TraceEvent): boolean {
    if (one.span === undefined || other.span === undefined) return false;
    if (one.server !== other.server && !this.oneClock) return false;
    return one.span.end <= other.span.start && one.span.start < other.span.end && one.number < other.number;
  }

  /** Whether one exchange certainly happened during another. */
  isWithin(inner: TraceEvent, outer: TraceEvent): boolean {
    if (inner.span === undefined || outer.span === undefined || !this.oneClock) return false;
    const isLonger = outer.span.start < outer.span.end;
    return isLonger && outer.span.start <= inner.span.start && inner.span.end <= outer.span.end;
  }

  #by(
    key: string,
    of: (event: TraceEvent) => string | undefined,
    most = mostAlike,
  ): ReadonlyMap<string, readonly TraceEvent[]> {
    const cached = this.#groups.get(key);
    if (cached !== undefined) return cached;
    const groups = new Map<string, TraceEvent[]>();
    for (const event of this.events) {
      const value = of(event);
      if (value === undefined) continue;
      const group = groups.get(value);
      if (group === undefined) groups.set(value, [event]);
      else if (group.length < most) group.push(event);
    }
    this.#groups.set(key, groups);
    return groups;
  }
}
