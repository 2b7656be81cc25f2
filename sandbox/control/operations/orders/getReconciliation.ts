import type { components } from '../../../../generated/sandbox/types.ts';
import { type Difference, reconcile } from '../../../domain/reconciliation.ts';
import type { Control, ControlCall, ControlReply, JudgedBalance } from '../../control.ts';
import { pageAfter, usualLimit } from '../../page.ts';
import { sideOf } from '../../sides.ts';

/**
 * Compares what platform and client count as deducted (OP-23); where a partner's own server is the client, what that
 * says of its customers' balances (OP-110). The comparing itself is `domain/reconciliation.ts` and `domain/balance.ts`.
 */
export async function getReconciliation(
  control: Control,
  call: ControlCall<'getReconciliation'>,
): Promise<ControlReply<'getReconciliation'>> {
  const { after = '', limit = usualLimit, balances: how = 'read' } = call.query;
  const balances = await control.books.balances({ after, limit, read: how === 'read', trace: call.trace });
  if (balances !== undefined) {
    const { items, next } = await pageAfter(balances.found.map(balanceShown), limit, ({ uid }) => uid);
    return { status: 200, body: { items, next: next ?? balances.next } };
  }
  const { platform, client } = await control.books.positions();
  const differences = reconcile(platform, client);
  const byCode = differences.toSorted((one, other) => (one.redeemCode < other.redeemCode ? -1 : 1));
  const found = byCode.filter(({ redeemCode }) => redeemCode > after).slice(0, limit + 1);
  return { status: 200, body: await pageAfter(found.map(shown), limit, ({ redeem_code }) => redeem_code) };
}

function shown(found: Difference): components['schemas']['Difference'] {
  const { redeemCode: redeem_code, uid, kind, platform, client, difference, outstanding } = found;
  return { redeem_code, uid, kind, platform: sideOf(platform), client: sideOf(client), difference, outstanding };
}

function balanceShown({ account, verdict, outstanding }: JudgedBalance): components['schemas']['BalanceDifference'] {
  const { uid, told } = account;
  const { kind, difference, changes } = verdict;
  return {
    uid,
    kind,
    reason: verdict.kind === 'unknown' ? verdict.reason : null,
    difference,
    balance: told?.balance ?? null,
    read_at: told === null ? null : new Date(told.at).toISOString(),
    changes: changes.map(({ kind, reference, points, mistake }) => ({ kind, reference, points, mistake })),
    outstanding,
  };
}
