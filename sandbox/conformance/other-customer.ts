import { made } from './check-body.ts';
import { fields } from './decoding.ts';
import { type Flaw, shown } from './flaw.ts';
import type { RuledOperation } from './ruled-operation.ts';

/** Operations whose reply has to be about the customer that a parameter names, and where it says so (OP-123). */
const about: Readonly<Record<string, { readonly parameter: string; readonly place: readonly string[] }>> = {
  getProfileAndPoints: { parameter: 'uid', place: ['profile', 'uid'] },
  getCustomerPoints: { parameter: 'customer_id', place: ['customer_id'] },
};

/** The flaw of a valid response that is about another customer than the requested one. */
export function otherCustomer(operation: RuledOperation, path: string, reply: unknown): Flaw | undefined {
  const rule = about[operation.operationId];
  const requested = rule && fields(path.split('?')[1] ?? '')[rule.parameter];
  if (rule === undefined || requested === undefined) return undefined;
  const returned = rule.place.reduce<unknown>((part, name) => (part as Readonly<Record<string, unknown>>)[name], reply);
  if (returned === requested) return undefined;
  const pointer = `/${rule.place.join('/')}`;
  const where = operation.replyRules.get(200)?.where ?? operation.pointer;
  const actual = shown(pointer, returned);
  return made('body.other-customer', `/body${pointer}`, 'must be the requested customer', actual, where);
}
