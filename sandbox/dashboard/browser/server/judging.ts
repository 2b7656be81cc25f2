/** Status of each operation of the client, tested by the calls to it. */
import type { Schemas } from '../api.ts';
import { complaint, isCall } from '../calls.ts';
import type { CallEntry, Entry } from '../live.ts';

type CallFinding = Schemas['CallFinding'];
export type State = 'never' | 'faulted' | 'conforms' | 'refused' | 'differs' | 'deviates' | 'failed';
export interface Judged {
  /** That of the last call without a fault. */
  state: State;
  /** The last call without a fault; if there is none, the last one under a fault. */
  call: CallEntry | undefined;
  /** Where its reply broke the contract. */
  findings: readonly CallFinding[];
  /** What went wrong, in words. */
  said: string;
  /** Calls of the operation to this address, without those under a fault. */
  count: number;
  /** Calls of the operation to this address that met a fault. */
  faulted: number;
  /** Those of them that broke the contract or failed. */
  wrong: number;
}

/** Calls made to the client's operations, at its present address and at others that it had before. */
export function callsTo(
  entries: readonly Entry[],
  operations: readonly Schemas['HostedOperation'][],
  { settings: { client_url: address }, urls }: Schemas['Workspace'],
) {
  // The platform calls the reference client where the sandbox listens, and not at the address that others use.
  const isReference = address === urls.client;
  const paths = new Map(operations.map(({ operation, path }) => [operation, path.replace(/^\/client/, '')]));
  const made = entries
    .filter(isCall)
    .filter(({ kind, operation }) => kind === 'call_out' && paths.has(operation ?? ''));
  const here = made.filter(({ url, operation }) => {
    const path = paths.get(operation ?? '');
    return isReference ? pathOf(url) === `/client${path}` : url.split('?')[0] === `${address}${path}`;
  });
  return { here, elsewhere: made.length - here.length };
}

function pathOf(url: string) {
  return URL.parse(url)?.pathname;
}

/**
 * The verdict on an operation after its calls, oldest first. A call that met a fault proves that the operation was called,
 * and says nothing about the server.
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
 * A refusal that the contract defines has a state of its own: it proves the form of the reply, not that the operation
 * works. So has a reply that violates only assumptions of this sandbox.
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

/** What is wrong with the reply of a call. */
function replyFindings({ findings = [] }: CallEntry): readonly CallFinding[] {
  return findings.filter(({ direction }) => direction === 'reply');
}

/** Ledger mismatches, by the operations of the client that may have caused them. */

type Difference = Schemas['Difference'] | Schemas['BalanceDifference'];
export interface Mismatch {
  /** The customer. */
  uid: string;
  /** What the server may have done. */
  what: string;
}

const deducting = ['saveRedeemDetails', 'redeemPoints'];
const reversing = ['updateRedeemStatus', 'reversePoints'];

const ofRedemption: Readonly<
  Record<Schemas['Difference']['kind'], readonly [operations: readonly string[], what: string]>
> = {
  orphan_deduction: [deducting, 'points deducted without an order'],
  missing_deduction: [deducting, 'points not deducted'],
  points_differ: [deducting, 'wrong number of points deducted'],
  missing_reversal: [reversing, 'points of a rejected order not refunded'],
};

/** The mistakes of a server that explain a balance, with the operations that make them. */
export const ofBalance: Readonly<
  Record<NonNullable<Schemas['BalanceChange']['mistake']>, readonly [operations: readonly string[], what: string]>
> = {
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

/** Mismatches of each operation. A balance that cannot be tested is not a mismatch. */
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

function causesOf(difference: Difference): readonly (readonly [operations: readonly string[], what: string])[] {
  if ('redeem_code' in difference) return [ofRedemption[difference.kind]];
  if (difference.kind !== 'balance_differs') return [];
  return difference.changes.flatMap(({ mistake }) => (mistake === null ? [] : [ofBalance[mistake]]));
}
