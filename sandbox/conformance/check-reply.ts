import { isDocumented } from '../contract/document.ts';
import { bodyFlaws, lookAt, made } from './check-body.ts';
import { headerFlaws } from './check-head.ts';
import { type Exchange, namedHeaders, type Reply } from './exchange.ts';
import type { Flaw } from './flaw.ts';
import { otherCustomer } from './other-customer.ts';
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
