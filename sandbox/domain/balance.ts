/**
 * Compares a customer's balance at a partner's own server with the changes that the platform requested (OP-110,
 * OP-111). The platform cannot see that server's ledger. It knows only the balances that it read and the changes that
 * it requested.
 */

/** A change that the client has confirmed. A `cancelled_deduction` may have been deducted and was then reversed. */
export type ChangeKind = 'deduction' | 'refused_deduction' | 'cancelled_deduction' | 'reversal' | 'credit';

export interface BalanceChange {
  readonly kind: ChangeKind;
  /** The redeemCode, or the transactionId of a credit. */
  readonly reference: string;
  /** The points that are deducted, refunded or credited, including the fee. */
  readonly points: number;
  readonly fee: number;
}

/** The effect of a change on the balance, in multiples of its points. */
const effects: Readonly<Record<ChangeKind, -1 | 0 | 1>> = {
  deduction: -1,
  refused_deduction: 0,
  cancelled_deduction: 0,
  reversal: 1,
  credit: 1,
};

/** The effect of a mistake on the balance. */
interface MistakeEffect {
  readonly kinds: readonly ChangeKind[];
  /** The amount of the change by which the balance is wrong. */
  readonly of: 'points' | 'fee';
  /** 1 if the customer overpaid, -1 if the customer underpaid. */
  readonly sign: 1 | -1;
}

const refunds = ['reversal', 'cancelled_deduction'] as const;
const mistakes = {
  deducted_twice: { kinds: ['deduction'], of: 'points', sign: 1 },
  not_deducted: { kinds: ['deduction'], of: 'points', sign: -1 },
  deducted_without_fee: { kinds: ['deduction'], of: 'fee', sign: -1 },
  deducted_though_refused: { kinds: ['refused_deduction'], of: 'points', sign: 1 },
  not_reversed: { kinds: refunds, of: 'points', sign: 1 },
  reversed_without_fee: { kinds: refunds, of: 'fee', sign: 1 },
  reversed_twice: { kinds: refunds, of: 'points', sign: -1 },
  not_credited: { kinds: ['credit'], of: 'points', sign: 1 },
  credited_twice: { kinds: ['credit'], of: 'points', sign: -1 },
} as const satisfies Readonly<Record<string, MistakeEffect>>;

/** The mistakes that a server can make with a change. */
type Mistake = keyof typeof mistakes;

/** A change that may explain a difference; `mistake` is null if no recognized mistake explains it. */
export interface Suspect extends BalanceChange {
  readonly mistake: Mistake | null;
}

/** Maximum number of changes stored between two balances, and maximum number of suspects. The oldest are dropped (OP-112). */
const mostChanges = 50;

/** The platform's data about one customer's balance. */
export interface Account {
  /** The last comparable balance and its time; absent before the first. */
  readonly lastKnown?: { readonly balance: number; readonly at: number };
  /** The changes since then, and their total effect on the balance. */
  readonly changes: readonly BalanceChange[];
  readonly net: number;
  /** The number of requests and responses, used to detect a balance that was read while a request was open. */
  readonly moves: number;
  /** Changes before the first balance. Their effect is unknown. */
  readonly unread: readonly BalanceChange[];
  /** The points that the customer overpaid, divided into those that recognized mistakes explain and the remaining ones. */
  readonly explained: number;
  readonly unexplained: number;
  readonly suspects: readonly Suspect[];
}

export const newAccount: Account = {
  changes: [],
  net: 0,
  moves: 0,
  unread: [],
  explained: 0,
  unexplained: 0,
  suspects: [],
};

/** Returns the account after a request to the client. */
export function countMove(account: Account): Account {
  return { ...account, moves: account.moves + 1 };
}

/** Returns the account after the client confirmed a change. */
export function recordChange(account: Account, change: BalanceChange): Account {
  const changes = [...account.changes, change].slice(-mostChanges);
  return { ...countMove(account), changes, net: account.net + effects[change.kind] * change.points };
}

