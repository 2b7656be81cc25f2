import { isBlank } from '../activity-log/masking.ts';
import { formFields } from '../contract/body.ts';
import { isDocumented } from '../contract/document.ts';
import type { Issue } from '../contract/schemas.ts';
import { bodyFlaws, lookAt, made } from './check-body.ts';
import { type Exchange, type Message, namedHeaders, type Reply } from './exchange.ts';
import { displayValue, type Flaw } from './finding.ts';
import { type Described, parameterValue, type RuledOperation, type Scheme } from './ruled-operation.ts';

/**
 * Returns all flaws of a request against its operation. The caller is at fault. `masked` means that secrets were replaced by values
 * that are not checked.
 */
export function requestFlaws(
  operation: RuledOperation,
  path: string,
  message: Message,
  masked = false,
): readonly Flaw[] {
  const malformed = addressFlaws(operation, path);
  if (malformed.length > 0) return malformed;
  const { requestRule, body } = operation;
  const headers = message.headers && namedHeaders(message.headers, requestRule.headers);
  const { flaws, value } = lookAt(message, requestRule);
  return [
    ...(headers === undefined ? [] : credentialFlaws(operation, headers, masked)),
    ...parameterFlaws(operation, path, headers),
    ...flaws,
    ...(body === undefined || value === undefined ? [] : bodyFlaws(operation, body.schema, value)),
  ];
}

/** Returns the flaw of a path whose percent-encoding cannot be decoded. */
export function addressFlaws({ pointer }: RuledOperation, path: string): readonly Flaw[] {
  const [place = ''] = path.split('?', 1);
  try {
    decodeURIComponent(place);
    return [];
  } catch {
    return [made('url.malformed', '/url', 'a path in percent-encoded UTF-8', displayValue('/url', place), pointer)];
  }
}

/** Returns all flaws of a reply against its operation. The host is at fault. */
export function replyFlaws(
  operation: RuledOperation,
  { method, path }: Pick<Exchange, 'method' | 'path'>,
  message: Reply,
): readonly Flaw[] {
  const { status } = message;
  const rule = operation.replyRules.get(status);
  if (rule === undefined) {
    // The contract documents only the class of this status, without further rules.
    if (isDocumented(operation, status)) return [];
    const place = `${operation.pointer}/responses`;
    return [made('status.undocumented', '/status', dueInstead(operation, status), String(status), place)];
  }
  const headers = message.headers && namedHeaders(message.headers, rule.headers);
  const { flaws, value } = method === 'HEAD' ? { flaws: [] } : lookAt(message, rule);
  const found = value === undefined || rule.schema === undefined ? [] : bodyFlaws(operation, rule.schema, value);
  const another = value !== undefined && found.length === 0 && status < 300 && otherCustomer(operation, path, value);
  return [
    ...flaws,
    ...rule.described.flatMap((one) => described(operation, one, headers)),
    ...found,
    ...(another ? [another] : []),
  ];
}

/** Returns the contract's expectation instead of a status: the text about that very status, or all documented statuses. */
function dueInstead({ replyRules, classes }: RuledOperation, status: number): string {
  const own = `${Math.trunc(status / 100)}XX`;
  // Listing the status's own class would suggest that the status is correct.
  const others = [...classes.keys()].filter((name) => name !== own);
  return classes.get(own)?.get(status) ?? `one of ${[...replyRules.keys(), ...others].join(', ')}`;
}

/** Operations whose reply must be about the customer in a parameter, and the reply field that identifies the customer (OP-123). */
const about: Readonly<Record<string, { readonly parameter: string; readonly place: readonly string[] }>> = {
  getProfileAndPoints: { parameter: 'uid', place: ['profile', 'uid'] },
  getCustomerPoints: { parameter: 'customer_id', place: ['customer_id'] },
};

/** Returns the flaw of a valid reply that is about a customer other than the requested one. */
function otherCustomer(operation: RuledOperation, path: string, reply: unknown): Flaw | undefined {
  const rule = about[operation.operationId];
  const requested = rule && formFields(path.split('?')[1] ?? '')[rule.parameter];
  if (rule === undefined || requested === undefined) return undefined;
  const returned = rule.place.reduce<unknown>((part, name) => (part as Readonly<Record<string, unknown>>)[name], reply);
  if (returned === requested) return undefined;
  const pointer = `/${rule.place.join('/')}`;
  const where = operation.replyRules.get(200)?.where ?? operation.pointer;
  const actual = displayValue(pointer, returned);
  return made('body.other-customer', `/body${pointer}`, 'must be the requested customer', actual, where);
}

