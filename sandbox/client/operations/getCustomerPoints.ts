import { points } from '../../domain/ledger.ts';
import type { ClientCall, ClientReply } from '../calls.ts';
import type { Client } from '../client.ts';
import { customerFor } from '../customers.ts';

/** Shows a customer's points to whoever holds that customer's token, or the service token (E3, OP-29). */
export async function getCustomerPoints(
  client: Client,
  call: ClientCall<'getCustomerPoints'>,
): Promise<ClientReply<'getCustomerPoints'>> {
  const { customer_id } = call.query;
  const customer = customerFor(client.store, call.caller, customer_id);
  if ('kind' in customer) return customer;
  return { status: 200, body: { customer_id, points: points(customer.account) } };
}
