/** Balances before and after the bookings of a complete recording. */
import { hostTraceRule, type Observation, type TraceRule } from '../rule.ts';
import type { Trace } from '../trace.ts';
import type { TraceEvent } from '../trace-event.ts';
import { type Ledger, ledgers, type Movement, type MovementKind } from './ledger.ts';

type Cause = MovementKind | 'delivery' | 'cover' | 'late';
/** What two balances say. `difference` is how much more the second is than the calls between them explain. */
interface Judged {
  readonly cause: Cause | undefined;
  readonly difference: number;
  readonly inside: readonly Movement[];
  readonly observation: Observation;
}

const judgedOf = new WeakMap<Trace, readonly Judged[]>();

/** What the balances of a recording say. A recording that may lack a booking says nothing. */
function judged(trace: Trace): readonly Judged[] {
  const cached = judgedOf.get(trace);
  if (cached !== undefined) return cached;
  const found = trace.complete
    ? [...ledgers(trace)].flatMap((ledger) => withLate([...judgeLedger(trace, ledger)]))
    : [];
  judgedOf.set(trace, found);
  return found;
}

/**
 * A booking that a later balance shows is late, and not missing: the interface does not say when. Points that were never taken
 * and that a rejection did not give back were given back before it (S9).
 */
function withLate(all: readonly Judged[]): readonly Judged[] {
  const judged = [...all];
  for (const [index, one] of judged.entries()) {
    const late = one.inside.find(({ amount }) => amount !== 0 && amount === -one.difference);
    if (late === undefined) continue;
    const later = judged.find(({ difference }, at) => at > index && difference === -one.difference);
    if (later === undefined) continue;
    judged[index] = { ...one, cause: late.kind === 'rejection' ? 'late' : undefined, difference: 0 };
    judged[judged.indexOf(later)] = { ...later, cause: undefined, difference: 0 };
  }
  return judged;
}

function* judgeLedger(trace: Trace, ledger: Ledger): Generator<Judged> {
  const { balances, deliveries } = ledger;
  const movements = ledger.movements.toSorted((one, other) => one.start - other.start);
  const byAmount = Map.groupBy(movements, ({ amount }) => amount);
  const taken = takenPoints(ledger);
  const returned = new Set<string>();
  let [next, current]: [number, Movement[]] = [0, []];
  for (const [index, at] of balances.entries()) {
    const before = balances[index - 1];
    if (before?.span === undefined || at.span === undefined || !trace.isBefore(before, at)) continue;
    const [from, to] = [before.span, at.span];
    if ([from, to].some((read) => isWithBooking(read, movements))) continue;
    // What took effect before the first balance was read concerns this one no more, nor any that follows.
    current = current.filter(({ end }) => end > from.start);
    for (; (movements[next]?.start ?? to.end) < to.end; next += 1) current.push(...movements.slice(next, next + 1));
    const inside = current.filter(({ start, end }) => from.end <= start && end <= to.start);
    if (current.some((movement) => !inside.includes(movement) && movement.end > from.start)) continue;
    const isInside = ({ span }: TraceEvent) => span !== undefined && from.end <= span.start && span.end <= to.start;
    const delivered = deliveries.filter(isInside).slice(0, mostInside);
    const own = () => ownMovements(taken, returned, { from, to, first: balances[0]?.span?.start ?? 0 });
    const booked = inside.map((one) => (one.amount > 0 && returned.has(one.key) ? { ...one, amount: 0 } : one));
    if (inside.length > mostInside) continue;
    yield* judgeStep(before, at, { inside: booked, delivered, byAmount, isInside, own, returned });
  }
}

/** Whether a booking is at the very instant of a read, as a frozen clock has them: either may have been first. */
function isWithBooking({ start, end }: Span, movements: readonly Movement[]): boolean {
  return start === end && movements.some((one) => one.start === start && one.end === start);
}

/** Most bookings between two balances to compare. */
const mostInside = 50;
/**
 * How long a redemption has to be pending, in milliseconds, before points that came back count as given back by the client:
 * the interface states no threshold (OP-22), and nobody gives up sooner.
 */
const leastPending = 60_000;

interface Step {
  readonly inside: readonly Movement[];
  readonly delivered: readonly TraceEvent[];
  readonly byAmount: ReadonlyMap<number, readonly Movement[]>;
  readonly isInside: (event: TraceEvent) => boolean;
  /** What the client may have moved by itself, and the redemptions whose points it has given back so. */
  readonly own: () => readonly Own[];
  readonly returned: Set<string>;
}

type Own = Pick<Movement, 'key' | 'amount'>;
type Span = NonNullable<TraceEvent['span']>;
/** Points that the client took for a redemption, until when, and when its end was reported. */
type Taken = Pick<Movement, 'key' | 'amount' | 'end'> & { readonly delivered: number; readonly rejected: number };

function takenPoints({ movements, deliveries }: Ledger): readonly Taken[] {
  const rejected = new Map(movements.flatMap(({ key, amount, start }) => (amount > 0 ? [[key, start]] : [])));
  const delivered = new Map(deliveries.toReversed().map(({ facts, span }) => [facts.redeemCode, span?.start]));
  return movements
    .filter(({ kind, amount }) => (kind === 'deduction' || kind === 'redeem') && amount !== 0)
    .map(({ key, amount, end }) => {
      return { key, amount, end, delivered: delivered.get(key) ?? never, rejected: rejected.get(key) ?? never };
    });
}

const never = Number.POSITIVE_INFINITY;

