/** The movements of points that a recording's calls cause for each customer, and the balances that were read in between. */
import type { Trace } from '../trace.ts';
import type { TraceEvent } from '../trace-event.ts';

export type MovementKind = 'deduction' | 'rejection' | 'credit' | 'redeem' | 'reverse';

/** A movement of points that the client acknowledged, or may have made. */
export interface Movement {
  readonly kind: MovementKind;
  /** The redeem code or the transaction id. */
  readonly key: string;
  readonly amount: number;
  /** Earliest and latest time at which the movement may have taken effect. */
  readonly start: number;
  readonly end: number;
  /** Whether it is unknown if the movement took effect, because no call was acknowledged. */
  readonly uncertain: boolean;
  /** The call that the client acknowledged. Later calls with the same request are in `repeats`. */
  readonly event: TraceEvent;
  /** The call that contains the amount. */
  readonly source: TraceEvent;
  readonly repeats: readonly TraceEvent[];
}

export interface Ledger {
  readonly balances: readonly TraceEvent[];
  readonly movements: readonly Movement[];
  readonly deliveries: readonly TraceEvent[];
}

/** A time that never comes. */
export const never = Number.POSITIVE_INFINITY;

/** Yields the ledger of each customer whose balance was read at least twice. */
export function* ledgers(trace: Trace): Generator<Ledger> {
  const reads = trace.of('getProfileAndPoints', 'getCustomerPoints').filter(({ facts, succeeded, span }) => {
    return succeeded && facts.balance !== undefined && span !== undefined;
  });
  const byCustomer = Map.groupBy(allMovements(trace), ({ uid }) => uid);
  const records = trace.by('redeemCode', 'saveRedeemDetails');
  const updates = trace.of('updateRedeemStatus');
  const reported = updates.filter(({ succeeded, facts }) => succeeded && facts.reported === 'Delivered');
  const delivered = Map.groupBy(reported, ({ facts }) => records.get(facts.redeemCode ?? '')?.[0]?.uid);
  for (const [uid, balances] of Map.groupBy(reads, ({ uid }) => uid)) {
    if (uid === undefined || balances.length < 2) continue;
    const movements = (byCustomer.get(uid) ?? []).map(({ movement }) => movement);
    yield { balances, movements, deliveries: delivered.get(uid) ?? [] };
  }
}

type Owned = { readonly uid: string | undefined; readonly movement: Movement };

function* allMovements(trace: Trace): Generator<Owned> {
  for (const [code, calls] of trace.by('redeemCode', 'saveRedeemDetails')) {
    const updates = (trace.by('redeemCode', 'updateRedeemStatus').get(code) ?? []).filter(
      ({ facts }) => facts.reported === 'Rejected',
    );
    yield* redemption(code, calls, updates, ['deduction', 'rejection']);
  }
  for (const [code, calls] of trace.by('redeemCode', 'redeemPoints')) {
    const reversals = trace.by('redeemCode', 'reversePoints').get(code) ?? [];
    yield* redemption(code, calls, reversals, ['redeem', 'reverse']);
  }
  for (const [transaction, calls] of trace.by('transactionId', 'creditPoints')) {
    const points = calls[0]?.facts.points;
    const movement = points === undefined ? undefined : movementOf('credit', transaction, points, calls);
    if (movement !== undefined) yield { uid: calls[0]?.uid, movement };
  }
}

/** Yields the movements of a deduction and its reversal. If only the deduction is uncertain, both become one movement of 0 points. */
function* redemption(
  code: string,
  calls: readonly TraceEvent[],
  reversals: readonly TraceEvent[],
  [deduction, reversal]: readonly [MovementKind, MovementKind],
): Generator<Owned> {
  const [first] = calls;
  const total = first?.facts.total;
  if (first === undefined || total === undefined) return;
  const { uid } = first;
  const deducted = movementOf(deduction, code, -total, calls);
  const back = movementOf(reversal, code, total, reversals);
  const returned = back && { ...back, source: first };
  if (deducted === undefined) return;
  if (deducted.uncertain && returned?.uncertain === false) {
    yield { uid, movement: { ...deducted, amount: 0, end: returned.end } };
    return;
  }
  yield { uid, movement: deducted };
  if (returned !== undefined) yield { uid, movement: returned };
}

/** Returns the movement that results from repeated calls, or `undefined` if all of them were refused. */
function movementOf(
  kind: MovementKind,
  key: string,
  amount: number,
  calls: readonly TraceEvent[],
): Movement | undefined {
  const [first] = calls;
  if (first === undefined || calls.every(({ status }) => status !== undefined && status >= 400 && status < 500)) return;
  const index = calls.findIndex(({ succeeded }) => succeeded);
  const event = calls[index] ?? first;
  return {
    kind,
    key,
    amount,
    start: Math.min(...calls.map(({ span }) => span?.start ?? -never)),
    end: index < 0 ? never : (event.span?.end ?? never),
    uncertain: index < 0,
    event,
    source: first,
    repeats: index < 0 ? [] : calls.slice(index + 1),
  };
}