/** Returns the account after the client returned the balance while no request was open. */
export function recordBalance(account: Account, balance: number, at: number): Account {
  const read = { ...account, lastKnown: { balance, at }, changes: [], net: 0 };
  if (account.lastKnown === undefined) return { ...read, unread: account.changes };
  const off = account.lastKnown.balance + account.net - balance;
  if (off === 0) return read;
  const found = suspectsOf(account, off);
  const explained = account.explained + (found.length > 0 ? off : 0);
  const unexplained = account.unexplained + (found.length > 0 ? 0 : off);
  // The server has corrected its mistakes.
  if (explained + unexplained === 0) return { ...read, explained: 0, unexplained: 0, suspects: [] };
  const suspects = found.length > 0 ? found : account.changes.map((change) => ({ ...change, mistake: null }));
  return { ...read, explained, unexplained, suspects: [...account.suspects, ...suspects].slice(-mostChanges) };
}

/** Returns whether reading the balance can reveal anything new. */
export function worthReading({ lastKnown, changes, explained, unexplained }: Account): boolean {
  return lastKnown === undefined || changes.length > 0 || explained + unexplained !== 0;
}

/**
 * Returns the changes that explain the difference if the server made one kind of mistake with one or more of them. If
 * there are none and the balance did not change, returns all changes that should have changed it.
 */
function suspectsOf({ changes, net }: Pick<Account, 'changes' | 'net'>, off: number): Suspect[] {
  const found = Object.entries<MistakeEffect>(mistakes).flatMap(([name, { kinds, of, sign }]) => {
    const possible = changes.filter((change) => kinds.includes(change.kind) && change[of] > 0);
    const amounts = possible.map((change) => change[of]);
    return possible
      .filter((_, index) => adds(amounts.toSpliced(index, 1), off * sign - (amounts[index] ?? 0)))
      .map((change) => ({ ...change, mistake: name as Mistake }));
  });
  if (found.length > 0 || off !== net) return found;
  return changes.flatMap((change) => {
    const mistake = omissions[change.kind];
    return mistake === undefined ? [] : [{ ...change, mistake }];
  });
}

const omissions: Readonly<Partial<Record<ChangeKind, Mistake>>> = {
  deduction: 'not_deducted',
  reversal: 'not_reversed',
  credit: 'not_credited',
};

/** Maximum number of sums to try for one explanation. */
const mostSums = 200;

/** Returns whether a subset of the amounts, possibly empty, adds up to `sum`. */
function adds(amounts: readonly number[], sum: number): boolean {
  const sums = new Set([0]);
  for (const amount of amounts) {
    for (const before of [...sums]) if (before + amount <= sum && sums.size < mostSums) sums.add(before + amount);
  }
  return sums.has(sum);
}

/** The reason that a balance cannot be verified. */
type Unknown = 'unanswered' | 'not_read' | 'no_read_before' | 'pending' | 'unexplained';

/**
 * Checks a balance. Returns `undefined` if there is nothing to report. `open` are the changes without a response, and
 * `pending` is the points of lines that are still Pending. In a verdict, `difference` is the number of points that the
 * customer overpaid.
 */
export function verdictOf(
  account: Account,
  { open, pending }: { readonly open: readonly BalanceChange[]; readonly pending: number },
) {
  const { explained, unexplained, suspects, changes, unread } = account;
  const difference = explained + unexplained;
  // A client may refund points that have been Pending for too long (OP-22).
  if (difference < 0 && -difference <= pending) return unknown('pending', suspects, difference);
  if (explained !== 0) {
    const named = suspects.filter(({ mistake }) => mistake !== null);
    return { kind: 'balance_differs', difference: explained, changes: named } as const;
  }
  if (unexplained !== 0) return unknown('unexplained', suspects, difference);
  if (open.length > 0) return unknown('unanswered', newestWithoutMistake(open));
  if (changes.length > 0) return unknown('not_read', newestWithoutMistake(changes));
  return unread.length > 0 ? unknown('no_read_before', newestWithoutMistake(unread)) : undefined;
}

/** The verdict on a customer's balance. */
export type BalanceVerdict = NonNullable<ReturnType<typeof verdictOf>>;

function unknown(reason: Unknown, changes: readonly Suspect[], difference: number | null = null) {
  return { kind: 'unknown', reason, difference, changes } as const;
}

/** Returns the newest changes, up to the maximum number of suspects, each without a mistake. */
function newestWithoutMistake(changes: readonly BalanceChange[]): readonly Suspect[] {
  return changes.slice(-mostChanges).map((change) => ({ ...change, mistake: null }));
}
