/** The MCP server over Streamable HTTP: one POST, one JSON reply, no session. */
import {
  createMcpHandler,
  isLegacyRequest,
  WebStandardStreamableHTTPServerTransport,
} from '@modelcontextprotocol/server';
import { type AgentOptions, agentServer, maxSubscriptions } from './server.ts';

/** A POST request from an agent. */
export interface AgentPost {
  /** The protocol headers by name, such as `MCP-Protocol-Version`. */
  readonly headers: Readonly<Record<string, string>>;
  /** The parsed body: one JSON-RPC message. */
  readonly message: unknown;
  /** Aborts when the agent disconnects. */
  readonly signal: AbortSignal;
}

/** The reply for an agent that has disconnected. Nobody reads it. */
const unread = { status: 202, body: undefined };

/**
 * Handles a POST with a new server. Protocol revisions before 2026-07-28 are served without a session. The body of the
 * reply is `undefined` for a notification.
 */
export async function answerPost(post: AgentPost, options: AgentOptions) {
  const { message, signal } = post;
  // The reply is always JSON, which every client accepts.
  const headers = {
    ...post.headers,
    'content-type': 'application/json',
    accept: 'application/json, text/event-stream',
  };
  const request = new Request('http://sandbox/', { method: 'POST', headers });
  const problems: Error[] = [];
  const onerror = (problem: Error) => void problems.push(problem);
  try {
    const isLegacy = await isLegacyRequest(request, message);
    const serving = isLegacy ? await legacyServing(options, onerror) : modernServing(options, onerror);
    const handled = untilAborted(signal, serving.handle(request, message));
    const response = await handled.finally(serving.close);
    if (signal.aborted) return unread;
    const text = await response.text();
    if (response.status >= 500) throw new Error(`The MCP server failed: ${problems.at(-1)?.message ?? text}`);
    return { status: response.status, body: text === '' ? undefined : JSON.parse(text) };
  } catch (error) {
    if (signal.aborted) return unread;
    throw error;
  }
}

/** A callback for errors that the SDK reports in addition to its reply. */
type OnError = (problem: Error) => void;

function modernServing(options: AgentOptions, onerror: OnError) {
  const handler = createMcpHandler(() => agentServer(options), { legacy: 'reject', maxSubscriptions, onerror });
  const handle = (request: Request, parsedBody: unknown) => handler.fetch(request, { parsedBody });
  return { handle, close: () => handler.close() };
}

async function legacyServing(options: AgentOptions, onerror: OnError) {
  const server = agentServer(options);
  server.onerror = onerror;
  const transport = new WebStandardStreamableHTTPServerTransport({ enableJsonResponse: true });
  await server.connect(transport);
  const handle = (request: Request, parsedBody: unknown) => transport.handleRequest(request, { parsedBody });
  return { handle, close: () => server.close() };
}

/** Resolves with the result, or rejects when the signal aborts. The caller then closes the server, which aborts its tools. */
function untilAborted<T>(signal: AbortSignal, result: Promise<T>): Promise<T> {
  const { promise: aborted, reject } = Promise.withResolvers<never>();
  if (signal.aborted) reject(signal.reason);
  signal.addEventListener('abort', () => reject(signal.reason), { once: true });
  return Promise.race([result, aborted]);
}
