import { readFileSync } from 'node:fs';

/** A JSON object of a contract. */
export type Node = { readonly [key: string]: unknown };

/** A parameter of an operation. `failure` is its `x-failure`, the error for a value that does not match the schema. */
export interface Parameter {
  readonly name: string;
  readonly in: 'query' | 'path' | 'header';
  readonly required: boolean;
  readonly schema: string;
  /** Whether the value is an integer. Its text is converted to a number before validation. */
  readonly integer: boolean;
  readonly failure: string | undefined;
}

/** A documented reply. `examples` contains the names of its examples, which are failure kinds for an error reply. */
export interface DocumentedReply {
  readonly schema: string | undefined;
  readonly examples: ReadonlySet<string>;
  /** The permitted media types of the body. Empty for a stream or a reply without a body. */
  readonly types: ReadonlySet<string>;
  /** Whether the reply is a stream of server-sent events instead of a body. */
  readonly stream: boolean;
  /** Whether the interface states this reply. If false, it is an assumption. */
  readonly stated: boolean;
}

/** A documented request body. `form` is true for a submitted form and false for JSON. */
interface DocumentedBody {
  readonly schema: string;
  readonly form: boolean;
  /** Whether the body is required. A missing optional body is treated as an empty object. */
  readonly required: boolean;
  /** Whether unknown fields are refused instead of ignored. */
  readonly closed: boolean;
}

/** An operation, in the form that the binder needs. Schemas are JSON pointers into the bundle. */
export interface Operation {
  /** The name of the contract. */
  readonly api: string;
  readonly operationId: string;
  readonly method: string;
  /** The path, with parameters as `{name}` and without the prefix that it is served under. */
  readonly path: string;
  readonly hostedBy: 'platform' | 'client' | 'sandbox' | 'proxy';
  /** Security schemes, one of which must accept the credential. Empty if the operation has no security. */
  readonly security: readonly string[];
  readonly parameters: readonly Parameter[];
  /** Whether unknown query parameters are refused, because the contract has `x-unknown-parameters: refused`. */
  readonly closedQuery: boolean;
  /** The names of the header parameters, in lower case. */
  readonly headers: ReadonlySet<string>;
  readonly body: DocumentedBody | undefined;
  readonly replies: ReadonlyMap<number, DocumentedReply>;
  /**
   * Further status classes that a reply may have, such as `4XX`, with any body. Each maps the statuses excluded by `x-except`
   * to the reply required instead, such as `422, because the token is invalid`.
   */
  readonly classes: ReadonlyMap<string, ReadonlyMap<number, string>>;
}

/** A contract, and the operations read from its bundle. */
export interface Contract {
  readonly api: string;
  readonly bundle: Node;
  readonly operations: readonly Operation[];
  readonly securitySchemes: readonly string[];
}

const eventStream = 'text/event-stream';
const formType = 'application/x-www-form-urlencoded';
const methods = ['get', 'put', 'post', 'delete', 'patch'] as const;

/**
 * An edition of a contract. `sandbox` contains everything that the sandbox promises for its own replies. `interface`
 * contains only the statements and assumptions about the interface, which bind every server (decision 053).
 */
export type Edition = 'sandbox' | 'interface';

/** Reads the bundle that `npm run generate` wrote for a contract. */
export function readContract(api: string, edition: Edition = 'sandbox'): Contract {
  const file = new URL(`../../generated/${api}/${bundleFiles[edition]}`, import.meta.url);
  return contract(api, JSON.parse(readFileSync(file, 'utf8')));
}

/** The file of a contract's bundle, below `generated/<contract>/`. */
export const bundleFiles: Readonly<Record<Edition, string>> = { sandbox: 'bundle.json', interface: 'interface.json' };

/** Returns whether a status is documented, either on its own or by its class. */
export function isDocumented({ replies, classes }: Pick<Operation, 'replies' | 'classes'>, status: number): boolean {
  return replies.has(status) || classes.get(`${Math.trunc(status / 100)}XX`)?.has(status) === false;
}

/** Returns the statuses that a class excludes, each with the reply that the interface states instead. */
function exceptions(node: Node): ReadonlyMap<number, string> {
  const listed = Object.entries((node['x-except'] ?? {}) as Readonly<Record<string, string>>);
  return new Map(listed.map(([status, instead]) => [Number(status), instead]));
}

function isStatus(key: string): boolean {
  return /^\d{3}$/.test(key);
}

/** Builds a contract from a bundle. Throws if an operation lacks a part that the lint rules require. */
export function contract(api: string, bundle: Node): Contract {
  const operations: Operation[] = [];
  for (const [path, item] of Object.entries(object(bundle.paths))) {
    for (const method of methods) {
      const pointer = `/paths/${escapePointer(path)}/${method}`;
      if (object(item)[method] !== undefined) operations.push(operation(api, bundle, path, method, pointer));
    }
  }
  const components = object(bundle.components);
  return { api, bundle, operations, securitySchemes: Object.keys(object(components.securitySchemes)) };
}

