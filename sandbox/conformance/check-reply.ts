import validators from '@stoplight/prism-http/dist/validator/validators/index.js';
import { ValidationContext } from '@stoplight/prism-http/dist/validator/validators/types.js';
import { at, isDocumented, type Node } from '../contract/document.ts';
import { bodyFlaws, lookAt, made } from './check-body.ts';
import { complaints } from './check-request.ts';
import type { BodyRule, CheckedOperation } from './contracts.ts';
import { bodyDiagnostics, parameterFlaws } from './diagnostics.ts';
import { type HeaderList, header, namedHeaders, type Reply } from './exchange.ts';
import type { Flaw } from './flaw.ts';
import { prove } from './proven.ts';

/**
 * Everything in a reply that is not as its operation says. The host is at fault for all of it. `method` is as it was
 * sent.
 */
export function replyFlaws(operation: CheckedOperation, method: string, message: Reply): readonly Flaw[] {
  const { status, headers } = message;
  const rule = operation.replyRules.get(status);
  if (rule === undefined) {
    // Of a class of statuses the contract says nothing more.
    if (isDocumented(operation, status)) return [];
    const known = [...operation.replyRules.keys()].join(', ');
    return [
      made('status.undocumented', '/status', `one of ${known}`, String(status), `${operation.pointer}/responses`),
    ];
  }
  const { where, types, schema } = rule;
  const looked = method === 'HEAD' ? { flaws: [] } : lookAt(message, rule);
  const type = looked.type ?? types[0];
  const known = operation.prismReplies.get(status);
  const { __bundled__: bundled } = operation.prism as { readonly __bundled__?: unknown };
  const named = parameterFlaws(
    headers === undefined ? [] : complaints(ofHeaders(headers)),
    (_, name) => header(headers, name.toLowerCase()),
    (_, name) => headerRule(operation, where, name),
  );
  return [...looked.flaws, ...named, ...schemaFlaws()];

  function ofHeaders(sent: HeaderList): unknown {
    const values = { ...namedHeaders(sent, rule?.headers ?? []), ...(type !== undefined && { 'content-type': type }) };
    return validators.validateHeaders(values, (known?.headers ?? []) as never, ValidationContext.Output, bundled);
  }

  function schemaFlaws(): Flaw[] {
    if (looked.value === undefined) return [];
    const { contents = [] } = known ?? {};
    const left = complaints(
      validators.validateBody(looked.value, contents, ValidationContext.Output, type, undefined, bundled),
    );
    if (left.length === 0) {
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
