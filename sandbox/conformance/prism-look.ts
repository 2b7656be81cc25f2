import { at, type Node } from '../contract/document.ts';
import type { SecondLook } from './check-reply.ts';
import type { CheckedOperation } from './contracts.ts';
import { bodyDiagnostics, parameterFlaws } from './diagnostics.ts';
import { header, namedHeaders, type Reply } from './exchange.ts';
import { arePlainHeaders, isJudgedAlike } from './plain.ts';

/** What Prism says about a reply: its headers, where they were kept, and a body that the schema has nothing against. */
export function prismLook(operation: CheckedOperation, { status, headers: sent }: Reply): SecondLook {
  const rule = operation.replyRules.get(status);
  return {
    headers(type) {
      if (sent === undefined || rule === undefined) return [];
      const values = { ...namedHeaders(sent, rule.headers), ...(type !== undefined && { 'content-type': type }) };
      if (arePlainHeaders(operation, rule, values)) return [];
      return parameterFlaws(
        operation.prism().headers(status, values),
        (_, name) => header(sent, name.toLowerCase()),
        (_, name) => headerRule(operation, rule.where, name),
      );
    },
    body(value, type) {
      if (rule?.schema !== undefined && isJudgedAlike(operation, rule.schema, value)) return [];
      return bodyDiagnostics(operation.prism().body(status, value, type), operation);
    },
  };
}

function headerRule({ contract: { bundle } }: CheckedOperation, where: string, name: string): string {
  const place = `${where}/headers`;
  const known = Object.keys((at(bundle, place) ?? {}) as Node).find((key) => key.toLowerCase() === name.toLowerCase());
  return known === undefined ? place : `${place}/${known}`;
}
