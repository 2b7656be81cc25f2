/** Balances before and after the bookings of a complete recording. */
import { hostTraceRule, type Observation, type TraceRule } from '../rule.ts';
import type { Trace } from '../trace.ts';
import type { TraceEvent } from '../trace-event.ts';
import { type Ledger, ledgers, type Movement, type MovementKind } from './ledger.ts';

type Cause = MovementKind | 'delivery' | 'cover' | 'late';
/** `difference` is how much more a balance is than the calls before it explain. */
type Judged = { readonly cause: Cause | undefined; readonly difference: number; readonly observation: Observation };

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

/** Points that a rejection gave back after the next balance was read are late, and not missing: the interface does not say when. */
function withLate(all: readonly Judged[]): readonly Judged[] {
  const judged = [...all];
  for (const [index, one] of judged.entries()) {
    if (one.cause !== 'rejection' || one.difference >= 0) continue;
    const restored = judged.find(({ difference }, at) => at > index && difference === -one.difference);
    if (restored === undefined) continue;
    judged[index] = { ...one, cause: 'late' };
    judged[judged.indexOf(restored)] = { ...restored, cause: undefined, difference: 0 };
  }
  return judged;
}

function* judgeLedger(trace: Trace, ledger: Ledger): Generator<Judged> {
  const { balances, deliveries } = ledger;
  const movements = ledger.movements.toSorted((one, other) => one.start - other.start);
  const byAmount = Map.groupBy(movements, ({ amount }) => amount);
  let [next, current]: [number, Movement[]] = [0, []];
  for (const [index, at] of balances.entries()) {
    const before = balances[index - 1];
    if (before?.span === undefined || at.span === undefined || !trace.isBefore(before, at)) continue;
    const [from, to] = [before.span, at.span];
    // What took effect before the first balance was read concerns this one no more, nor any that follows.
    current = current.filter(({ end }) => end > from.start);
    for (; (movements[next]?.start ?? to.end) < to.end; next += 1) current.push(...movements.slice(next, next + 1));
    const inside = current.filter(({ start, end }) => from.end <= start && end <= to.start);
    if (current.some((movement) => !inside.includes(movement) && movement.end > from.start)) continue;
    const isInside = ({ span }: TraceEvent) => span !== undefined && from.end <= span.start && span.end <= to.start;
    const delivered = deliveries.filter(isInside).slice(0, mostInside);
    if (inside.length <= mostInside) yield* judgeStep(before, at, { inside, delivered, byAmount, isInside });
  }
}

/** Most bookings between two balances to compare. */
const mostInside = 50;

interface Step {
  readonly inside: readonly Movement[];
  readonly delivered: readonly TraceEvent[];
  readonly byAmount: ReadonlyMap<number, readonly Movement[]>;
  readonly isInside: (event: TraceEvent) => boolean;
}

/** What two balances that follow each other say about the bookings between them. */
function* judgeStep(before: TraceEvent, at: TraceEvent, step: Step): Generator<Judged> {
  const [from, to] = [before.facts.balance ?? 0, at.facts.balance ?? 0];
  const { inside, delivered } = step;
  const expected = inside.reduce((sum, { amount }) => sum + amount, from);
  const difference = to - expected;
  yield* judgeCover(from, inside);
  if (difference === 0) {
    for (const { kind, event } of inside) yield { cause: kind, difference, observation: { at, with: [before, event] } };
    for (const event of delivered) yield { cause: 'delivery', difference, observation: { at, with: [before, event] } };
    return;
  }
  const reason = reasonOf(difference, step);
  const issue = {
    pointer: '/body/points/balance',
    expected: `${expected}, which is ${from} plus the changes since`,
    actual: to,
  };
  const observation = { at, with: [before, ...(reason?.evidence ?? [])], issue };
  yield { cause: reason?.cause, difference, observation };
}

/** The booking that explains a difference; undefined where several can, or the client may have had a reason of its own. */
function reasonOf(difference: number, step: Step): { cause: Cause; evidence: readonly TraceEvent[] } | undefined {
  const { inside, delivered, byAmount, isInside } = step;
  const deductions = byAmount.get(-difference) ?? [];
  const returned = delivered.find(({ facts }) =>
    deductions.some(({ kind, key }) => kind === 'deduction' && key === facts.redeemCode),
  );
  if (returned !== undefined) return { cause: 'delivery', evidence: [returned] };
  const again = byAmount.get(difference)?.find(({ repeats }) => repeats.some(isInside));
  const wrong = inside.filter(({ amount }) => Math.abs(amount) === Math.abs(difference));
  const kinds = new Set((wrong.length > 0 ? wrong : inside).map(({ kind }) => kind));
  const [one] = wrong.length > 0 ? wrong : inside;
  if (one !== undefined && kinds.size === 1) return { cause: one.kind, evidence: [one.event, one.source] };
  if (inside.length > 0) return undefined;
  // A client may refund points that are pending for too long (S9).
  const given = new Set(byAmount.get(difference)?.map(({ key }) => key));
  const isPending = deductions.some(({ kind, key }) => (kind === 'deduction' || kind === 'redeem') && !given.has(key));
  return again === undefined || isPending ? undefined : { cause: again.kind, evidence: [again.event, again.source] };
}

/** Whether the balance, and all that was added to it since, covered each record that the client took. */
function* judgeCover(balance: number, inside: readonly Movement[]): Generator<Judged> {
  const most = inside.reduce((sum, { amount }) => sum + Math.max(amount, 0), balance);
  for (const { kind, amount, event, uncertain } of inside) {
    if (kind !== 'deduction' || uncertain || amount === 0) continue;
    const expected = `an error, since the balance of at most ${most} is less than ${-amount}`;
    const issue = { pointer: '/status', expected, actual: event.status };
    yield { cause: 'cover', difference: 0, observation: -amount <= most ? { at: event } : { at: event, issue } };
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
