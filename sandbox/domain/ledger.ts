/**
 * The client's ledger. An account is the sum of its entries: balance = earned - redeemed, never negative. The state
 * machine below ensures that a redemption is deducted and reversed at most once.
 */

/** The totals of one customer, in points (R10). */
export interface Account {
  readonly totalEarned: number;
  readonly totalRedeemed: number;
}

/** A ledger entry. `reference` is a transactionId, a redeemCode, or `opening`. */
export interface Entry {
  readonly kind: 'credit' | 'deduct' | 'reverse';
  readonly points: number;
  readonly reference: string;
}

export const emptyAccount: Account = { totalEarned: 0, totalRedeemed: 0 };

/** Maximum number of points that an account can ever earn: the largest number that fits in numeric text (OP-09). */
const mostPoints = 999_999_999_999_999;

/** Returns the points that the customer can spend. */
export function balance(account: Account): number {
  return account.totalEarned - account.totalRedeemed;
}

/** Returns the totals of an account in the format of the interface. */
export function points(account: Account): { totalEarned: number; balance: number; totalRedeemed: number } {
  return { totalEarned: account.totalEarned, balance: balance(account), totalRedeemed: account.totalRedeemed };
}

/**
 * Returns the account after an entry, or `undefined` if the entry is invalid. Points must be a whole number of at least
 * 0. A deduction must not exceed the balance, a reversal the redeemed points, or a credit the maximum.
 */
export function book(account: Account, entry: Entry): Account | undefined {
  if (!Number.isSafeInteger(entry.points) || entry.points < 0) return undefined;
  switch (entry.kind) {
    case 'credit': {
      const totalEarned = account.totalEarned + entry.points;
      return totalEarned > mostPoints ? undefined : { ...account, totalEarned };
    }
    case 'deduct':
      if (entry.points > balance(account)) return undefined;
      return { ...account, totalRedeemed: account.totalRedeemed + entry.points };
    case 'reverse':
      if (entry.points > account.totalRedeemed) return undefined;
      return { ...account, totalRedeemed: account.totalRedeemed - entry.points };
  }
}

/** The status of a redemption, as the platform reports it. */
type Status = 'Pending' | 'Delivered' | 'Rejected';

/** Returns the lifecycle label of an entry. `redemption` is the status of its redemption, or `undefined` if it has none. */
export function label(entry: Entry, redemption: Status | undefined) {
  if (entry.kind === 'credit') return 'Earned';
  if (entry.kind === 'reverse') return 'Reversed';
  if (redemption === 'Pending') return 'Pending';
  return redemption === 'Rejected' ? 'Reversed' : 'Redeemed';
}

/** A deduction, stored to detect a repeat. `fingerprint` is the hash of all values of the record. */
export interface Booked {
  readonly uid: string;
  readonly points: number;
  readonly fingerprint: string;
  /** Whether the wallet will contain vouchers after delivery. */
  readonly vouchers?: boolean;
}

/**
 * A redemption as the client records it (S1 to S9; OP-15, OP-21, OP-22, OP-23).
 *
 *     (none) --save--> Pending --Delivered--> Delivered
 *                         \-----Rejected, timeout--> Rejected (points reversed)
 *     (none) --Rejected--> Refused: a marker that makes a late deduction fail
 */
export type Redemption =
  | ({ readonly state: 'Pending' } & Booked)
  | ({ readonly state: 'Delivered' } & Booked)
  | ({ readonly state: 'Rejected'; readonly reason: string } & Booked)
  /** Rejected before its deduction arrived. Nothing was deducted, and nothing will be. */
  | { readonly state: 'Refused' };

export type RedemptionCommand =
  | ({ readonly type: 'save' } & Booked)
  | { readonly type: 'report'; readonly status: Status; readonly reason: string }
  /** The rejection of version 2.0, which states the deducted points (OP-29). */
  | { readonly type: 'reverse'; readonly points: number; readonly reason: string }
  | { readonly type: 'timeout' };

export type RedemptionEvent =
  | ({ readonly type: 'deducted' } & Booked)
  | { readonly type: 'delivered' }
  | { readonly type: 'reversed'; readonly points: number; readonly uid: string; readonly reason: string }
  | { readonly type: 'refused' };

