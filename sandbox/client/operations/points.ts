import { points } from '../../domain/ledger.ts';
import { parseNumericText } from '../../domain/points.ts';
import { type ClientCall, type ClientReply, customerFor, mandatoryDetails } from '../access.ts';
import type { Client } from '../client.ts';
import { bookEntry, creditFingerprint } from '../ledger.ts';
import { sendCredited } from '../outbox.ts';

/** Returns a customer's profile and points. Requires the customer's token or the service token (B2, B3). */
export async function getProfileAndPoints(
  client: Client,
  call: ClientCall<'getProfileAndPoints'>,
): Promise<ClientReply<'getProfileAndPoints'>> {
  const customer = customerFor(client.store, call.caller, call.query.uid);
  if ('kind' in customer) return customer;
  return { status: 200, body: { profile: customer.profile, points: points(customer.account) } };
}

/** Credits the points for a payment, once per transactionId (B4, OP-16). */
export async function creditPoints(
  client: Client,
  call: ClientCall<'creditPoints'>,
): Promise<ClientReply<'creditPoints'>> {
  const { uid, eventType, transactionId, paymentAmount } = call.body;
  const points = parseNumericText(call.body.points);
  if (points === undefined) return mandatoryDetails('/points');
  const fingerprint = creditFingerprint({ uid, eventType, paymentAmount, points });
  return client.store.transact((tx) => {
    const earlier = tx.get('credits', transactionId);
    if (earlier !== undefined && earlier.fingerprint !== fingerprint) return { kind: 'transaction_conflict' };
    if (earlier !== undefined) return { status: 200, body: { success: true, status: 200 } };
    const customer = tx.get('customers', uid);
    if (customer === undefined) return { kind: 'unknown_customer' };
    const entry = { kind: 'credit', points, reference: transactionId } as const;
    const seq = client.activity.nextSeq(tx);
    if (!bookEntry(tx, customer, entry, { at: client.clock.now(), redeemCode: null, seq })) {
      return mandatoryDetails('/points', 'would exceed the maximum balance of the account');
    }
    tx.put('credits', transactionId, { fingerprint });
    // A credit of 0 points needs no message.
    if (points > 0) sendCredited(tx, { uid, transactionId, points, at: client.clock.now() });
    const detail = { transactionId, points, label: 'Earned' };
    client.activity.note(tx, { trace: call.trace, party: 'client', event: 'points.credited', uid, detail });
    return { status: 200, body: { success: true, status: 200 } };
  });
}

/** Returns a customer's points. Requires the customer's token or the service token (E3, OP-29). */
export async function getCustomerPoints(
  client: Client,
  call: ClientCall<'getCustomerPoints'>,
): Promise<ClientReply<'getCustomerPoints'>> {
  const { customer_id } = call.query;
  const customer = customerFor(client.store, call.caller, customer_id);
  if ('kind' in customer) return customer;
  return { status: 200, body: { customer_id, points: points(customer.account) } };
}
