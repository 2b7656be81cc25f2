import validators from '@stoplight/prism-http/dist/validator/validators/index.js';
import { ValidationContext } from '@stoplight/prism-http/dist/validator/validators/types.js';
import { at, type Node } from '../contract/document.ts';
import type { SecondLook } from './check-reply.ts';
import { complaints } from './check-request.ts';
import type { CheckedOperation } from './contracts.ts';
import { bodyDiagnostics, parameterFlaws } from './diagnostics.ts';
import { header, namedHeaders, type Reply } from './exchange.ts';

/** What Prism says about a reply: its headers, where they were kept, and a body that the schema has nothing against. */
export function prismLook(operation: CheckedOperation, { status, headers: sent }: Reply): SecondLook {
  const known = operation.prismReplies.get(status);
  const rule = operation.replyRules.get(status);
  const { __bundled__: bundled } = operation.prism as { readonly __bundled__?: unknown };
  return {
    headers(type) {
      if (sent === undefined || rule === undefined) return [];
      const values = { ...namedHeaders(sent, rule.headers), ...(type !== undefined && { 'content-type': type }) };
      return parameterFlaws(
        complaints(
          validators.validateHeaders(values, (known?.headers ?? []) as never, ValidationContext.Output, bundled),
        ),
        (_, name) => header(sent, name.toLowerCase()),
        (_, name) => headerRule(operation, rule.where, name),
      );
    },
    body(value, type) {
      const { contents = [] } = known ?? {};
      const left = complaints(
        validators.validateBody(value, contents, ValidationContext.Output, type, undefined, bundled),
      );
      return bodyDiagnostics(left, operation);
    },
  };
}

function headerRule({ contract: { bundle } }: CheckedOperation, where: string, name: string): string {
  const place = `${where}/headers`;
  const known = Object.keys((at(bundle, place) ?? {}) as Node).find((key) => key.toLowerCase() === name.toLowerCase());
  return known === undefined ? place : `${place}/${known}`;
}
