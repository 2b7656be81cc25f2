/** An MCP server for a running sandbox, with tools for its control API and its documentation (OP-221). */
import type { Readable, Writable } from 'node:stream';
import { ProtocolError, ProtocolErrorCode, Server } from '@modelcontextprotocol/server';
import { StdioServerTransport, serveStdio } from '@modelcontextprotocol/server/stdio';
import { at, type Contract, follow, type Node, type Operation } from '../contract/document.ts';

/** The sandbox's reply to a call, with its body as text. */
export interface SandboxReply {
  readonly status: number;
  readonly text: string;
}

/** A call to the sandbox. */
export interface SandboxCall {
  readonly method: string;
  /** The path and query, such as `/sandbox/v1/clock`. */
  readonly target: string;
  readonly body?: unknown;
  /** Aborts when the agent cancels the request or disconnects. */
  readonly signal: AbortSignal;
}

/** A function that calls the sandbox. It rejects if the sandbox does not reply. */
export type CallSandbox = (call: SandboxCall) => Promise<SandboxReply>;

/** The tools to offer, and the means to call the sandbox. */
export interface AgentOptions {
  readonly version: string;
  /** Whether to offer the tools that make changes or show credentials. */
  readonly write: boolean;
  /** An instruction for enabling these tools, shown if an agent calls one while `write` is false. */
  readonly howToAllow: string;
  readonly contract: Contract;
  readonly callSandbox: CallSandbox;
}

/** Limits of one server: maximum concurrent tool calls, and maximum characters per result. */
export const agentLimits = { concurrentCalls: 32, characters: 100_000 } as const;

/** Maximum number of subscriptions: none, because the tools of a server never change. */
export const maxSubscriptions = 0;

const readPage: Tool = {
  name: 'readPage',
  description:
    'Read a page of the documentation as Markdown. `llms.txt` lists all pages; `downloads/errors.json`, `downloads/magic-values.json` and `downloads/requirements.json` explain errors, magic values that cause failures, and the certification requirements for client servers.',
  inputSchema: {
    type: 'object',
    properties: {
      page: { type: 'string', maxLength: 200, description: 'For example llms.txt, errors or reference/rewards.md.' },
    },
    required: ['page'],
    additionalProperties: false,
  },
  annotations: { readOnlyHint: true },
  callOf: ({ page }) => pageCall(page),
};

const instructions =
  'A sandbox of a rewards redemption interface. Use getRedemption to follow a redemption, listFindings to list contract violations, and readPage with llms.txt for everything else.';

/** Creates a server for one connection or one HTTP request. It supports every protocol revision that the SDK supports. */
export function agentServer(options: AgentOptions): Server {
  const { version, write, contract, callSandbox } = options;
  const all = [readPage, ...toolsOf(contract, write)];
  const byName = new Map(all.map((tool) => [tool.name, tool]));
  const tools = all.map(({ callOf, ...listed }) => listed);
  const server = new Server({ name: 'rewards-sandbox', version }, { capabilities: { tools: {} }, instructions });
  let running = 0;
  server.setRequestHandler('tools/list', () => ({ tools }));
  server.setRequestHandler('tools/call', async ({ params: { name, arguments: args = {} } }, { mcpReq: { signal } }) => {
    if (running >= agentLimits.concurrentCalls)
      throw new ProtocolError(busy, `${agentLimits.concurrentCalls} requests are already in progress.`);
    const call = byName.get(name)?.callOf(args);
    if (call === undefined) throw invalid(unknownTool(name, options));
    running += 1;
    try {
      return resultOf(await callSandbox({ ...call, signal }));
    } finally {
      running -= 1;
    }
  });
  return server;
}

/** The error code for too many concurrent calls, from the range that JSON-RPC reserves for servers. */
const busy = -32000;

function invalid(message: string): ProtocolError {
  return new ProtocolError(ProtocolErrorCode.InvalidParams, message);
}

/** Returns the call for a documentation page, given as a Markdown file, an address or a link. Throws if the name is not a page. */
function pageCall(page: unknown) {
  const [address = ''] = String(page).split('#');
  const path = address.replace(/^(?:(?:\.\.?\/)+|\/?docs(?:\/|$)|\/)/, '');
  const file = path === '' || path.endsWith('/') ? `${path}index` : path.replace(/\.html$/, '');
  const name = /\.\w+$/.test(file) ? file : `${file}.md`;
  if (!/^(?:[\w-]+\/)?[\w.-]+$/.test(name) || name.includes('..')) {
    throw invalid(`${name} is not a page. Use a name from llms.txt.`);
  }
  return { method: 'GET', target: `/docs/${name}` };
}

/** Converts a reply to a tool result. A sandbox error is also a result, so that the agent can act on it. */
function resultOf({ status, text }: SandboxReply) {
  const { characters } = agentLimits;
  const content =
    text.length > characters
      ? `${text.slice(0, characters)}\n[truncated after ${characters} characters: narrow the request]`
      : text;
  return {
    content: [{ type: 'text' as const, text: content === '' ? `status ${status}` : content }],
    isError: status >= 400,
  };
}

function unknownTool(name: string, { contract, write, howToAllow }: AgentOptions): string {
  const exists = contract.operations.some(({ operationId }) => operationId === name);
  if (exists && !write) return `${name} makes changes or shows credentials. ${howToAllow}`;
  return `Unknown tool: ${name}.`;
}

/** Maximum message size, in bytes. A larger message ends the connection. */
export const maxMessage = 1024 * 1024;

/** Streams for requests and replies, and a callback for errors. */
export interface AgentStreams {
  readonly input: Readable;
  readonly output: Writable;
  readonly onProblem: (problem: Error) => void;
}

/**
 * Serves an agent until its input ends or a message is too large. Aborts the requests still in progress at that time.
 * Resolves with `true` if the input ended.
 */
export async function serveStreams(
  { input, output, onProblem }: AgentStreams,
  makeServer: () => Server,
): Promise<boolean> {
  const transport = new ClosingTransport(input, output, { maxBufferSize: maxMessage });
  serveStdio(makeServer, { transport, maxSubscriptions, onerror: onProblem });
  await transport.closed;
  const hasEnded = input.readableEnded;
  // Do not read any input after an oversized message.
  input.destroy();
  return hasEnded;
}

/** The SDK's stdio transport, with a promise that resolves when it has closed. */
class ClosingTransport extends StdioServerTransport {
  readonly #closing = Promise.withResolvers<void>();
  readonly closed = this.#closing.promise;

  override async close(): Promise<void> {
    await super.close();
    this.#closing.resolve();
  }
}

/** A tool in the format of the Model Context Protocol, and the call that it makes. */
interface Tool {
  readonly name: string;
  readonly description: string;
  readonly inputSchema: Node & { readonly type: 'object' };
  readonly annotations: { readonly readOnlyHint: boolean };
  /** Builds the call for the given arguments. A missing path value leaves its placeholder in the path. Throws for a dot segment. */
  readonly callOf: (args: Readonly<Record<string, unknown>>) => Omit<SandboxCall, 'signal'>;
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
