import type { Control, ControlCall, ControlReply } from '../../control.ts';
import { pageAfter, usualLimit } from '../../page.ts';

/** Shows a customer's ledger and balance. */
export async function getLedger(control: Control, call: ControlCall<'getLedger'>): Promise<ControlReply<'getLedger'>> {
  const { after = 0, limit = usualLimit } = call.query;
  const ledger = control.customers.ledger(call.path.uid, after, limit + 1);
  if (ledger === undefined) return { kind: 'not_found' };
  const { items, next } = await pageAfter(ledger.items, limit, ({ number }) => number);
  return { status: 200, body: { items: items.map(({ number, ...entry }) => entry), next, balance: ledger.balance } };
}
