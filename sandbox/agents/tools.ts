/** Tools for the operations of the control API, generated from its contract (OP-221). */
import { ProtocolError, ProtocolErrorCode } from '@modelcontextprotocol/server';
import { at, type Contract, follow, type Node, type Operation } from '../contract/document.ts';

/** A tool in the format of the Model Context Protocol. */
export interface Tool {
  readonly name: string;
  readonly description: string;
  readonly inputSchema: Node & { readonly type: 'object' };
  readonly annotations: { readonly readOnlyHint: boolean };
}

/** A tool, and the control API call that it makes. */
export interface ControlTool extends Tool {
  /** Builds the call for the given arguments. A missing path value leaves its placeholder in the path. Throws for a dot segment. */
  readonly callOf: (args: Readonly<Record<string, unknown>>) => ControlCall;
}

/** A call of the control API. */
export interface ControlCall {
  readonly method: string;
  /** The path and query, relative to the base URL of the API. */
  readonly path: string;
  readonly body: unknown;
}

/** Operations that show credentials or one-time passwords. They are only offered with `write`. */
const revealing = ['getWorkspace', 'listMessages'];
/** Operations without a tool: an endless stream, the listener protocol, and the MCP endpoint itself. */
const excluded = ['streamActivity', 'openListener', 'postListenerReply', 'sendMcpMessage'];

/** Tools by contract. They are cached, because every HTTP request creates a server and contracts do not change. */
const toolsByContract = new WeakMap<Contract, readonly ControlTool[]>();

/** Returns the tools of a contract. Without `write`, omits tools that change data or show credentials. */
export function toolsOf(contract: Contract, write: boolean): readonly ControlTool[] {
  const tools = toolsByContract.get(contract) ?? makeTools(contract);
  toolsByContract.set(contract, tools);
  return tools.filter(
    ({ name, annotations: { readOnlyHint } }) => write || (readOnlyHint && !revealing.includes(name)),
  );
}

function makeTools({ bundle, operations }: Contract): readonly ControlTool[] {
  return operations
    .filter(({ operationId }) => !excluded.includes(operationId))
    .map((operation) => toolOf(bundle, operation));
}

function toolOf(bundle: Node, operation: Operation): ControlTool {
  const { operationId: name, method, path, parameters, body } = operation;
  const written = at(
    bundle,
    `/paths/${path.replaceAll('~', '~0').replaceAll('/', '~1')}/${method.toLowerCase()}`,
  ) as Node;
  const inUrl = parameters.filter(({ in: place }) => place === 'path' || place === 'query');
  const schemas = new Schemas(bundle);
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
      return { method, path: query.size === 0 ? filled : `${filled}?${query}`, body: args.body };
    },
  };
}

/** Encodes a value as a path segment. Throws for a dot segment, which URL parsers would resolve to another path. */
function segmentOf(name: string, value: string): string {
  if (value === '.' || value === '..')
    throw new ProtocolError(ProtocolErrorCode.InvalidParams, `${name} must not be ${value}`);
  return encodeURIComponent(value);
}

/** Extracts self-contained schemas from a bundle by collecting all schemas that they reference. */
class Schemas {
  readonly #bundle: Node;
  readonly #found = new Map<string, unknown>();

  constructor(bundle: Node) {
    this.#bundle = bundle;
  }

  /** Returns the schema at a JSON pointer in the bundle, without keywords that start with `x-`. */
  own(pointer: string): unknown {
    return this.#rewritten(at(this.#bundle, follow(this.#bundle, pointer)));
  }

  /** Returns the schemas referenced so far as `$defs`, or an empty object. */
  definitions(): { $defs?: Node } {
    return this.#found.size === 0 ? {} : { $defs: Object.fromEntries(this.#found) };
  }

  #rewritten(value: unknown): unknown {
    if (Array.isArray(value)) return value.map((each) => this.#rewritten(each));
    if (typeof value !== 'object' || value === null) return value;
    const entries = Object.entries(value).filter(([key]) => !key.startsWith('x-'));
    return Object.fromEntries(
      entries.map(([key, of]) => [key, key === '$ref' ? this.#named(String(of)) : this.#rewritten(of)]),
    );
  }

  /** Collects the referenced schema under the last segment of its pointer, and returns the new reference. */
  #named(ref: string): string {
    const pointer = ref.slice(1);
    const name = pointer.slice(pointer.lastIndexOf('/') + 1);
    if (!this.#found.has(name)) {
      this.#found.set(name, true);
      this.#found.set(name, this.#rewritten(at(this.#bundle, pointer)));
    }
    return `#/$defs/${name}`;
  }
}
