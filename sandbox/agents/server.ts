/** An MCP server for a running sandbox, with tools for its control API and its documentation (OP-221). */
import type { Readable, Writable } from 'node:stream';
import { ProtocolError, Server } from '@modelcontextprotocol/server';
import { StdioServerTransport, serveStdio } from '@modelcontextprotocol/server/stdio';
import type { Contract } from '../contract/document.ts';
import { invalid, type Tool, type ToolCall, toolsOf } from './tools.ts';

/** The sandbox's reply to a call, with its body as text. */
export interface SandboxReply {
  readonly status: number;
  readonly text: string;
}

/** A call to the sandbox. */
export interface SandboxCall extends ToolCall {
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