/** What a client may move by itself between two balances: the points of a redemption that is pending for too long (S9). */
function ownMovements(
  all: readonly Taken[],
  returned: ReadonlySet<string>,
  { from, to, first }: { readonly from: Span; readonly to: Span; readonly first: number },
): readonly Own[] {
  return all.flatMap(({ key, amount, end, delivered, rejected }): Own[] => {
    if (end > to.start) return [];
    // A client that takes `Delivered` afterwards may deduct the points again.
    if (returned.has(key)) return delivered < to.start ? [{ key, amount }] : [];
    const isLong = Math.min(to.start, delivered, rejected) - end >= leastPending;
    // If no balance was read since, the points may have been back before the first one.
    if (rejected < to.start) return isLong && end <= first && from.start === first ? [{ key, amount }] : [];
    return isLong || (end <= from.start && delivered >= to.start) ? [{ key, amount: -amount }] : [];
  });
}

/** Movements whose amounts add up to a sum; undefined if none do. */
function adding(own: readonly Own[], sum: number, depth = 0): readonly Own[] | undefined {
  if (sum === 0) return [];
  // One or a few redemptions: with more, some always fit.
  for (const [index, one] of depth < 3 ? own.slice(0, mostInside).entries() : []) {
    const rest = adding(own.slice(index + 1), sum - one.amount, depth + 1);
    if (rest !== undefined) return [one, ...rest];
  }
  return undefined;
}

/** What two balances that follow each other say about the bookings between them. */
function* judgeStep(before: TraceEvent, at: TraceEvent, step: Step): Generator<Judged> {
  const [from, to] = [before.facts.balance ?? 0, at.facts.balance ?? 0];
  const { inside, delivered, own, returned } = step;
  const expected = inside.reduce((sum, { amount }) => sum + amount, from);
  const moved = to === expected ? [] : adding(own(), to - expected);
  const difference = moved === undefined ? to - expected : 0;
  for (const { key } of moved ?? []) if (!returned.delete(key)) returned.add(key);
  yield* judgeCover(from, step);
  if (difference === 0) {
    for (const { kind, event } of moved?.length === 0 ? inside : [])
      yield { cause: kind, difference, inside, observation: { at, with: [before, event] } };
    for (const event of delivered)
      yield { cause: 'delivery', difference, inside, observation: { at, with: [before, event] } };
    return;
  }
  const reason = reasonOf(difference, step);
  const changes = inside.map(({ amount, key, event }) => {
    return `${amount < 0 ? '' : '+'}${amount} for ${key} (#${event.number} ${event.operation})`;
  });
  const listed = [...changes.slice(0, mostListed), ...(changes.length > mostListed ? ['and more'] : [])];
  const since = changes.length === 0 ? 'no change since' : listed.join(', ');
  const issue = {
    pointer: '/body/points/balance',
    expected: `${expected}, which is ${from} (#${before.number}), ${since}`,
    actual: to,
  };
  const observation = { at, with: [before, ...(reason?.evidence ?? [])], issue };
  yield { cause: reason?.cause, difference, inside, observation };
}

/** Most changes that a finding lists. */
const mostListed = 5;

/** The booking that explains a difference; undefined if the client may have had a reason of its own. */
function reasonOf(difference: number, step: Step): { cause: Cause; evidence: readonly TraceEvent[] } | undefined {
  const { inside, delivered, byAmount, isInside } = step;
  const deductions = byAmount.get(-difference) ?? [];
  const again = delivered.find(({ facts }) =>
    deductions.some(({ kind, key }) => kind === 'deduction' && key === facts.redeemCode),
  );
  if (again !== undefined) return { cause: 'delivery', evidence: [again] };
  const wrong = inside.find(({ amount }) => Math.abs(amount) === Math.abs(difference));
  const repeated = byAmount.get(difference)?.find(({ repeats }) => repeats.some(isInside));
  const one = wrong ?? repeated ?? inside[0];
  return one === undefined ? undefined : { cause: one.kind, evidence: [one.event, one.source] };
}

/** Whether the balance, and all that was added to it since, covered each record that the client took. */
function* judgeCover(balance: number, { inside, own }: Step): Generator<Judged> {
  const adds = (sum: number, { amount }: Own) => sum + Math.max(amount, 0);
  const booked = inside.reduce(adds, balance);
  const most = inside.every(({ amount }) => -amount <= booked) ? booked : own().reduce(adds, booked);
  for (const { kind, amount, event, uncertain } of inside) {
    if (kind !== 'deduction' || uncertain || amount === 0) continue;
    const expected = `an error, since the balance of at most ${most} is less than ${-amount}`;
    const issue = { pointer: '/status', expected, actual: event.status };
    const observation = -amount <= most ? { at: event } : { at: event, issue };
    yield { cause: 'cover', difference: 0, inside: [], observation };
  }
}

function balanceRule(id: string, basis: string, cause: Cause): TraceRule {
  return hostTraceRule(id, basis, function* (trace) {
    for (const one of judged(trace)) if (one.cause === cause) yield one.observation;
  });
}

export const balanceTraceRules: readonly TraceRule[] = [
  balanceRule('deduction-lowers-the-balance', 'stated B7 S3', 'deduction'),
  balanceRule('rejection-restores-the-balance', 'stated B14 R17 S8', 'rejection'),
  balanceRule('reversal-before-the-response', 'OP-21', 'late'),
  balanceRule('credit-raises-the-balance', 'stated R21', 'credit'),
  balanceRule('delivery-moves-no-points', 'stated S5', 'delivery'),
  balanceRule('deduction-is-covered', 'stated B9', 'cover'),
  balanceRule('redeem-lowers-the-balance', 'stated E7', 'redeem'),
  balanceRule('reverse-restores-the-balance', 'stated E8', 'reverse'),
];
