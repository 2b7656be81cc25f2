/** Mismatches between the ledgers of platform and client, in the format of the control API (OP-23). */
import type { components, operations } from '../../generated/sandbox/types.ts';
import { type Difference, reconcile } from '../domain/reconciliation.ts';
import { type Control, type JudgedBalance, pageAfter, usualLimit } from './control.ts';

/** Returns a page of the mismatches between both ledgers. */
export async function mismatches(
  control: Control,
  {
    after = '',
    limit = usualLimit,
    balances: how = 'read',
  }: NonNullable<operations['getReconciliation']['parameters']['query']>,
  trace: string,
): Promise<components['schemas']['Reconciliation']> {
  const balances = await control.ledgers.balances({ after, limit, read: how === 'read', trace });
  if (balances !== undefined) {
    const { items, next } = await pageAfter(balances.found.map(toPublicBalance), limit, ({ uid }) => uid);
    return { items, next: next ?? balances.next };
  }
  const { platform, client } = await control.ledgers.positions();
  const differences = reconcile(platform, client);
  const byCode = differences.toSorted((one, other) => (one.redeemCode < other.redeemCode ? -1 : 1));
  const found = byCode.filter(({ redeemCode }) => redeemCode > after).slice(0, limit + 1);
  return pageAfter(found.map(toPublicDifference), limit, ({ redeem_code }) => redeem_code);
}

function toPublicDifference(found: Difference): components['schemas']['Difference'] {
  const { redeemCode: redeem_code, uid, kind, platform, client, difference, outstanding } = found;
  return { redeem_code, uid, kind, platform: sideOf(platform), client: sideOf(client), difference, outstanding };
}

function toPublicBalance({ account, verdict, outstanding }: JudgedBalance): components['schemas']['BalanceDifference'] {
  const { uid, lastKnown = null } = account;
  const { kind, difference, changes } = verdict;
  return {
    uid,
    kind,
    reason: verdict.kind === 'unknown' ? verdict.reason : null,
    difference,
    balance: lastKnown?.balance ?? null,
    read_at: lastKnown === null ? null : new Date(lastKnown.at).toISOString(),
    changes: changes.map(({ kind, reference, points, mistake }) => ({ kind, reference, points, mistake })),
    outstanding,
  };
}

/** Returns one side's view of a redemption in the API's format; null if that side has none. */
export function sideOf<State extends string>(side: { readonly state: State; readonly points: number } | undefined) {
  return side === undefined ? null : { state: side.state, points: side.points };
}
