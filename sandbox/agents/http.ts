/** The MCP server over Streamable HTTP: one POST, one JSON reply, no session. */
import {
  createMcpHandler,
  isLegacyRequest,
  WebStandardStreamableHTTPServerTransport,
} from '@modelcontextprotocol/server';
import { type AgentOptions, agentServer, maxSubscriptions } from './server.ts';

/** A POST of an agent. */
export interface AgentPost {
  /** The headers of the protocol, by name, such as `MCP-Protocol-Version`. */
  readonly headers: Readonly<Record<string, string>>;
  /** The parsed body: one JSON-RPC message. */
  readonly message: unknown;
  /** Aborts when the agent leaves. */
  readonly signal: AbortSignal;
}

/** The reply to a POST. A notification has no body. */
export interface AgentPostReply {
  readonly status: number;
  readonly body: unknown;
}

/** Answers a POST with a server of its own: revision 2026-07-28 by its envelope, older ones without a session. */
export async function answerPost(post: AgentPost, options: AgentOptions): Promise<AgentPostReply> {
  const { message, signal } = post;
  // The reply is always JSON, which every client takes.
  const headers = {
    ...post.headers,
    'content-type': 'application/json',
    accept: 'application/json, text/event-stream',
  };
  const request = new Request('http://sandbox/', { method: 'POST', headers, signal });
  const isLegacy = await isLegacyRequest(request, message);
  const response = await (isLegacy ? answerLegacy : answerModern)(request, message, options);
  const text = await response.text();
  const body: unknown = text === '' ? undefined : JSON.parse(text);
  if (response.status >= 500) throw new Error(`The MCP server failed: ${text}`);
  return { status: response.status, body };
}

async function answerModern(request: Request, parsedBody: unknown, options: AgentOptions): Promise<Response> {
  const handler = createMcpHandler(() => agentServer(options), { legacy: 'reject', maxSubscriptions });
  try {
    return await handler.fetch(request, { parsedBody });
  } finally {
    await handler.close();
  }
}

async function answerLegacy(request: Request, parsedBody: unknown, options: AgentOptions): Promise<Response> {
  const server = agentServer(options);
  const transport = new WebStandardStreamableHTTPServerTransport({ enableJsonResponse: true });
  const leave = () => void server.close();
  await server.connect(transport);
  request.signal.addEventListener('abort', leave, { once: true });
  try {
    return await transport.handleRequest(request, { parsedBody });
  } finally {
    request.signal.removeEventListener('abort', leave);
    await server.close();
  }
}
