import { parseNumericText } from '../../domain/points.ts';
import { digest } from '../../runtime/secrets.ts';
import type { ClientCall, ClientReply } from '../calls.ts';
import type { Client } from '../client.ts';
import { carryOut } from '../redemptions.ts';

/** Books a redemption and deducts its points, once per redeemCode (interface B; OP-08, OP-15, OP-23). */
export async function saveRedeemDetails(
  client: Client,
  call: ClientCall<'saveRedeemDetails'>,
): Promise<ClientReply<'saveRedeemDetails'>> {
  const { body, caller, trace } = call;
  const { uid, redeemCode } = body;
  if (caller.kind === 'customer' && caller.uid !== uid) return { kind: 'token_invalid' };
  const points = parseNumericText(body.totalPointWithProcessingFee);
  if (points === undefined) {
    return {
      kind: 'mandatory_details',
      where: '/totalPointWithProcessingFee',
      problem: 'must be a whole number as text',
    };
  }
  const fingerprint = digest(JSON.stringify(Object.entries(body).sort(([a], [b]) => (a < b ? -1 : 1))));
  return client.store.transact((tx) => {
    if (tx.get('customers', uid) === undefined) return { kind: 'unknown_customer' };
    const failure = carryOut(client, tx, redeemCode, { type: 'save', uid, points, fingerprint }, trace);
    return failure ?? { status: 200, body: { success: true, status: 200 } };
  });
}
