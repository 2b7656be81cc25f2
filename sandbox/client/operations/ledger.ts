import { balance } from '../../domain/ledger.ts';
import type { ClientCall, ClientReply } from '../access.ts';
import type { Client } from '../client.ts';
import { carryOut, deduct, holder } from '../redemptions.ts';

/** Deducts the points of an order line, once per redeem code (E7; OP-08, OP-15, OP-23, OP-29). */
export async function redeemPoints(
  client: Client,
  call: ClientCall<'redeemPoints'>,
): Promise<ClientReply<'redeemPoints'>> {
  const { customer_id: uid, redeem_code: redeemCode, points } = call.body;
  const customer = await deduct(client, call, { uid, redeemCode, points, record: call.body, ending: 'read' });
  if ('kind' in customer) return customer;
  return { status: 200, body: { success: true, status: 200, balance: balance(customer.account) } };
}

/** Refunds the points of an order line, once (E8; OP-21, OP-22, OP-29). */
export async function reversePoints(
  client: Client,
  call: ClientCall<'reversePoints'>,
): Promise<ClientReply<'reversePoints'>> {
  const { redeem_code, points, reason } = call.body;
  return client.store.transact((tx) => {
    const failure = carryOut(client, tx, redeem_code, { type: 'reverse', points, reason }, call.trace);
    if (failure !== undefined) return failure;
    return { status: 200, body: { success: true, status: 200, balance: balance(holder(tx, redeem_code).account) } };
  });
}
