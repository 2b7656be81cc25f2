/** What is wrong with parameters, headers and credentials. */

import { isBlank } from '../activity-log/masking.ts';
import { at, type Node } from '../contract/document.ts';
import { made } from './check-body.ts';
import { type Described, parameterValue } from './described.ts';
import { displayValue, type Flaw } from './flaw.ts';
import type { RuledOperation } from './ruled-operation.ts';

/** Headers by their name in lower case; undefined where nobody knows which there were. */
export type Headers = Readonly<Record<string, string>> | undefined;

/** Everything that is wrong with the parameters of a request. */
export function parameterFlaws(operation: RuledOperation, path: string, headers: Headers): readonly Flaw[] {
  const { parameters } = operation;
  if (parameters.length === 0) return [];
  const [place = '', ...search] = path.split('?');
  const query = new URLSearchParams(search.join('?'));
  const segments = place.split('/');
  const names = operation.path.split('/');
  return parameters.flatMap((parameter) => {
    if (parameter.in === 'header') return headers === undefined ? [] : described(operation, parameter, headers);
    if (parameter.in === 'path') {
      const segment = segments[names.indexOf(`{${parameter.name}}`)];
      return judged(operation, parameter, segment === undefined ? undefined : decodeURIComponent(segment));
    }
    const values = query.getAll(parameter.name);
    return judged(operation, parameter, values.length > 1 ? values : values[0]);
  });
}

/** Everything that is wrong with the headers of a reply. */
export function headerFlaws(
  operation: RuledOperation,
  rule: { readonly described: readonly Described[] },
  headers: Headers,
): readonly Flaw[] {
  return headers === undefined ? [] : rule.described.flatMap((one) => described(operation, one, headers));
}

function described(operation: RuledOperation, header: Described, headers: NonNullable<Headers>): readonly Flaw[] {
  return judged(operation, header, headers[header.name.toLowerCase()]);
}

function judged({ contract }: RuledOperation, of: Described, given: unknown): readonly Flaw[] {
  const { in: part, name, required, schema, where } = of;
  const written = part === 'header' ? name.toLowerCase() : name;
  const place = `/${part === 'header' ? 'headers' : part}/${written}`;
  const flaw = (keyword: string, expected: string, pointer = place): Flaw => ({
    ...made(`${part}.${keyword}`, pointer, expected, displayValue(`/${written}`, given), where),
    blank: isBlank(given),
  });
  if (given === undefined) return required ? [flaw('required', 'is required')] : [];
  const found = contract.schemas.findings(schema, parameterValue(of, given));
  return found.map(({ keyword, problem, where: within }) => flaw(keyword, problem, place + within));
}

/** What is wrong with the credential of a request: whether there is one, of a scheme that the operation takes. */
export function credentialFlaws(
  operation: RuledOperation,
  { authorization }: NonNullable<Headers>,
  masked: boolean,
): readonly Flaw[] {
  const { bundle } = operation.contract;
  const own = `${operation.pointer}/security`;
  const rule = at(bundle, own) === undefined ? '/security' : own;
  const alternatives = (at(bundle, rule) ?? []) as readonly Node[];
  if (alternatives.length === 0) return [];
  const schemes = alternatives.map((alternative) => {
    const [name] = Object.keys(alternative);
    return name === undefined ? undefined : schemeOf(bundle, name);
  });
  if (schemes.some((scheme) => takes(scheme, authorization))) return [];
  const forms = [...new Set(schemes.flatMap((scheme) => scheme?.form ?? []))].join(' or ');
  // Of a masked credential only its scheme is left, if that.
  const [blank, scheme] = /^(?:(\S+) )?\*{3,}$/.exec(authorization ?? '') ?? [];
  if (masked && blank !== undefined && (scheme === undefined || forms.includes(`: ${scheme} <`))) return [];
  const [code, actual] =
    authorization === undefined
      ? (['credential.missing', 'nothing'] as const)
      : (['credential.scheme', 'an Authorization header with another scheme'] as const);
  return [made(code, '/headers/authorization', forms, actual, rule)];
}

interface Scheme {
  readonly kind: 'bearer' | 'basic' | 'bare';
  /** How the header looks. */
  readonly form: string;
}

function schemeOf(bundle: Node, name: string): Scheme {
  const { type, scheme } = at(bundle, `/components/securitySchemes/${name}`) as Node;
  if (type === 'apiKey') return { kind: 'bare', form: `Authorization: <${name}>` };
  if (scheme === 'basic') return { kind: 'basic', form: 'Authorization: Basic <credentials>' };
  return { kind: 'bearer', form: `Authorization: Bearer <${name}>` };
}

/** Whether a scheme takes a credential, whosever it is. Undefined is the scheme of a call without one. */
function takes(scheme: Scheme | undefined, authorization: string | undefined): boolean {
  if (scheme === undefined) return authorization === undefined;
  if (authorization === undefined || authorization === '') return false;
  if (scheme.kind === 'bare') return true;
  if (scheme.kind === 'bearer') return /^Bearer\s.+$/.test(authorization);
  // A second header stands behind a comma, as in the other schemes: what that means is not for a contract to say (OP-03).
  const [, pair = ''] = /^Basic ([\w+/=-]+)(?:,|$)/i.exec(authorization) ?? [];
  return Buffer.from(pair, 'base64').toString().includes(':');
}
