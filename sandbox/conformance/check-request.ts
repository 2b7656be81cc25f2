import { at, follow, type Node } from '../contract/document.ts';
import { bodyFlaws, lookAt, made } from './check-body.ts';
import type { CheckedOperation } from './contracts.ts';
import { fields } from './decoding.ts';
import { bodyDiagnostics, parameterFlaws } from './diagnostics.ts';
import { type Message, namedHeaders } from './exchange.ts';
import { type Flaw, shown } from './flaw.ts';
import { isJudgedAlike, isPlainHead } from './plain.ts';
import type { Element } from './prism-view.ts';
import { isProvenHead, prove, proveHead } from './proven.ts';

/**
 * Everything in a request that is not as its operation says. The caller is at fault for all of it. `masked` says that
 * secrets were replaced by asterisks.
 */
export function requestFlaws(
  operation: CheckedOperation,
  path: string,
  message: Message,
  masked = false,
): readonly Flaw[] {
  const { body } = operation;
  const [place = ''] = path.split('?', 1);
  if (!isDecodable(place)) {
    return [made('url.malformed', '/url', 'a path in percent-encoded UTF-8', shown('/url', place), operation.pointer)];
  }
  const looked = lookAt(message, operation.requestRule);
  const sent = namedHeaders(message.headers ?? [], operation.requestRule.headers);
  // Everything that is looked at below, where there is no body to look into.
  const head = JSON.stringify([path, message.headers === undefined, sent]);
  const known = !masked && looked.value === undefined && looked.flaws.length === 0;
  if (known && isProvenHead(operation.requestRule, head)) return [];
  const element = elementOf(operation, path, sent, looked.value);
  if (isPlainHead(operation, element) && isPlainBody(operation, looked.value)) {
    prove(operation.requestRule, looked.seen);
    if (known) proveHead(operation.requestRule, head);
    return looked.flaws;
  }
  const left = operation.prism().request(element);
  const seen = message.headers !== undefined;
  const parameters = parameterFlaws(
    left.filter(({ path: place = [] }) => seen || place[0] !== 'header'),
    (part, name) => valueAt(operation, element, part, name),
    (part, name) => ruleOf(operation, part, name),
  );
  const found = [
    ...(seen ? credentialFlaws(operation, element, masked) : []),
    ...parameters,
    ...looked.flaws,
    ...schemaFlaws(),
  ];
  if (known && found.length === 0) proveHead(operation.requestRule, head);
  return found;

  /**
   * The body's flaws. Prism passes over a body that is null, false, 0 or "", which a schema has something to say about.
   */
  function schemaFlaws(): Flaw[] {
    if (body === undefined || looked.value === undefined) return [];
    const complained = left.some(({ path: place = [] }) => place[0] === 'body');
    if (!complained && looked.value) {
      prove(operation.requestRule, looked.seen);
      return [];
    }
    const found = bodyFlaws(operation, body.schema, looked.value);
    return found.length > 0 ? found : bodyDiagnostics(left, operation);
  }
}

/**
 * Whether nothing is wrong with a body that is there, nor would be for Prism. A body that is null, false, 0 or "" is
 * left to the rest of the check.
 */
function isPlainBody(operation: CheckedOperation, value: unknown): boolean {
  const { body } = operation;
  if (body === undefined || value === undefined) return true;
  if (!value || !isJudgedAlike(operation, body.schema, value)) return false;
  return operation.contract.schemas.findings(body.schema, value).length === 0;
}

/** Whether the values in a path can be read; Prism breaks down over one that cannot. */
function isDecodable(path: string): boolean {
  try {
    return decodeURIComponent(path) !== undefined;
  } catch {
    return false;
  }
}

/** A request as Prism takes it. The media type was looked at already. */
function elementOf(operation: CheckedOperation, path: string, headers: Record<string, string>, body: unknown): Asked {
  const [place = '', query = ''] = path.split('?');
  return { method: operation.method.toLowerCase(), url: { path: place, query: fields(query) }, headers, body };
}

type Asked = Element & { readonly url: { readonly query: Readonly<Record<string, string | string[]>> } };

function credentialFlaws(operation: CheckedOperation, element: Asked, masked: boolean): Flaw[] {
  // Of a masked credential only its scheme is left, if that.
  const [blank, scheme] = /^(?:(\S+) )?\*{3,}$/.exec(element.headers.authorization ?? '') ?? [];
  const kept = scheme === undefined || forms(operation).includes(`: ${scheme} <`);
  if (masked && blank !== undefined && kept) return [];
  if (operation.prism().credentials(element).length === 0) return [];
  const { bundle } = operation.contract;
  const own = `${operation.pointer}/security`;
  const rule = at(bundle, own) === undefined ? '/security' : own;
  const given = element.headers.authorization;
  const actual = given === undefined ? 'nothing' : `an Authorization header of another scheme`;
  const code = given === undefined ? 'credential.missing' : 'credential.scheme';
  return [made(code, '/headers/authorization', forms(operation), actual, rule)];
}

/** The forms of a credential that an operation takes. */
function forms({ security, contract: { bundle } }: CheckedOperation): string {
  const named = security.map((name) => {
    const { type, scheme } = at(bundle, `/components/securitySchemes/${name}`) as Node;
    if (type === 'apiKey') return `Authorization: <${name}>`;
    return `Authorization: ${scheme === 'basic' ? 'Basic <credentials>' : `Bearer <${name}>`}`;
  });
  return [...new Set(named)].join(' or ');
}

function valueAt(operation: CheckedOperation, { url, headers }: Asked, part: string, name: string): unknown {
  if (part === 'header') return headers[name.toLowerCase()];
  if (part === 'query')
    return url.query[name] ?? Object.entries(url.query).find(([key]) => key.toLowerCase() === name)?.[1];
  const index = operation.path.split('/').indexOf(`{${name}}`);
  return url.path.split('/')[index];
}

function ruleOf({ contract: { bundle }, pointer }: CheckedOperation, part: string, name: string): string {
  const parameters = (at(bundle, `${pointer}/parameters`) ?? []) as readonly unknown[];
  const index = parameters.findIndex((_, number) => {
    const known = at(bundle, follow(bundle, `${pointer}/parameters/${number}`)) as Node;
    return known.in === part && String(known.name).toLowerCase() === name.toLowerCase();
  });
  return index < 0 ? pointer : follow(bundle, `${pointer}/parameters/${index}`);
}
