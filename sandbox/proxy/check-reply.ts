import { validateOutput } from '@stoplight/prism-http/dist/validator/index.js';
import { at, type Node } from '../contract/document.ts';
import { bodyFlaws, lookAt, made } from './check-body.ts';
import { complaints } from './check-request.ts';
import type { BodyRule, CheckedOperation } from './contracts.ts';
import { bodyDiagnostics, parameterFlaws } from './diagnostics.ts';
import { header, namedHeaders, type Reply } from './exchange.ts';
import type { Flaw } from './flaw.ts';
import { prove } from './proven.ts';

/** Everything in a reply that is not as its operation says. The host is at fault for all of it. `method` is as it was sent. */
export function replyFlaws(operation: CheckedOperation, method: string, message: Reply): readonly Flaw[] {
  const { status, headers } = message;
  const rule = operation.replyRules.get(status);
  if (rule === undefined) {
    const known = [...operation.replyRules.keys()].join(', ');
    return [
      made('status.undocumented', '/status', `one of ${known}`, String(status), `${operation.pointer}/responses`),
    ];
  }
  const { where, types, schema } = rule;
  const looked = method === 'HEAD' ? { flaws: [] } : lookAt(message, rule);
  const element = {
    statusCode: status,
    headers: { ...namedHeaders(headers ?? [], rule.headers), 'content-type': looked.type ?? types[0] },
    body: looked.value,
  };
  const resource = looked.value === undefined ? operation.prismHeads.get(status) : operation.prism;
  const left = complaints(validateOutput({ resource, element } as never));
  const ofHeaders = headers === undefined ? [] : left.filter(({ path = [] }) => path[0] === 'header');
  const named = parameterFlaws(
    ofHeaders,
    (_, name) => header(headers, name.toLowerCase()),
    (_, name) => headerRule(operation, where, name),
  );
  return [...looked.flaws, ...named, ...schemaFlaws()];

  function schemaFlaws(): Flaw[] {
    if (looked.value === undefined) return [];
    if (!left.some(({ path = [] }) => path[0] === 'body')) {
      prove(rule as BodyRule, looked.seen);
      return [];
    }
    const found = schema === undefined ? [] : bodyFlaws(operation, schema, looked.value);
    return found.length > 0 ? found : bodyDiagnostics(left, operation);
  }
}

function headerRule({ contract: { bundle } }: CheckedOperation, where: string, name: string): string {
  const place = `${where}/headers`;
  const known = Object.keys((at(bundle, place) ?? {}) as Node).find((key) => key.toLowerCase() === name.toLowerCase());
  return known === undefined ? place : `${place}/${known}`;
}
