import { isDocumented } from '../contract/document.ts';
import { bodyFlaws, lookAt, made } from './check-body.ts';
import type { Exchange, Reply } from './exchange.ts';
import type { Flaw } from './flaw.ts';
import { hangsOnRequest, otherCustomer } from './other-customer.ts';
import { prove } from './proven.ts';
import type { RuledOperation } from './ruled-operation.ts';

/** What else looks at a reply: it may know of more than the schemas say. */
export interface SecondLook {
  headers(type: string | undefined): readonly Flaw[];
  /** Of a body that the schema has nothing against. */
  body(value: unknown, type: string | undefined): readonly Flaw[];
}

/**
 * Everything in a reply that is not as its operation says. The host is at fault for all of it. The same for whoever
 * asks: the proxy and the traffic check, which have a `second` look at it, and the platform, which has not.
 */
export function replyFlaws(
  operation: RuledOperation,
  { method, path }: Pick<Exchange, 'method' | 'path'>,
  message: Reply,
  second?: SecondLook,
): readonly Flaw[] {
  const { status } = message;
  const rule = operation.replyRules.get(status);
  if (rule === undefined) {
    // Of a class of statuses the contract says nothing more.
    if (isDocumented(operation, status)) return [];
    const place = `${operation.pointer}/responses`;
    return [made('status.undocumented', '/status', dueInstead(operation, status), String(status), place)];
  }
  const looked = method === 'HEAD' ? { flaws: [] } : lookAt(message, rule);
  const type = looked.type ?? rule.types[0];
  return [...looked.flaws, ...(second?.headers(type) ?? []), ...valueFlaws()];

  function valueFlaws(): readonly Flaw[] {
    const { value } = looked;
    if (value === undefined) return [];
    const found = rule?.schema === undefined ? [] : bodyFlaws(operation, rule.schema, value);
    const other = found.length > 0 ? found : (second?.body(value, type) ?? []);
    if (other.length > 0) return other;
    if (hangsOnRequest(operation)) {
      const another = status < 300 ? otherCustomer(operation, path, value) : undefined;
      return another === undefined ? [] : [another];
    }
    if (rule !== undefined) prove(rule, looked.seen);
    return [];
  }
}

/** What is due in place of a status: what the contract says of that very status, else all that it has. */
function dueInstead({ replyRules, classes }: RuledOperation, status: number): string {
  const own = `${Math.trunc(status / 100)}XX`;
  // A class that the status belongs to would read as if the status were right.
  const others = [...classes.keys()].filter((name) => name !== own);
  return classes.get(own)?.get(status) ?? `one of ${[...replyRules.keys(), ...others].join(', ')}`;
}
