import { isDocumented } from '../contract/document.ts';
import { bodyFlaws, lookAt, made } from './check-body.ts';
import { headerFlaws } from './check-head.ts';
import { fields } from './decoding.ts';
import { type Exchange, namedHeaders, type Reply } from './exchange.ts';
import { displayValue, type Flaw } from './flaw.ts';
import type { RuledOperation } from './ruled-operation.ts';

/** Everything in a reply that is not as its operation says. The host is at fault for all of it. */
export function replyFlaws(
  operation: RuledOperation,
  { method, path }: Pick<Exchange, 'method' | 'path'>,
  message: Reply,
): readonly Flaw[] {
  const { status } = message;
  const rule = operation.replyRules.get(status);
  if (rule === undefined) {
    // Of a class of statuses the contract says nothing more.
    if (isDocumented(operation, status)) return [];
    const place = `${operation.pointer}/responses`;
    return [made('status.undocumented', '/status', dueInstead(operation, status), String(status), place)];
  }
  const headers = message.headers && namedHeaders(message.headers, rule.headers);
  const { flaws, value } = method === 'HEAD' ? { flaws: [] } : lookAt(message, rule);
  const found = value === undefined || rule.schema === undefined ? [] : bodyFlaws(operation, rule.schema, value);
  const another =
    value !== undefined && found.length === 0 && status < 300 ? otherCustomer(operation, path, value) : undefined;
  return [...flaws, ...headerFlaws(operation, rule, headers), ...found, ...(another === undefined ? [] : [another])];
}

/** What is due in place of a status: what the contract says of that very status, else all that it has. */
function dueInstead({ replyRules, classes }: RuledOperation, status: number): string {
  const own = `${Math.trunc(status / 100)}XX`;
  // A class that the status belongs to would read as if the status were right.
  const others = [...classes.keys()].filter((name) => name !== own);
  return classes.get(own)?.get(status) ?? `one of ${[...replyRules.keys(), ...others].join(', ')}`;
}

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
  const actual = displayValue(pointer, returned);
  return made('body.other-customer', `/body${pointer}`, 'must be the requested customer', actual, where);
}