function operation(api: string, bundle: Node, path: string, method: string, pointer: string): Operation {
  const node = object(at(bundle, pointer));
  const security = (node.security ?? bundle.security ?? []) as readonly Node[];
  const shared = object(at(bundle, pointer.slice(0, -method.length - 1))).parameters as readonly unknown[] | undefined;
  if (shared !== undefined) throw new Error(`${api}: ${path} has parameters outside its operations`);
  const body = node.requestBody === undefined ? undefined : follow(bundle, `${pointer}/requestBody`);
  const statuses = Object.keys(object(node.responses));
  const parameters = ((node.parameters ?? []) as readonly unknown[]).map((_, index) =>
    parameter(bundle, `${pointer}/parameters/${index}`),
  );
  return {
    api,
    operationId: text(node.operationId),
    method: method.toUpperCase(),
    path,
    hostedBy: text(node['x-hosted-by']) as Operation['hostedBy'],
    security: security.flatMap((alternative) => Object.keys(alternative)),
    parameters,
    closedQuery: object(bundle.info)['x-unknown-parameters'] === 'refused',
    headers: new Set(parameters.flatMap(({ in: place, name }) => (place === 'header' ? name.toLowerCase() : []))),
    body: body === undefined ? undefined : documentedBody(bundle, body),
    replies: new Map(
      statuses
        .filter(isStatus)
        .map((status) => [Number(status), reply(bundle, `${pointer}/responses/${status}`, node['x-basis'])]),
    ),
    classes: new Map(
      statuses
        .filter((status) => !isStatus(status))
        .map((name) => [name, exceptions(object(at(bundle, follow(bundle, `${pointer}/responses/${name}`))))]),
    ),
  };
}

function parameter(bundle: Node, pointer: string): Parameter {
  const place = follow(bundle, pointer);
  const node = object(at(bundle, place));
  const schema = follow(bundle, `${place}/schema`);
  return {
    name: text(node.name),
    in: text(node.in) as Parameter['in'],
    required: node.required === true,
    schema,
    integer: object(at(bundle, schema)).type === 'integer',
    failure: node['x-failure'] === undefined ? undefined : text(node['x-failure']),
  };
}

/** Replies by bundle, pointer and inherited basis. Most replies are referenced by many operations. */
const knownReplies = new WeakMap<Node, Map<string, DocumentedReply>>();

/** `around` is the basis of the operation, which applies to a reply without its own basis. */
function reply(bundle: Node, pointer: string, around: unknown): DocumentedReply {
  const replies = knownReplies.get(bundle) ?? new Map<string, DocumentedReply>();
  knownReplies.set(bundle, replies);
  const place = follow(bundle, pointer);
  const key = `${place} ${around}`;
  const found = replies.get(key) ?? readReply(bundle, place, around);
  replies.set(key, found);
  return found;
}

function readReply(bundle: Node, place: string, around: unknown): DocumentedReply {
  const node = object(at(bundle, place));
  const content = object(node.content);
  const types = Object.keys(content);
  const stated = String(node['x-basis'] ?? around).startsWith('stated ');
  const none = { schema: undefined, examples: new Set<string>(), types: new Set<string>(), stated };
  const [type] = types;
  if (type === undefined) return { ...none, stream: false };
  if (type === eventStream) return { ...none, stream: true };
  const examples = new Set(Object.keys(object(object(content[type]).examples)));
  return { ...none, schema: schemaOf(bundle, place, type), examples, types: new Set(types), stream: false };
}

function documentedBody(bundle: Node, place: string): DocumentedBody | undefined {
  const node = object(at(bundle, place));
  const [type] = Object.keys(object(node.content));
  if (type === undefined) return undefined;
  const schema = schemaOf(bundle, place, type);
  const closed = object(at(bundle, schema)).additionalProperties === false;
  return { schema, form: type === formType, required: node.required === true, closed };
}

/** Returns the pointer of a body's schema. All media types of a body share one schema. */
function schemaOf(bundle: Node, place: string, type: string): string {
  return follow(bundle, `${place}/content/${escapePointer(type)}/schema`);
}

/** Returns the pointer after following all references from `pointer`. */
export function follow(bundle: Node, pointer: string): string {
  const node = object(at(bundle, pointer));
  const { $ref: reference } = node;
  return typeof reference === 'string' && Object.keys(node).length === 1 ? follow(bundle, reference.slice(1)) : pointer;
}

/** Returns the value at a JSON pointer in the bundle, or `undefined` if there is none. */
export function at(bundle: Node, pointer: string): unknown {
  let node: unknown = bundle;
  for (const key of pointer.split('/').slice(1)) {
    if (node === null || typeof node !== 'object') return undefined;
    const name = /[%~]/.test(key) ? decodeURIComponent(key).replaceAll('~1', '/').replaceAll('~0', '~') : key;
    node = (node as Record<string, unknown>)[name];
  }
  return node;
}

/** Escapes a name for use as a segment of a JSON pointer. */
export function escapePointer(key: string): string {
  return key.replaceAll('~', '~0').replaceAll('/', '~1');
}

function object(value: unknown): Node {
  return value !== null && typeof value === 'object' ? (value as Node) : {};
}

function text(value: unknown): string {
  if (typeof value !== 'string') throw new Error(`the contract needs text here, found ${typeof value}`);
  return value;
}
