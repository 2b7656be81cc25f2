/** Tools for the operations of the control API, generated from its contract (OP-221). */
import { ProtocolError, ProtocolErrorCode } from '@modelcontextprotocol/server';
import { at, type Contract, follow, type Node, type Operation } from '../contract/document.ts';

/** A tool in the format of the Model Context Protocol, and the call that it makes. */
export interface Tool {
  readonly name: string;
  readonly description: string;
  readonly inputSchema: Node & { readonly type: 'object' };
  readonly annotations: { readonly readOnlyHint: boolean };
  /** Builds the call for the given arguments. A missing path value leaves its placeholder in the path. Throws for a dot segment. */
  readonly callOf: (args: Readonly<Record<string, unknown>>) => ToolCall;
}

/** The call of a tool. */
export interface ToolCall {
  readonly method: string;
  /** The path and query, such as `/sandbox/v1/clock`. */
  readonly target: string;
  readonly body?: unknown;
}

/** Operations that show credentials or one-time passwords. They are only offered with `write`. */
const revealing = ['getWorkspace', 'listMessages'];
/** Operations without a tool: an endless stream, the listener protocol, and the MCP endpoint itself. */
const excluded = ['streamActivity', 'openListener', 'postListenerReply', 'sendMcpMessage'];

/** Tools by contract. They are cached, because every HTTP request creates a server and contracts do not change. */
const toolsByContract = new WeakMap<Contract, readonly Tool[]>();

/** Returns the tools of a contract. Without `write`, omits tools that change data or show credentials. */
export function toolsOf(contract: Contract, write: boolean): readonly Tool[] {
  const tools = toolsByContract.get(contract) ?? makeTools(contract);
  toolsByContract.set(contract, tools);
  return tools.filter(
    ({ name, annotations: { readOnlyHint } }) => write || (readOnlyHint && !revealing.includes(name)),
  );
}

function makeTools({ bundle, operations }: Contract): readonly Tool[] {
  return operations
    .filter(({ operationId }) => !excluded.includes(operationId))
    .map((operation) => toolOf(bundle, operation));
}

function toolOf(bundle: Node, operation: Operation): Tool {
  const { operationId: name, method, path, parameters, body } = operation;
  const written = at(
    bundle,
    `/paths/${path.replaceAll('~', '~0').replaceAll('/', '~1')}/${method.toLowerCase()}`,
  ) as Node;
  const inUrl = parameters.filter(({ in: place }) => place === 'path' || place === 'query');
  const schemas = schemasOf(bundle);
  const properties = Object.fromEntries(inUrl.map((each) => [each.name, schemas.own(each.schema)]));
  const schema = body && schemas.own(body.schema);
  return {
    name,
    description: `${written.summary}. ${String(written.description ?? '').trim()}`,
    inputSchema: {
      type: 'object',
      properties: { ...properties, ...(schema !== undefined && { body: schema }) },
      required: [
        ...inUrl.filter(({ required }) => required).map((each) => each.name),
        ...(body?.required ? ['body'] : []),
      ],
      additionalProperties: false,
      ...schemas.definitions(),
    },
    annotations: { readOnlyHint: method === 'GET' },
    callOf: (args) => {
      const named = (place: string) => inUrl.filter((each) => each.in === place && args[each.name] !== undefined);
      const query = new URLSearchParams(named('query').map((each) => [each.name, String(args[each.name])]));
      const filled = named('path').reduce(
        (so, each) => so.replace(`{${each.name}}`, () => segmentOf(each.name, String(args[each.name]))),
        path,
      );
      const target = `/sandbox/v1${query.size === 0 ? filled : `${filled}?${query}`}`;
      return { method, target, ...(args.body !== undefined && { body: args.body }) };
    },
  };
}

/** Returns the error for invalid arguments of a tool. */
export function invalid(message: string): ProtocolError {
  return new ProtocolError(ProtocolErrorCode.InvalidParams, message);
}

/** Encodes a value as a path segment. Throws for a dot segment, which URL parsers would resolve to another path. */
function segmentOf(name: string, value: string): string {
  if (value === '.' || value === '..') throw invalid(`${name} must not be ${value}`);
  return encodeURIComponent(value);
}

/** Returns functions that extract self-contained schemas from a bundle, by collecting all schemas that they reference. */
function schemasOf(bundle: Node) {
  const found = new Map<string, unknown>();
  const rewritten = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(rewritten);
    if (typeof value !== 'object' || value === null) return value;
    const entries = Object.entries(value).filter(([key]) => !key.startsWith('x-'));
    return Object.fromEntries(entries.map(([key, of]) => [key, key === '$ref' ? named(String(of)) : rewritten(of)]));
  };
  /** Collects the referenced schema under the last segment of its pointer, and returns the new reference. */
  const named = (ref: string) => {
    const pointer = ref.slice(1);
    const name = pointer.slice(pointer.lastIndexOf('/') + 1);
    if (!found.has(name)) {
      found.set(name, true);
      found.set(name, rewritten(at(bundle, pointer)));
    }
    return `#/$defs/${name}`;
  };
  return {
    /** Returns the schema at a JSON pointer in the bundle, without keywords that start with `x-`. */
    own: (pointer: string) => rewritten(at(bundle, follow(bundle, pointer))),
    /** Returns the schemas referenced so far as `$defs`, or an empty object. */
    definitions: () => (found.size === 0 ? {} : { $defs: Object.fromEntries(found) }),
  };
}
