/** The status of each client operation, derived from the calls to it. */
import type { Schemas } from '../api.ts';
import { complaint, isCall } from '../calls.ts';
import type { CallEntry, Entry } from '../live.ts';

type CallFinding = Schemas['CallFinding'];
/** The operations that can have made a mistake, and a description of the mistake. */
type Cause = readonly [operations: readonly string[], what: string];
/** The verdict about an operation: what its last call, or the lack of one, shows. */
export type State = 'never' | 'faulted' | 'conforms' | 'refused' | 'differs' | 'deviates' | 'failed';
export interface Judged {
  /** The state of the last call without a fault. */
  state: State;
  /** The last call without a fault; if there is none, the last call with one. */
  call: CallEntry | undefined;
  /** The contract violations in the call's reply. */
  findings: readonly CallFinding[];
  /** A description of the failure. */
  said: string;
  /** Number of calls to this address that encountered no fault. */
  count: number;
  /** Number of calls to this address that encountered a fault. */
  faulted: number;
  /** Number of calls without a fault that violated the contract or failed. */
  wrong: number;
}

/** Returns the calls to the client's operations, at its current address and at previous ones. */
export function callsTo(
  entries: readonly Entry[],
  operations: readonly Schemas['HostedOperation'][],
  { settings: { client_url: address }, urls }: Schemas['Workspace'],
) {
  // The platform calls the reference client at the local listener, not at the address that others use.
  const isReference = address === urls.client;
  const paths = new Map(operations.map(({ operation, path }) => [operation, path.replace(/^\/client/, '')]));
  const made = entries
    .filter(isCall)
    .filter(({ kind, operation }) => kind === 'call_out' && paths.has(operation ?? ''));
  const here = made.filter(({ url, operation }) => {
    const path = paths.get(operation ?? '');
    return isReference ? URL.parse(url)?.pathname === `/client${path}` : url.split('?')[0] === `${address}${path}`;
  });
  return { here, elsewhere: made.length - here.length };
}

/**
 * Derives the status of an operation from its calls, oldest first. A call that encountered a fault proves that the
 * operation was called, but is no evidence about the server.
 */
export function judge(all: readonly CallEntry[]): Judged {
  const calls = all.filter((call) => !metFault(call));
  const call = calls.at(-1);
  const wrong = calls.filter((each) => ['deviates', 'failed'].includes(stateOf(each))).length;
  const counts = { count: calls.length, wrong, faulted: all.length - calls.length };
  if (call !== undefined)
    return { state: stateOf(call), call, findings: replyFindings(call), said: saidOf(call), ...counts };
  return { state: all.length > 0 ? 'faulted' : 'never', call: all.at(-1), findings: [], said: '', ...counts };
}

function metFault({ notices }: CallEntry) {
  return notices.some((notice) => /^fault \S+: [a-z_]+$/.test(notice));
}

/**
 * Returns the state of a call. A refusal defined by the contract has its own state: it proves the format of the reply,
 * but not that the operation works. A reply that violates only assumptions of this sandbox also has its own state.
 */
function stateOf(call: CallEntry): State {
  if (call.status === null) return 'failed';
  const found = replyFindings(call);
  if (found.some(({ severity }) => severity === 'error')) return 'deviates';
  if (call.status >= 500) return 'failed';
  if (found.length > 0) return 'differs';
  return call.status >= 400 ? 'refused' : 'conforms';
}

function saidOf(call: CallEntry) {
  const [why = ''] = call.notices;
  if (call.status === null)
    return why.startsWith('circuit')
      ? `Not called: ${why}.`
      : `No response: ${why}. Is your server running at that address?`;
  return call.status >= 400 ? complaint(call) : '';
}

/** Returns the findings in the reply of a call. */
function replyFindings({ findings = [] }: CallEntry): readonly CallFinding[] {
  return findings.filter(({ direction }) => direction === 'reply');
}

/** Ledger mismatches by the client operations that may have caused them. */

type Difference = Schemas['Difference'] | Schemas['BalanceDifference'];
export interface Mismatch {
  /** The customer's uid. */
  uid: string;
  /** A description of the suspected mistake. */
  what: string;
}

const deducting = ['saveRedeemDetails', 'redeemPoints'];
const reversing = ['updateRedeemStatus', 'reversePoints'];

const ofRedemption: Readonly<Record<Schemas['Difference']['kind'], Cause>> = {
  orphan_deduction: [deducting, 'points deducted without an order'],
  missing_deduction: [deducting, 'points not deducted'],
  points_differ: [deducting, 'wrong number of points deducted'],
  missing_reversal: [reversing, 'points of a rejected order not refunded'],
};

/** The mistakes of a server that explain a balance, with the operations that make them. */
export const ofBalance: Readonly<Record<NonNullable<Schemas['BalanceChange']['mistake']>, Cause>> = {
  deducted_twice: [deducting, 'deducted twice'],
  not_deducted: [deducting, 'not deducted'],
  deducted_without_fee: [deducting, 'deducted without the fee'],
  deducted_though_refused: [deducting, 'deducted although refused'],
  not_reversed: [reversing, 'not refunded'],
  reversed_without_fee: [reversing, 'refunded without the fee'],
  reversed_twice: [reversing, 'refunded twice'],
  not_credited: [['creditPoints'], 'not credited'],
  credited_twice: [['creditPoints'], 'credited twice'],
};

/** Returns the mismatches of each operation. A balance that cannot be verified is not a mismatch. */
export function mismatchesOf(differences: readonly Difference[]) {
  const found = new Map<string, Mismatch[]>();
  for (const difference of differences) {
    for (const [operations, what] of causesOf(difference)) {
      for (const operation of operations) {
        const listed = found.get(operation) ?? [];
        const isListed = listed.some((one) => one.uid === difference.uid && one.what === what);
        if (!isListed) found.set(operation, [...listed, { uid: difference.uid, what }]);
      }
    }
  }
  return found;
}

function causesOf(difference: Difference): readonly Cause[] {
  if ('redeem_code' in difference) return [ofRedemption[difference.kind]];
  if (difference.kind !== 'balance_differs') return [];
  return difference.changes.flatMap(({ mistake }) => (mistake === null ? [] : [ofBalance[mistake]]));
}
