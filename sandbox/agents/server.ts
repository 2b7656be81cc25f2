/** A server of the Model Context Protocol over a running sandbox: its control API and its documentation (OP-221). */
import type { Contract } from '../contract/document.ts';
import { version } from '../version.ts';
import { type Answer, RpcError } from './json-rpc.ts';
import { type ControlTool, type Tool, toolsOf } from './tools.ts';

/** What the sandbox answers to a call. */
export interface Reply {
  readonly status: number;
  readonly text: string;
}

/** Calls the sandbox. Rejects where it does not answer. */
export type Ask = (call: { readonly method: string; readonly url: string; readonly body?: unknown }) => Promise<Reply>;

/** Where things are, and what may be done. */
export interface AgentOptions {
  /** The sandbox, such as `http://127.0.0.1:4010`. */
  readonly sandbox: string;
  /** Whether tools that change something, or show credentials, are there. */
  readonly write: boolean;
  readonly contract: Contract;
  readonly ask: Ask;
}

/** The versions of the protocol that are spoken, the newest first. */
const protocols = ['2025-06-18', '2025-03-26', '2024-11-05'];
/** Most characters of one answer: what is longer is cut, and the agent told to ask for less. */
const mostCharacters = 100_000;

const readPage: Tool = {
  name: 'readPage',
  description:
    'Read a page of the documentation as Markdown. `llms.txt` lists all pages; `downloads/errors.json`, `downloads/magic-values.json` and `downloads/requirements.json` explain errors, magic values that cause failures, and the certification requirements for client servers.',
  inputSchema: {
    type: 'object',
    properties: {
      page: { type: 'string', maxLength: 200, description: 'For example llms.txt, errors.md or certify.md.' },
    },
    required: ['page'],
    additionalProperties: false,
  },
  annotations: { readOnlyHint: true },
};

/** What answers the requests of an agent. */
export function agentServer({ sandbox, write, contract, ask }: AgentOptions): Answer {
  const control = new Map(toolsOf(contract, write).map((tool) => [tool.name, tool]));
  const listed: Tool[] = [readPage, ...control.values()].map(({ name, description, inputSchema, annotations }) => ({
    ...{ name, description, inputSchema, annotations },
  }));
  const callTool = async (name: unknown, args: Readonly<Record<string, unknown>>) => {
    if (name === readPage.name) return told(await ask({ method: 'GET', url: `${sandbox}/docs/${pageOf(args.page)}` }));
    const tool = control.get(String(name));
    if (tool === undefined) throw new RpcError(-32602, unknownTool(String(name), contract, write));
    return told(await ask(controlCall(sandbox, tool, args)));
  };
  return async (method, params) => {
    switch (method) {
      case 'initialize':
        return {
          protocolVersion: protocols.find((known) => known === params.protocolVersion) ?? protocols[0],
          capabilities: { tools: {} },
          serverInfo: { name: 'rewards-sandbox', version },
          instructions:
            'A sandbox of a rewards redemption interface. Use getRedemption to follow a redemption, listFindings to list contract violations, and readPage with llms.txt for everything else.',
        };
      case 'ping':
        return {};
      case 'tools/list':
        return { tools: listed };
      case 'tools/call':
        return callTool(params.name, (params.arguments ?? {}) as Readonly<Record<string, unknown>>);
      default:
        throw new RpcError(-32601, `Unknown method: ${method}.`);
    }
  };
}

function controlCall(sandbox: string, tool: ControlTool, args: Readonly<Record<string, unknown>>) {
  const { method, path, body } = tool.callOf(args);
  return { method, url: `${sandbox}/sandbox/v1${path}`, ...(body !== undefined && { body }) };
}

/** A page of the documentation only, whatever is asked for. */
function pageOf(page: unknown): string {
  const name = String(page).replace(/^\/?(docs\/)?/, '');
  if (!/^(?:[\w-]+\/)?[\w.-]+$/.test(name) || name.includes('..')) {
    throw new RpcError(-32602, `${name} is not a page. Use a name from llms.txt.`);
  }
  return name;
}

/** A refusal is told as what the tool came to: the agent can do something about it. */
function told({ status, text }: Reply) {
  const isCut = text.length > mostCharacters;
  const shown = isCut
    ? `${text.slice(0, mostCharacters)}\n[truncated after ${mostCharacters} characters: narrow the request]`
    : text;
  return { content: [{ type: 'text', text: shown === '' ? `status ${status}` : shown }], isError: status >= 400 };
}

function unknownTool(name: string, contract: Contract, write: boolean): string {
  const isThere = contract.operations.some(({ operationId }) => operationId === name);
  if (isThere && !write) return `${name} makes changes or shows credentials. Start with --write to allow it.`;
  return `Unknown tool: ${name}.`;
}
