import { type Control, type ControlCall, type ControlReply, pageAfter, pageOfLog, usualLimit } from '../control.ts';

/** Creates a customer, with generated values for omitted profile fields. */
export async function createCustomer(
  control: Control,
  call: ControlCall<'createCustomer'>,
): Promise<ControlReply<'createCustomer'>> {
  const { uid, profile, points } = call.body;
  const input = { ...(profile && { profile }), ...(points && { balance: points.balance }) };
  const customer = await control.customers.create(uid, input, call.trace);
  return customer === undefined ? { kind: 'already_exists', id: uid } : { status: 201, body: customer };
}

/** Returns a customer's ledger and balance. */
export async function getLedger(control: Control, call: ControlCall<'getLedger'>): Promise<ControlReply<'getLedger'>> {
  const { after = 0, limit = usualLimit } = call.query;
  const ledger = control.customers.ledger(call.path.uid, after, limit + 1);
  if (ledger === undefined) return { kind: 'not_found', what: `Customer ${call.path.uid}` };
  const { items, next } = await pageAfter(ledger.items, limit, ({ number }) => number);
  return { status: 200, body: { items: items.map(({ number, ...entry }) => entry), next, balance: ledger.balance } };
}

/** Lists the reference client's customers. */
export async function listCustomers(
  control: Control,
  call: ControlCall<'listCustomers'>,
): Promise<ControlReply<'listCustomers'>> {
  const { after, limit = usualLimit } = call.query;
  const found = control.customers.list(after, limit + 1);
  return { status: 200, body: await pageAfter(found, limit, ({ uid }) => uid) };
}

/** Returns the outbox, newest first. With `wait`, waits for a message (OP-36, OP-167). */
export async function listMessages(
  control: Control,
  call: ControlCall<'listMessages'>,
): Promise<ControlReply<'listMessages'>> {
  const { limit = usualLimit, wait = 0, ...filter } = call.query;
  const found = await control.waiting.first(control.customers.messages(filter, limit + 1), call.patience(wait));
  const { items, next } = await pageOfLog(found, { after: filter.after, limit });
  return { status: 200, body: { items: items.toReversed(), next } };
}

/** Changes a customer's profile, or sets the balance to the requested value. */
export async function updateCustomer(
  control: Control,
  call: ControlCall<'updateCustomer'>,
): Promise<ControlReply<'updateCustomer'>> {
  const { profile, points } = call.body;
  const input = { ...(profile && { profile }), ...(points && { balance: points.balance }) };
  const customer = await control.customers.change(call.path.uid, input, call.trace);
  if (customer === undefined) return { kind: 'not_found', what: `Customer ${call.path.uid}` };
  return 'kind' in customer ? customer : { status: 200, body: customer };
}
