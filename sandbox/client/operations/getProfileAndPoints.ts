import { points } from '../../domain/ledger.ts';
import type { ClientCall, ClientReply } from '../calls.ts';
import type { Client } from '../client.ts';
import { customerFor } from '../customers.ts';

/** Shows a customer's profile and points to whoever holds that customer's token, or the service token (B2, B3). */
export async function getProfileAndPoints(
  client: Client,
  call: ClientCall<'getProfileAndPoints'>,
): Promise<ClientReply<'getProfileAndPoints'>> {
  const customer = customerFor(client.store, call.caller, call.query.uid);
  if ('kind' in customer) return customer;
  return { status: 200, body: { profile: customer.profile, points: points(customer.account) } };
}
