import { parseNumericText, wrongTotal } from '../../domain/points.ts';
import { type ClientCall, type ClientReply, customerFor, mandatoryDetails, unknownProject } from '../access.ts';
import type { Client } from '../client.ts';
import { carryOut, deduct } from '../redemptions.ts';

/** Records a redemption and deducts its points, once per redeemCode (B5 to B9; OP-08, OP-15, OP-23, OP-122). */
export async function saveRedeemDetails(
  client: Client,
  call: ClientCall<'saveRedeemDetails'>,
): Promise<ClientReply<'saveRedeemDetails'>> {
  const { body } = call;
  const { uid, redeemCode } = body;
  const points = parseNumericText(body.totalPointWithProcessingFee);
  if (points === undefined) return mandatoryDetails('/totalPointWithProcessingFee');
  const found = customerFor(client.store, call.caller, uid);
  if ('kind' in found) return found;
  if (body.scheme !== client.projectCode) return unknownProject('/scheme');
  const wrong = wrongTotal(body);
  if (wrong !== undefined) {
    return {
      kind: 'points_mismatch',
      where: `/${wrong.field}`,
      problem: `must be ${wrong.sum}, the sum of its parts`,
    };
  }
  // Only a shipped product has an address (R15). Nothing else in the record distinguishes products from vouchers.
  const vouchers = body.shippingAddress === '';
  const customer = await deduct(client, call, { uid, redeemCode, points, record: body, ending: 'reported', vouchers });
  return 'kind' in customer ? customer : { status: 200, body: { success: true, status: 200 } };
}

/** Records the final status of a redemption, and refunds its points once if it was rejected (B10 to B14; OP-21, OP-22). */
export async function updateRedeemStatus(
  client: Client,
  call: ClientCall<'updateRedeemStatus'>,
): Promise<ClientReply<'updateRedeemStatus'>> {
  const { redeemCode, status, orderStatus, remark, projectCode } = call.body;
  if (status !== orderStatus) return { kind: 'status_mismatch' };
  if (projectCode !== client.projectCode) return unknownProject('/projectCode');
  return client.store.transact((tx) => {
    const failure = carryOut(client, tx, redeemCode, { type: 'report', status, reason: remark }, call.trace);
    return failure ?? { status: 200, body: { success: true, status: 200 } };
  });
}
