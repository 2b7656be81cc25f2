/**
 * Messages about which Prism has nothing to say beyond what our own compiled schemas say, so that it need not be asked,
 * nor loaded (OP-148). Whatever is not certain counts as not plain, and Prism is asked: the verdict is the same.
 */
import { at, follow, type Node } from '../contract/document.ts';
import { agreementOn } from './agreement.ts';
import type { Element } from './prism-view.ts';
import type { BodyRule, RuledOperation } from './ruled-operation.ts';

/** A parameter or header of which a text is turned into one value only, in the one way that there is. */
interface Plain {
  readonly in: string;
  /** In lower case. */
  readonly name: string;
  readonly required: boolean;
  readonly schema: string;
  readonly type: 'string' | 'integer' | 'boolean';
  /** Of a parameter in the path: which segment it is. */
  readonly segment: number;
}

/** What is known of a contract's parts; undefined for one that has something in it that is not plain. */
const parametersOf = new WeakMap<RuledOperation, readonly Plain[] | undefined>();
const headersOf = new WeakMap<BodyRule, readonly Plain[] | undefined>();

/** Whether Prism has nothing against a body that the schema at this pointer has nothing against. */
export function isJudgedAlike({ contract: { bundle } }: RuledOperation, schema: string, value: unknown): boolean {
  const agreement = agreementOn(bundle, schema);
  // Of leap seconds Prism has an opinion of its own.
  return agreement === 'all' || (agreement === 'but leap seconds' && !JSON.stringify(value).includes(':60'));
}

/** Whether Prism has nothing against the parameters of a request, nor against its credentials. */
export function isPlainHead(operation: RuledOperation, element: Element): boolean {
  if (!parametersOf.has(operation)) parametersOf.set(operation, plainParameters(operation));
  const parameters = parametersOf.get(operation);
  if (parameters === undefined || !hasCredentials(operation, element)) return false;
  const query = lowered(element.url.query ?? {});
  const segments = element.url.path.split('/');
  return (
    query !== undefined &&
    parameters.every((parameter) => {
      if (parameter.in === 'header') return isPlain(operation, parameter, element.headers[parameter.name]);
      if (parameter.in === 'query') return isPlain(operation, parameter, query.get(parameter.name));
      const segment = segments[parameter.segment];
      return segment !== undefined && unreserved.test(segment) && isPlain(operation, parameter, segment);
    })
  );
}

/** Whether Prism has nothing against these headers of a reply, named in lower case. */
export function arePlainHeaders(
  operation: RuledOperation,
  rule: BodyRule,
  values: Readonly<Record<string, string>>,
): boolean {
  if (!headersOf.has(rule)) headersOf.set(rule, plainHeaders(operation, rule));
  const headers = headersOf.get(rule);
  return headers?.every((header) => isPlain(operation, header, values[header.name])) === true;
}

/** What a path segment has that is written in one way only. */
const unreserved = /^[\w.~-]+$/;
/** Digits that are one number exactly, also as it is written. */
const digits = /^(?:0|[1-9]\d{0,14})$/;
const booleans: ReadonlyMap<string, boolean> = new Map([
  ['true', true],
  ['false', false],
]);

function isPlain({ contract }: RuledOperation, { required, schema, type }: Plain, given: unknown): boolean {
  // An empty text is not there for Prism.
  if (given === undefined || given === '') return !required;
  if (typeof given !== 'string') return false;
  if (type === 'integer' && !digits.test(given)) return false;
  const value = type === 'string' ? given : type === 'integer' ? Number(given) : booleans.get(given);
  return value !== undefined && contract.schemas.findings(schema, value).length === 0;
}

/** Fields of a query by name in lower case; undefined where two differ in case only. */
function lowered(query: NonNullable<Element['url']['query']>): ReadonlyMap<string, string | string[]> | undefined {
  const entries = Object.entries(query);
  const fields = new Map(entries.map(([name, value]) => [name.toLowerCase(), value]));
  return fields.size === entries.length ? fields : undefined;
}

/** Whether a credential is of a form that the operation takes, as Prism looks at it: nobody checks whether it is right. */
function hasCredentials({ contract: { bundle }, pointer }: RuledOperation, { headers }: Element): boolean {
  const { security = bundle.security } = at(bundle, pointer) as Node;
  const alternatives = (security ?? []) as readonly Node[];
  const { authorization } = headers;
  if (alternatives.length === 0) return true;
  return alternatives.some((alternative) => {
    const [name, ...more] = Object.keys(alternative);
    if (name === undefined) return authorization === undefined;
    const { type, scheme, in: place, name: header } = at(bundle, `/components/securitySchemes/${name}`) as Node;
    if (more.length > 0 || authorization === undefined || authorization === '') return false;
    if (type === 'http')
      return scheme === 'bearer' ? /^Bearer\s.+$/.test(authorization) : isBasic(scheme, authorization);
    return type === 'apiKey' && place === 'header' && header === 'Authorization';
  });
}

/** Whether a credential is a name and a password, in the one way in which both judges read it. */
function isBasic(scheme: unknown, authorization: string): boolean {
  const [, pair = ''] = /^Basic ([A-Za-z0-9+/]+=*)$/.exec(authorization) ?? [];
  return scheme === 'basic' && Buffer.from(pair, 'base64').toString().split(':').length === 2;
}

function plainParameters({ contract: { bundle }, pointer, path }: RuledOperation): readonly Plain[] | undefined {
  const all = ((at(bundle, `${pointer}/parameters`) ?? []) as readonly unknown[]).map((_, index) => {
    const place = follow(bundle, `${pointer}/parameters/${index}`);
    const { in: part, name } = at(bundle, place) as Node;
    const segment = path.split('/').indexOf(`{${name}}`);
    const known = part === 'header' || part === 'query' || (part === 'path' && segment >= 0);
    return known ? plain(bundle, place, part, String(name), segment) : undefined;
  });
  return whole(all);
}

function plainHeaders({ contract: { bundle } }: RuledOperation, { where }: BodyRule): readonly Plain[] | undefined {
  const names = Object.keys((at(bundle, `${where}/headers`) ?? {}) as Node);
  return whole(names.map((name) => plain(bundle, follow(bundle, `${where}/headers/${name}`), 'header', name, -1)));
}

/** Headers that OpenAPI ignores where they are described as parameters. */
const ignored = ['accept', 'content-type', 'authorization'];
const types: readonly unknown[] = ['string', 'integer', 'boolean'];
/** What a parameter may say of itself without being read in a way of its own. */
const expected = /^(?:name|in|required|schema|description|examples?|x-.+)$/;

function plain(bundle: Node, place: string, part: string, name: string, segment: number): Plain | undefined {
  const node = at(bundle, place) as Node;
  const schema = follow(bundle, `${place}/schema`);
  const { type } = (at(bundle, schema) ?? {}) as Node;
  const usual = Object.keys(node).every((key) => expected.test(key));
  if (!usual || ignored.includes(name.toLowerCase()) || !types.includes(type)) return undefined;
  if (agreementOn(bundle, schema) !== 'all') return undefined;
  const required = node.required === true;
  return { in: part, name: name.toLowerCase(), required, schema, type: type as Plain['type'], segment };
}

function whole(parts: readonly (Plain | undefined)[]): readonly Plain[] | undefined {
  return parts.every((part) => part !== undefined) ? parts : undefined;
}
