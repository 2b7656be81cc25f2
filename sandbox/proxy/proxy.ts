import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Checker } from './checker.ts';
import type { Exchange } from './exchange.ts';
import type { Finding } from './finding.ts';
import type { FindingBook } from './finding-book.ts';
import { Connections } from './forwarding.ts';
import { pass } from './passage.ts';
import { answer, refuse } from './refusal.ts';

export type Upstreams = Readonly<Partial<{ [server in Exchange['server']]: URL }>>;

export interface ProxyOptions {
  readonly host: string;
  readonly port: number;
  readonly mode: 'report' | 'enforce';
  /** Where each API is, and where webhooks go; the sandbox where it is not said. */
  readonly upstreams: Upstreams;
  readonly sandbox: URL;
  /** The certificate that the sandbox is known by, in PEM. */
  readonly sandboxCertificate?: string;
  /** Longest wait for the head of a reply. */
  readonly replyMilliseconds: number;
  /** Is told each finding that is the first of its kind. */
  readonly onFinding?: (finding: Finding) => void;
}

export interface Proxy {
  readonly url: string;
  /** Takes no more calls, lets those under way end (10 s at most; event streams at once), and closes. */
  close(): Promise<void>;
}

/** Where the proxy answers itself. */
const own = '/__proxy';
const drainMilliseconds = 10_000;

/** Starts the proxy. Rejects with the system's error when it cannot listen. */
export async function startProxy(checker: Checker, book: FindingBook, options: ProxyOptions): Promise<Proxy> {
  const connections = new Connections(options.sandbox, options.sandboxCertificate);
  const streams = new Set<ServerResponse>();
  const around = { checker, book, options, connections, streams };
  const calls = new Set<ServerResponse>();
  const server = createServer({ keepAliveTimeout: 60_000 }, (request, response) => {
    calls.add(response);
    response.once('close', () => calls.delete(response));
    const path = request.url ?? '/';
    if (path === own || path.startsWith(`${own}/`)) return answerOwn(request, response, book);
    pass(around, request, response).catch((error: Error) => {
      refuse(response, 500, 'The proxy failed', `The proxy failed while it passed this call on: ${error.message}`);
    });
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(options.port, options.host, resolve);
  });
  const { port } = server.address() as AddressInfo;
  const host = options.host.includes(':') ? `[${options.host}]` : options.host;
  return {
    url: `http://${host}:${port}`,
    async close() {
      for (const stream of streams) stream.destroy();
      await drain(server, calls);
      connections.close();
    },
  };
}

/** Waits for calls under way, not for connections: browsers open some that they may never use. */
async function drain(server: Server, calls: ReadonlySet<ServerResponse>): Promise<void> {
  const closed = new Promise<void>((resolve) => server.close(() => resolve()));
  server.closeIdleConnections();
  const ended = async () => {
    while (calls.size > 0) await Promise.all([...calls].map((call) => once(call, 'close')));
  };
  await Promise.race([ended(), once(AbortSignal.timeout(drainMilliseconds), 'abort')]);
  server.closeAllConnections();
  await closed;
}

/** The proxy's own operation (openapi/proxy.yaml). */
function answerOwn(request: IncomingMessage, response: ServerResponse, book: FindingBook): void {
  const [path] = (request.url ?? '').split('?');
  if (path !== `${own}/findings`) {
    return refuse(response, 404, 'Nothing here', `The proxy itself answers GET ${own}/findings only.`);
  }
  // Node sends no body where the method is HEAD.
  if (request.method === 'GET' || request.method === 'HEAD')
    return answer(response, 200, 'application/json', book.report);
  response.setHeader('Allow', 'GET, HEAD');
  refuse(response, 405, 'Method not allowed', `${own}/findings answers GET only.`);
}
