import type { ClientCall, ClientReply } from '../calls.ts';
import type { Client } from '../client.ts';
import { carryOut, holderBalance } from '../redemptions.ts';

/** Gives the points of a line back, once (E8; OP-21, OP-22, OP-29). */
export async function reversePoints(
  client: Client,
  call: ClientCall<'reversePoints'>,
): Promise<ClientReply<'reversePoints'>> {
  const { redeem_code, points, reason } = call.body;
  return client.store.transact((tx) => {
    const failure = carryOut(client, tx, redeem_code, { type: 'reverse', points, reason }, call.trace);
    if (failure !== undefined) return failure;
    return { status: 200, body: { success: true, status: 200, balance: holderBalance(tx, redeem_code) } };
  });
}
