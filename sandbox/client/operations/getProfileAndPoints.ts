import { points } from '../../domain/ledger.ts';
import type { ClientCall, ClientReply } from '../calls.ts';
import type { Client } from '../client.ts';

/** Shows a customer's profile and points to whoever holds that customer's token, or the service token (interface B). */
export async function getProfileAndPoints(
  client: Client,
  call: ClientCall<'getProfileAndPoints'>,
): Promise<ClientReply<'getProfileAndPoints'>> {
  const { caller, query } = call;
  if (caller.kind === 'customer' && caller.uid !== query.uid) return { kind: 'token_invalid' };
  const customer = client.store.get('customers', query.uid);
  if (customer === undefined) return { kind: 'unknown_customer' };
  return { status: 200, body: { profile: customer.profile, points: points(customer.account) } };
}
