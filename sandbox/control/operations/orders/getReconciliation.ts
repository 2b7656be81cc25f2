import type { components } from '../../../../generated/sandbox/types.ts';
import { type Difference, reconcile } from '../../../domain/reconciliation.ts';
import type { Control, ControlCall, ControlReply } from '../../control.ts';
import { pageAfter, usualLimit } from '../../page.ts';
import { sideOf } from '../../sides.ts';

/** Compares what platform and client count as deducted (OP-23). The comparing itself is `domain/reconciliation.ts`. */
export async function getReconciliation(
  control: Control,
  call: ControlCall<'getReconciliation'>,
): Promise<ControlReply<'getReconciliation'>> {
  const differences = reconcile(control.books.platform(), control.books.client());
  const { after = '', limit = usualLimit } = call.query;
  const byCode = differences.toSorted((one, other) => (one.redeemCode < other.redeemCode ? -1 : 1));
  const found = byCode.filter(({ redeemCode }) => redeemCode > after).slice(0, limit + 1);
  return { status: 200, body: await pageAfter(found.map(shown), limit, ({ redeem_code }) => redeem_code) };
}

function shown(found: Difference): components['schemas']['Difference'] {
  const { redeemCode: redeem_code, uid, kind, platform, client, difference, outstanding } = found;
  return { redeem_code, uid, kind, platform: sideOf(platform), client: sideOf(client), difference, outstanding };
}
