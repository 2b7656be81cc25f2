import { at, escapePointer, follow, type Node, type Operation } from '../contract/document.ts';
import type { LoadedContract } from '../contract/schemas.ts';

/** An operation with the contract rules for its request and replies. */
export interface RuledOperation extends Omit<Operation, 'parameters'> {
  readonly contract: Omit<LoadedContract, 'operations'>;
  /** JSON pointer of the operation in the bundle. */
  readonly pointer: string;
  readonly parameters: readonly Described[];
  /**
   * The credentials that the operation accepts, and the JSON pointer of that rule. A scheme is `undefined` for a call without a
   * credential. There is none if the contract does not define credentials.
   */
  readonly credentials: ReturnType<typeof credentialRule>;
  readonly requestRule: BodyRule;
  readonly replyRules: ReadonlyMap<number, ReplyRule>;
}

/** A way to send a credential. */
export interface Scheme {
  readonly kind: 'bearer' | 'basic' | 'bare';
  /** The form of the header. */
  readonly form: string;
}

/** The contract's rules for a body: its media types, and the schema if one of them is JSON. `where` is the JSON pointer of the rules. */
export interface BodyRule {
  readonly types: readonly string[];
  readonly schema: string | undefined;
  readonly required: boolean;
  readonly where: string;
  /** The lower-case names of the headers documented for the same message. */
  readonly headers: readonly string[];
}

/** The contract's rules for a reply, including its headers. */
interface ReplyRule extends BodyRule {
  readonly described: readonly Described[];
}

/** Reads the contract's rules for the messages of an operation. */
export function ruleOperation<C extends RuledOperation['contract']>(
  operation: Operation,
  contract: C,
): RuledOperation & { readonly contract: C } {
  const { bundle } = contract;
  const pointer = `/paths/${escapePointer(operation.path)}/${operation.method.toLowerCase()}`;
  const replyRules = [...operation.replies].map(([status, { schema }]) => {
    const where = follow(bundle, `${pointer}/responses/${status}`);
    const described = describedHeaders(bundle, where);
    const headers = described.map(({ name }) => name.toLowerCase());
    return [status, { types: mediaTypes(bundle, where), schema, required: true, where, headers, described }] as const;
  });
  const where = follow(bundle, `${pointer}/requestBody`);
  const body = at(bundle, where) as Node | undefined;
  const parameters = describedParameters(bundle, pointer);
  const headers = parameters.filter((parameter) => parameter.in === 'header');
  return {
    ...operation,
    contract,
    pointer,
    parameters,
    credentials: credentialRule(bundle, pointer),
    requestRule: {
      types: mediaTypes(bundle, where),
      schema: operation.body?.schema,
      required: body?.required === true,
      where: body === undefined ? pointer : where,
      headers: ['authorization', ...headers.map(({ name }) => name.toLowerCase())],
    },
    replyRules: new Map(replyRules),
  };
}

/** Returns the JSON pointer of an operation's path in the bundle. */
export function pathPointer({ pointer }: Pick<RuledOperation, 'pointer'>): string {
  return pointer.slice(0, pointer.lastIndexOf('/'));
}

function credentialRule(bundle: Node, pointer: string) {
  const own = `${pointer}/security`;
  const where = at(bundle, own) === undefined ? '/security' : own;
  const alternatives = (at(bundle, where) ?? []) as readonly Node[];
  const schemes = alternatives.map((alternative) => {
    const [name] = Object.keys(alternative);
    return name === undefined ? undefined : schemeOf(bundle, name);
  });
  return { where, schemes };
}

function schemeOf(bundle: Node, name: string): Scheme {
  const { type, scheme } = at(bundle, `/components/securitySchemes/${name}`) as Node;
  if (type === 'apiKey') return { kind: 'bare', form: `Authorization: <${name}>` };
  if (scheme === 'basic') return { kind: 'basic', form: 'Authorization: Basic <credentials>' };
  return { kind: 'bearer', form: `Authorization: Bearer <${name}>` };
}

function mediaTypes(bundle: Node, pointer: string): readonly string[] {
  return Object.keys((at(bundle, `${pointer}/content`) ?? {}) as Node);
}

/** A parameter of a request, or a header of a reply. */
export interface Described {
  readonly in: 'query' | 'path' | 'header';
  readonly name: string;
  readonly required: boolean;
  /** JSON pointers in the bundle to the schema (`schema`) and to the parameter or header itself (`where`). */
  readonly schema: string;
  readonly where: string;
  readonly type: unknown;
}

/** OpenAPI ignores parameters with these names. It also ignores `Content-Type` as a header of a reply. */
const ignored = ['accept', 'content-type', 'authorization'];

/** Returns the parameters of the operation at a JSON pointer. */
function describedParameters(bundle: Node, pointer: string): readonly Described[] {
  const parameters = (at(bundle, `${pointer}/parameters`) ?? []) as readonly unknown[];
  return parameters
    .map((_, index) => {
      const where = follow(bundle, `${pointer}/parameters/${index}`);
      const { in: place, name } = at(bundle, where) as Node;
      return described(bundle, where, place as Described['in'], String(name));
    })
    .filter((one) => one.in !== 'header' || !ignored.includes(one.name.toLowerCase()));
}

/** Returns the headers of the reply at a JSON pointer. */
function describedHeaders(bundle: Node, reply: string): readonly Described[] {
  const names = Object.keys((at(bundle, `${reply}/headers`) ?? {}) as Node);
  return names
    .filter((name) => !ignored.includes(name.toLowerCase()))
    .map((name) => described(bundle, follow(bundle, `${reply}/headers/${name}`), 'header', name));
}

function described(bundle: Node, where: string, place: Described['in'], name: string): Described {
  const node = at(bundle, where) as Node;
  const schema = follow(bundle, `${where}/schema`);
  const { type } = (at(bundle, schema) ?? {}) as Node;
  return { in: place, name, required: node.required === true, schema, where, type };
}

/** Text forms of an integer that the sandbox accepts, and of any JSON number. */
const integer = /^-?(?:0|[1-9]\d{0,14})$/;
const number = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/;

/** Converts text to the type of its parameter. Returns the text itself if it does not have that type. */
export function parameterValue({ type }: Pick<Described, 'type'>, text: unknown): unknown {
  if (typeof text !== 'string') return text;
  if (type === 'integer') return integer.test(text) ? Number(text) : text;
  if (type === 'number') return number.test(text) ? Number(text) : text;
  if (type === 'boolean') return text === 'true' || (text === 'false' ? false : text);
  return text;
}
