import type { ClientCall, ClientReply } from '../calls.ts';
import type { Client } from '../client.ts';
import { unknownProject } from '../customers.ts';
import { carryOut } from '../redemptions.ts';

/** Notes how a redemption ended, and gives the points back on a rejection, once (B10 to B14; OP-21, OP-22). */
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
