import type { Control, ControlCall, ControlReply } from '../../control.ts';

/** Makes a customer, with a generated profile for what was left out. */
export async function createCustomer(
  control: Control,
  call: ControlCall<'createCustomer'>,
): Promise<ControlReply<'createCustomer'>> {
  const { uid, profile, points } = call.body;
  const input = { ...(profile && { profile }), ...(points && { balance: points.balance }) };
  const customer = await control.customers.create(uid, input, call.trace);
  return customer === undefined ? { kind: 'already_exists', id: uid } : { status: 201, body: customer };
}