/** Header values by lower-case name; `undefined` if the capture has no headers. */
type Headers = Readonly<Record<string, string>> | undefined;

/** Returns all flaws in the parameters of a request. */
export function parameterFlaws(operation: RuledOperation, path: string, headers: Headers): readonly Flaw[] {
  const { parameters } = operation;
  if (parameters.length === 0) return [];
  const [place = '', ...search] = path.split('?');
  const query = new URLSearchParams(search.join('?'));
  const segments = place.split('/');
  const names = operation.path.split('/');
  return parameters.flatMap((parameter) => {
    if (parameter.in === 'header') return described(operation, parameter, headers);
    if (parameter.in === 'path') {
      const segment = segments[names.indexOf(`{${parameter.name}}`)];
      return judged(operation, parameter, segment === undefined ? undefined : decodeURIComponent(segment));
    }
    const values = query.getAll(parameter.name);
    return judged(operation, parameter, values.length > 1 ? values : values[0]);
  });
}

function described(operation: RuledOperation, header: Described, headers: Headers): readonly Flaw[] {
  return headers === undefined ? [] : judged(operation, header, headers[header.name.toLowerCase()]);
}

function judged({ contract }: RuledOperation, of: Described, value: unknown): readonly Flaw[] {
  if (value === undefined) return of.required ? valueFlaws(of, value) : [];
  return valueFlaws(of, value, contract.schemas.check(of.schema)(parameterValue(of, value)) ?? []);
}

/** Converts the issues of a parameter or header to flaws. Without `issues`, reports that the value is missing. */
export function valueFlaws(of: Described, value: unknown, issues?: readonly Issue[]): readonly Flaw[] {
  const { in: part, name, where } = of;
  const written = part === 'header' ? name.toLowerCase() : name;
  const place = `/${part === 'header' ? 'headers' : part}/${written}`;
  const flaw = (keyword: string, expected: string, pointer = place): Flaw => ({
    ...made(`${part}.${keyword}`, pointer, expected, displayValue(`/${written}`, value), where),
    blank: isBlank(value),
  });
  if (issues === undefined) return [flaw('required', 'is required')];
  return issues.map(({ keyword, problem, where: within }) => flaw(keyword, problem, place + within));
}

/** Returns the flaw of a request whose credential is missing or has a scheme that the operation does not accept. */
export function credentialFlaws(
  operation: RuledOperation,
  { authorization }: NonNullable<Headers>,
  masked: boolean,
): readonly Flaw[] {
  const { where, schemes } = operation.credentials;
  if (schemes.length === 0 || schemes.some((scheme) => takes(scheme, authorization))) return [];
  const forms = [...new Set(schemes.flatMap((scheme) => scheme?.form ?? []))].join(' or ');
  // Masking leaves at most the scheme of a credential.
  const [blank, scheme] = /^(?:(\S+) )?\*{3,}$/.exec(authorization ?? '') ?? [];
  const isAccepted = scheme === undefined || forms.toLowerCase().includes(`: ${scheme.toLowerCase()} <`);
  if (masked && blank !== undefined && isAccepted) return [];
  const [code, actual] =
    authorization === undefined
      ? (['credential.missing', 'nothing'] as const)
      : (['credential.scheme', 'an Authorization header with another scheme'] as const);
  return [made(code, '/headers/authorization', forms, actual, where)];
}

/** Returns whether a credential has the form of a scheme. The `undefined` scheme matches a call without a credential. */
function takes(scheme: Scheme | undefined, authorization: string | undefined): boolean {
  if (scheme === undefined) return authorization === undefined;
  if (authorization === undefined || authorization === '') return false;
  if (scheme.kind === 'bare') return true;
  if (scheme.kind === 'bearer') return /^Bearer\s.+$/i.test(authorization);
  // The value of a repeated header follows a comma. As for the other schemes, the contract does not define its meaning (OP-03).
  const [, pair = ''] = /^Basic ([\w+/=-]+)(?:,|$)/i.exec(authorization) ?? [];
  return Buffer.from(pair, 'base64').toString().includes(':');
}
