/** Rules that compare balances before and after the movements of points in a complete recording. */
import { getOrCreate } from '../../../runtime/caches.ts';
import { hostTraceRule, type Observation, observe, type TraceRule } from '../rule.ts';
import type { Trace } from '../trace.ts';
import type { TraceEvent } from '../trace-event.ts';
import { type Ledger, ledgers, type Movement, type MovementKind, never } from './ledger.ts';

type Cause = MovementKind | 'delivery' | 'cover' | 'late';
/** The result of comparing two balances. `difference` is the part of the change that the calls between them do not explain. */
interface Judged {
  readonly cause: Cause | undefined;
  readonly difference: number;
  readonly inside: readonly Movement[];
  readonly observation: Observation;
}

const judgedOf = new WeakMap<Trace, readonly Judged[]>();

/** Compares the balances of a recording. Returns no results if the recording may lack a movement. */
function judged(trace: Trace): readonly Judged[] {
  return getOrCreate(judgedOf, trace, () => {
    const complete = trace.complete ? [...ledgers(trace)] : [];
    return complete.flatMap((ledger) => withLate([...judgeLedger(trace, ledger)]));
  });
}

/**
 * Marks a movement as late, not missing, if a later balance shows it. The interface does not state when it must take effect. If
 * neither a deduction nor its rejection appears in the balances, the client restored the points before the rejection (S9).
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
    // Movements that took effect before the first balance was read do not affect this step or any later one.
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

/** Returns whether a movement has exactly the time of a read, as with a frozen clock. Their order is then unknown. */
function isWithBooking({ start, end }: Span, movements: readonly Movement[]): boolean {
  return start === end && movements.some((one) => one.start === start && one.end === start);
}

/** Maximum number of movements between two balances that are compared. */
const mostInside = 50;
/**
 * Minimum time that a redemption must be pending, in milliseconds, before the client may restore its points. The interface states
 * no threshold (OP-22), and no client is expected to give up sooner.
 */
const leastPending = 60_000;

interface Step {
  readonly inside: readonly Movement[];
  readonly delivered: readonly TraceEvent[];
  readonly byAmount: ReadonlyMap<number, readonly Movement[]>;
  readonly isInside: (event: TraceEvent) => boolean;
  /**
   * Returns the movements that the client may have made on its own. `returned` contains the redemptions whose points it restored.
   */
  readonly own: () => readonly Own[];
  readonly returned: Set<string>;
}

type Own = Pick<Movement, 'key' | 'amount'>;
type Span = NonNullable<TraceEvent['span']>;
/** Points that the client deducted for a redemption. The times are the end of the deduction and the reports of an outcome. */
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

/** Returns the movements that a client may make on its own between two balances: the points of overdue redemptions (S9). */
function ownMovements(
  all: readonly Taken[],
  returned: ReadonlySet<string>,
  { from, to, first }: { readonly from: Span; readonly to: Span; readonly first: number },
): readonly Own[] {
  return all.flatMap(({ key, amount, end, delivered, rejected }): Own[] => {
    if (end > to.start) return [];
    // A client that receives `Delivered` afterwards may deduct the points again.
    if (returned.has(key)) return delivered < to.start ? [{ key, amount }] : [];
    const isLong = Math.min(to.start, delivered, rejected) - end >= leastPending;
    // Without a balance in between, the points may have been restored before the first balance was read.
    if (rejected < to.start) return isLong && end <= first && from.start === first ? [{ key, amount }] : [];
    return isLong || (end <= from.start && delivered >= to.start) ? [{ key, amount: -amount }] : [];
  });
}

/** Returns movements whose amounts add up to a sum, or `undefined` if there are none. */
function adding(own: readonly Own[], sum: number, depth = 0): readonly Own[] | undefined {
  if (sum === 0) return [];
  // Combine only a few redemptions, because some combination of many would always fit.
  for (const [index, one] of depth < 3 ? own.slice(0, mostInside).entries() : []) {
    const rest = adding(own.slice(index + 1), sum - one.amount, depth + 1);
    if (rest !== undefined) return [one, ...rest];
  }
  return undefined;
}

/** Compares two consecutive balances with the movements between them. */
function* judgeStep(before: TraceEvent, at: TraceEvent, step: Step): Generator<Judged> {
  const [from, to] = [before.facts.balance ?? 0, at.facts.balance ?? 0];
  const { inside, delivered, own, returned } = step;
  const expected = inside.reduce((sum, { amount }) => sum + amount, from);
  const moved = to === expected ? [] : adding(own(), to - expected);
  const difference = moved === undefined ? to - expected : 0;
  for (const { key } of moved ?? []) if (!returned.delete(key)) returned.add(key);
  yield* judgeCover(from, step);
  if (difference === 0) {
    const movements = moved?.length === 0 ? inside.map(({ kind }) => kind) : [];
    for (const cause of [...movements, ...delivered.map(() => 'delivery' as const)])
      yield { cause, difference, inside, observation: { at } };
    return;
  }
  const reason = reasonOf(difference, step);
  const changes = inside.map(({ amount, key, event }) => {
    return `${amount < 0 ? '' : '+'}${amount} for ${key} (#${event.number} ${event.operation})`;
  });
  const listed = [...changes.slice(0, mostListed), ...(changes.length > mostListed ? ['and more'] : [])];
  const since = changes.length === 0 ? 'no change since' : listed.join(', ');
  const others = [before, ...(reason?.evidence ?? [])];
  const text = `${expected}, which is ${from} (#${before.number}), ${since}`;
  const observation = observe(at, others, false, '/body/points/balance', text, to);
  yield { cause: reason?.cause, difference, inside, observation };
}

/** Maximum number of changes listed in a finding. */
const mostListed = 5;

/** Returns the movement that explains a difference, or `undefined` if the client may have had a reason of its own. */
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

/** Checks that the balance, plus everything added to it since, covered each record that the client accepted. */
function* judgeCover(balance: number, { inside, own }: Step): Generator<Judged> {
  const adds = (sum: number, { amount }: Own) => sum + Math.max(amount, 0);
  const booked = inside.reduce(adds, balance);
  const most = inside.every(({ amount }) => -amount <= booked) ? booked : own().reduce(adds, booked);
  for (const { kind, amount, event, uncertain } of inside) {
    if (kind !== 'deduction' || uncertain || amount === 0) continue;
    const expected = `an error, since the balance of at most ${most} is less than ${-amount}`;
    const observation = observe(event, [], -amount <= most, '/status', expected, event.status);
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
