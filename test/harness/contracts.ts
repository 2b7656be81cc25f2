/** Reads the contracts in `openapi/` for tests: operations, parameters, bodies and replies. */
import { readdirSync, readFileSync } from 'node:fs';
import { at, follow, type Node } from '../../sandbox/contract/document.ts';

/** A contract in `openapi/` as a single document, with its operations. */
export interface Contract {
  readonly name: string;
  readonly document: Node;
  /** The operations under `paths`. Operations under `webhooks` are excluded because readers of the contract do not call them. */
  readonly operations: readonly Operation[];
}

/** An operation with its references resolved. */
export interface Operation {
  readonly id: string;
  readonly method: string;
  readonly path: string;
  readonly hostedBy: unknown;
  /** The path of the server that documents the operation, such as `/rewards`. */
  readonly address: string;
  readonly security: readonly Node[];
  /** Whether the operation accepts calls without credentials. */
  readonly open: boolean;
  readonly parameters: readonly Parameter[];
  readonly body: Content | undefined;
  readonly replies: readonly Reply[];
}

export interface Parameter {
  readonly name: string;
  readonly in: string;
  readonly required: boolean;
  readonly example: unknown;
}

export interface Reply {
  readonly status: number;
  readonly headers: Readonly<Record<string, unknown>>;
  readonly content: Content | undefined;
}

/** A body's single media type, the JSON pointer to its schema, and its examples by name. */
export interface Content {
  readonly type: string;
  readonly schema: string;
  readonly examples: readonly (readonly [name: string, value: unknown])[];
}

const root = new URL('../../', import.meta.url);
const methods = ['get', 'put', 'post', 'delete', 'patch'];

/** Loads every contract in `openapi/`, as bundled by `npm run generate`. */
export function loadContracts(): Contract[] {
  const files = readdirSync(new URL('openapi/', root)).filter((file) => file.endsWith('.yaml'));
  return files.map((file) => {
    const name = file.slice(0, -'.yaml'.length);
    const document: Node = JSON.parse(readFileSync(new URL(`generated/${name}/bundle.json`, root), 'utf8'));
    return { name, document, operations: operations(document) };
  });
}

function operations(document: Node): Operation[] {
  return Object.entries(nodeAt(document, '/paths')).flatMap(([path, item]) =>
    methods
      .filter((method) => Object.hasOwn(item as Node, method))
      .map((method) => operation(document, path, method, `/paths/${segment(path)}/${method}`)),
  );
}

function operation(document: Node, path: string, method: string, pointer: string): Operation {
  const node = nodeAt(document, pointer);
  const servers = document.servers as readonly { readonly url: string }[];
  const security = (node.security ?? document.security ?? []) as readonly Node[];
  return {
    id: String(node.operationId),
    method: method.toUpperCase(),
    path,
    hostedBy: node['x-hosted-by'],
    address: new URL(servers[0]?.url ?? '').pathname.replace(/\/$/, ''),
    security: Object.keys(security[0] ?? {}).map((name) => nodeAt(document, `/components/securitySchemes/${name}`)),
    open: security.length === 0 || security.some((alternative) => Object.keys(alternative).length === 0),
    parameters: ((node.parameters ?? []) as readonly unknown[]).map((_, index) =>
      parameter(document, `${pointer}/parameters/${index}`),
    ),
    body: node.requestBody === undefined ? undefined : content(document, `${pointer}/requestBody`),
    replies: Object.keys(nodeAt(document, `${pointer}/responses`)).map((status) =>
      reply(document, status, follow(document, `${pointer}/responses/${status}`)),
    ),
  };
}

function parameter(document: Node, pointer: string): Parameter {
  const node = nodeAt(document, pointer);
  return { name: String(node.name), in: String(node.in), required: node.required === true, example: node.example };
}

function reply(document: Node, status: string, pointer: string): Reply {
  const names = Object.keys((nodeAt(document, pointer).headers ?? {}) as Node);
  return {
    status: Number.parseInt(status, 10),
    headers: Object.fromEntries(
      names.map((name) => [name, nodeAt(document, `${pointer}/headers/${name}`)] as const).map(headerExample),
    ),
    content: content(document, pointer),
  };
}

/** Returns a header's example. Without one, returns the only value that the schema allows. */
function headerExample([name, node]: readonly [string, Node]): [string, unknown] {
  const schema = node.schema as { readonly enum?: readonly unknown[] };
  return [name, node.example ?? schema.enum?.[0]];
}

function content(document: Node, pointer: string): Content | undefined {
  const place = follow(document, pointer);
  const [type] = Object.keys((nodeAt(document, place).content ?? {}) as Node);
  if (type === undefined) return undefined;
  const media = `${place}/content/${segment(type)}`;
  const names = Object.keys((nodeAt(document, media).examples ?? {}) as Node);
  return {
    type,
    schema: `${media}/schema`,
    examples: names.map((name) => [name, nodeAt(document, `${media}/examples/${name}`).value] as const),
  };
}

/** Returns the object at a JSON pointer, with a reference resolved. */
function nodeAt(document: Node, pointer: string): Node {
  return at(document, follow(document, pointer)) as Node;
}

interface Place {
  readonly pointer: string;
  readonly node: Node;
}

/** Yields every object in a document except the data of examples. */
function* places(node: unknown, pointer = ''): Generator<Place> {
  if (node === null || typeof node !== 'object') return;
  if (!Array.isArray(node)) yield { pointer, node: node as Node };
  for (const [key, part] of Object.entries(node)) {
    if (key !== 'example' && key !== 'value') yield* places(part, `${pointer}/${segment(key)}`);
  }
}

/** Returns the JSON pointers of the independent schemas: the named ones, and those of parameters, headers and bodies. */
export function schemas(document: Node): string[] {
  const named = Object.keys(nodeAt(document, '/components/schemas'));
  return [
    ...named.map((name) => `/components/schemas/${name}`),
    ...carriers(document).map(({ pointer }) => `${pointer}/schema`),
  ];
}

/** Returns the examples of every parameter, header and body, each with the JSON pointer to its schema. */
export function examples(
  document: Node,
): { readonly where: string; readonly schema: string; readonly value: unknown }[] {
  return carriers(document).flatMap(({ pointer, node }) => {
    const named = Object.keys((node.examples ?? {}) as Node).map(
      (name) => [name, nodeAt(document, `${pointer}/examples/${name}`).value] as const,
    );
    const all = node.example === undefined ? named : [...named, ['example', node.example] as const];
    return all.map(([name, value]) => ({ where: `${pointer} ${name}`, schema: `${pointer}/schema`, value }));
  });
}

/** Returns parameters, headers and bodies: objects that have a schema next to their examples. */
function carriers(document: Node): Place[] {
  return [...places(document)].filter(({ pointer, node }) => 'schema' in node && !pointer.endsWith('/properties'));
}

function segment(key: string): string {
  return key.replaceAll('~', '~0').replaceAll('/', '~1').replaceAll('%', '%25');
}
