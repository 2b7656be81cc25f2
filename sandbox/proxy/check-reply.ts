import { validateOutput } from '@stoplight/prism-http/dist/validator/index.js';
import { at, follow, type Node } from '../contract/document.ts';
import { bodyFlaws, lookAt, made } from './check-body.ts';
import { complaints } from './check-request.ts';
import type { CheckedOperation } from './contracts.ts';
import { bodyDiagnostics, parameterFlaws } from './diagnostics.ts';
import { header, type Reply } from './exchange.ts';
import type { Flaw } from './flaw.ts';

/** Everything in a reply that is not as its operation says. The host is at fault for all of it. `method` is as it was sent. */
export function replyFlaws(operation: CheckedOperation, method: string, message: Reply): readonly Flaw[] {
  const { status, headers } = message;
  const documented = operation.replies.get(status);
  const responses = `${operation.pointer}/responses`;
  if (documented === undefined) {
    const known = [...operation.replies.keys()].join(', ');
    return [made('status.undocumented', '/status', `one of ${known}`, String(status), responses)];
  }
  const where = follow(operation.contract.bundle, `${responses}/${status}`);
  const types = operation.replyTypes.get(status) ?? [];
  const bodiless = method === 'HEAD';
  const looked = bodiless
    ? { flaws: [] }
    : lookAt(message, { types, schema: documented.schema, required: true, where });
  const element = {
    statusCode: status,
    headers: {
      ...Object.fromEntries((headers ?? []).map(([name]) => [name.toLowerCase(), header(headers, name.toLowerCase())])),
      'content-type': looked.type ?? types[0],
    },
    body: looked.value,
  };
  const left = complaints(validateOutput({ resource: operation.prism, element } as never));
  const ofHeaders = headers === undefined ? [] : left.filter(({ path = [] }) => path[0] === 'header');
  const named = parameterFlaws(
    ofHeaders,
    (_, name) => header(headers, name.toLowerCase()),
    (_, name) => headerRule(operation, where, name),
  );
  return [...looked.flaws, ...named, ...schemaFlaws()];

  function schemaFlaws(): Flaw[] {
    if (looked.value === undefined || !left.some(({ path = [] }) => path[0] === 'body')) return [];
    const { schema } = documented ?? {};
    const found = schema === undefined ? [] : bodyFlaws(operation, schema, looked.value);
    return found.length > 0 ? found : bodyDiagnostics(left, operation);
  }
}

function headerRule({ contract: { bundle } }: CheckedOperation, where: string, name: string): string {
  const place = `${where}/headers`;
  const known = Object.keys((at(bundle, place) ?? {}) as Node).find((key) => key.toLowerCase() === name.toLowerCase());
  return known === undefined ? place : `${place}/${known}`;
}
