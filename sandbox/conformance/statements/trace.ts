import { isKey } from '../../apis/registry.ts';
import { getOrCreate } from '../../runtime/caches.ts';
import type { TraceEvent } from './trace-event.ts';

export interface TraceNature {
  /**
   * Whether the recording contains every call about its customers, from the first to the last. Only then is the absence of a call
   * meaningful.
   */
  readonly complete: boolean;
  /** Whether one clock measured all spans, so that calls to different servers can be ordered. */
  readonly oneClock: boolean;
  /** Whether there were calls outside the interface. Some of them may belong to an operation whose address is an open point. */
  readonly hasOutside?: boolean;
}

type Groups<T> = ReadonlyMap<string, readonly T[]>;

/** Maximum number of exchanges with the same value that are compared, because the rules compare each pair. */
const mostAlike = 300;

/** A recording for trace rules, with exchanges in recorded order. */
export class Trace implements TraceNature {
  readonly events: readonly TraceEvent[];
  readonly complete: boolean;
  readonly oneClock: boolean;
  readonly #groups = new Map<string, ReadonlyMap<string, readonly unknown[]>>();

  constructor(events: readonly TraceEvent[], nature: TraceNature) {
    this.events = events;
    this.complete = nature.complete;
    this.oneClock = nature.oneClock;
  }

  /** Returns the exchanges of these operations, in recorded order. */
  of(...operations: readonly string[]): readonly TraceEvent[] {
    const byOperation = this.group('operation', (event) => [[event.operation, event]], this.events.length);
    const found = operations.flatMap((operation) => byOperation.get(operation) ?? []);
    return operations.length === 1 ? found : found.sort((one, other) => one.number - other.number);
  }

  /** Groups the exchanges of these operations by a value. Exchanges without the value are omitted. */
  by(name: keyof TraceEvent['facts'] & string, ...operations: readonly string[]): Groups<TraceEvent> {
    return this.group(`${name} ${operations.join(' ')}`, (event) => {
      const value = operations.includes(event.operation) ? event.facts[name] : undefined;
      return typeof value === 'string' ? [[value, event]] : [];
    });
  }

  /** Groups the exchanges of an operation by the customer they are about. */
  byCustomer(operation: string): Groups<TraceEvent> {
    return this.group(`uid ${operation}`, (event) => (event.operation === operation ? [[event.uid, event]] : []));
  }

  /** Returns whether a group may be incomplete because it has reached the maximum size. */
  isCut(group: readonly TraceEvent[]): boolean {
    return group.length >= mostAlike;
  }

  /** The exchanges that returned a token, by the digest of the token. */
  get issuers(): Groups<TraceEvent> {
    return this.group('issuers', (event) => (event.facts.issued ?? []).map((token) => [token, event]));
  }

  /** The order lines in replies, each with its exchange and its index there, by redeem code. */
  get orderLines() {
    return this.group('lines', (event) => {
      const lines = event.succeeded ? (event.facts.lines ?? []) : [];
      return lines.map((line, index) => [line.redeemCode, { line, event, index }] as const);
    });
  }

  /**
   * Returns whether one exchange certainly ended before another began. The clock and the recorded order must agree. For calls to
   * two servers, one clock must have measured both. Two calls at the same instant, as with a frozen clock, have no order.
   */
  isBefore(one: TraceEvent, other: TraceEvent): boolean {
    if (one.span === undefined || other.span === undefined) return false;
    if (one.server !== other.server && !this.oneClock) return false;
    return one.span.end <= other.span.start && one.span.start < other.span.end && one.number < other.number;
  }

  /** Returns whether one exchange certainly happened during another. */
  isWithin(inner: TraceEvent, outer: TraceEvent): boolean {
    if (inner.span === undefined || outer.span === undefined || !this.oneClock) return false;
    const isLonger = outer.span.start < outer.span.end;
    return isLonger && outer.span.start <= inner.span.start && inner.span.end <= outer.span.end;
  }

  /** Groups values from the exchanges by key, up to a maximum size. Values without a key are omitted. `name` identifies the grouping. */
  group<T>(
    name: string,
    entriesOf: (event: TraceEvent) => readonly (readonly [key: string | undefined, value: T])[],
    most = mostAlike,
  ): Groups<T> {
    const cached = this.#groups.get(name);
    if (cached !== undefined) return cached as Groups<T>;
    const groups = new Map<string, T[]>();
    for (const [key, value] of this.events.values().flatMap(entriesOf)) {
      if (key === undefined) continue;
      const group = groups.get(key);
      if (group === undefined) groups.set(key, [value]);
      else if (group.length < most) group.push(value);
    }
    this.#groups.set(name, groups);
    return groups;
  }
}

/** Worlds: the sandboxes, workspaces or client servers in one capture. Each has its own customers, codes and balances. */

/**
 * Returns the exchanges of each world, in recorded order. All addresses form one world unless an operation is called at two of
 * them. In that case, each address is a world. Two addresses are merged if one receives the record of a redemption and the other
 * its status. Two workspaces are never one world.
 */
export function worldsOf(events: readonly TraceEvent[]): readonly (readonly TraceEvent[])[] {
  const firsts = new Map<string, string>();
  const isSeveral = events.some(({ operation, base }) => getOrCreate(firsts, operation, () => base) !== base);
  if (!isSeveral) return [events];
  const recording = events.filter(({ operation }) => operation === 'saveRedeemDetails');
  const records = Map.groupBy(recording, ({ facts }) => facts.redeemCode);
  const worlds = new Map(events.map(({ base }) => [base, base]));
  for (const { operation, base, facts } of events) {
    if (operation !== 'updateRedeemStatus') continue;
    const all = records.get(facts.redeemCode)?.map((record) => record.base) ?? [];
    const bases = all.filter((other) => !areTwoWorkspaces(base, other));
    const [one = base, other = base] = [worlds.get(base), worlds.get(bases[0] ?? base)];
    if (bases.includes(base) || one === other) continue;
    for (const [name, world] of worlds) if (world === other) worlds.set(name, one);
  }
  return [...Map.groupBy(events, ({ base }) => worlds.get(base)).values()];
}

/** Returns whether two addresses belong to two different workspaces. The address of a workspace ends with its key. */
function areTwoWorkspaces(one: string, other: string): boolean {
  return one !== other && [one, other].every((base) => isKey(base.slice(base.lastIndexOf('/') + 1)));
}
