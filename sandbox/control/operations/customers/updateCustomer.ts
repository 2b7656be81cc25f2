import type { Control, ControlCall, ControlReply } from '../../control.ts';

/** Changes a customer's profile, or brings the balance to what was asked for. */
export async function updateCustomer(
  control: Control,
  call: ControlCall<'updateCustomer'>,
): Promise<ControlReply<'updateCustomer'>> {
  const { profile, points } = call.body;
  const input = { ...(profile && { profile }), ...(points && { balance: points.balance }) };
  const customer = await control.customers.change(call.path.uid, input, call.trace);
  if (customer === undefined) return { kind: 'not_found' };
  return 'kind' in customer ? customer : { status: 200, body: customer };
}