/** The exact messages of refused commands. The platform depends on them (OP-21, OP-22). */
export const redemptionTexts = {
  points_changed: 'User points have changed.',
  redemption_conflict: 'redeemCode was used with other values.',
  unknown_redeem_code: 'Unknown redeemCode.',
  order_already_delivered: 'Order already Delivered.',
  order_already_rejected: 'Order already Rejected.',
} as const;

/** The reason that a command is refused. */
export interface RedemptionFailure {
  readonly kind: keyof typeof redemptionTexts;
}

/** The result of a command: the events to apply (none for a repeat), and a failure if the sender is refused. */
interface Decision {
  readonly events: readonly RedemptionEvent[];
  readonly failure?: RedemptionFailure;
}

const nothing: Decision = { events: [] };
const refuse = (kind: RedemptionFailure['kind']): Decision => ({ events: [], failure: { kind } });

/**
 * Decides the effect of a command on a redemption; `undefined` means that there is none yet. `balance` is the
 * customer's available points.
 */
export function decide(redemption: Redemption | undefined, command: RedemptionCommand, balance: number): Decision {
  switch (command.type) {
    case 'save':
      return decideSave(redemption, command, balance);
    case 'report':
      return decideReport(redemption, command.status, command.reason);
    case 'reverse':
      if (redemption !== undefined && redemption.state !== 'Refused' && redemption.points !== command.points) {
        return refuse('redemption_conflict');
      }
      return decideReport(redemption, 'Rejected', command.reason);
    case 'timeout':
      if (redemption?.state !== 'Pending') return nothing;
      return { events: [reversal(redemption, 'Pending beyond the threshold')] };
  }
}

function decideSave(redemption: Redemption | undefined, command: Booked, balance: number): Decision {
  if (redemption === undefined) {
    if (command.points > balance) return refuse('points_changed');
    return { events: [{ ...command, type: 'deducted' }] };
  }
  if (redemption.state === 'Refused' || redemption.state === 'Rejected') return refuse('order_already_rejected');
  return redemption.fingerprint === command.fingerprint ? nothing : refuse('redemption_conflict');
}

function decideReport(redemption: Redemption | undefined, status: Status, reason: string): Decision {
  if (redemption === undefined || redemption.state === 'Refused') {
    // A Rejected status stores a marker, and every report of a code without a deduction returns "unknown code" (OP-21).
    const isMarked = status === 'Rejected' && redemption === undefined;
    return { ...refuse('unknown_redeem_code'), events: isMarked ? [{ type: 'refused' }] : [] };
  }
  switch (redemption.state) {
    case 'Pending':
      if (status === 'Delivered') return { events: [{ type: 'delivered' }] };
      return status === 'Rejected' ? { events: [reversal(redemption, reason)] } : nothing;
    case 'Delivered':
      return status === 'Delivered' ? nothing : refuse('order_already_delivered');
    case 'Rejected':
      return status === 'Rejected' ? nothing : refuse('order_already_rejected');
  }
}

function reversal(redemption: Booked, reason: string): RedemptionEvent {
  return { type: 'reversed', points: redemption.points, uid: redemption.uid, reason };
}

/** Returns the redemption after an event. Throws for an impossible transition, which `decide` never produces. */
export function evolve(redemption: Redemption | undefined, event: RedemptionEvent): Redemption {
  switch (event.type) {
    case 'deducted':
      return { state: 'Pending', ...bookedOf(event) };
    case 'refused':
      return { state: 'Refused' };
    case 'delivered':
      return { ...pending(redemption), state: 'Delivered' };
    case 'reversed':
      return { ...pending(redemption), state: 'Rejected', reason: event.reason };
  }
}

function pending(redemption: Redemption | undefined): Booked {
  if (redemption?.state !== 'Pending') throw new Error(`no pending redemption, but ${redemption?.state ?? 'none'}`);
  return bookedOf(redemption);
}

/** Returns the fields of a deduction, without those of its event or state. */
function bookedOf({ uid, points, fingerprint, vouchers }: Booked): Booked {
  return { uid, points, fingerprint, ...(vouchers !== undefined && { vouchers }) };
}
