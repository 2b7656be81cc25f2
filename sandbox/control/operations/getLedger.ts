import type { Control, ControlCall, ControlReply } from '../control.ts';

/** Shows a customer's ledger and balance. */
export async function getLedger(control: Control, call: ControlCall<'getLedger'>): Promise<ControlReply<'getLedger'>> {
  const ledger = control.customers.ledger(call.path.uid);
  return ledger === undefined ? { kind: 'not_found' } : { status: 200, body: ledger };
}
