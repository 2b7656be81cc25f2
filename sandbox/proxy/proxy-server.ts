import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Exchange } from '../conformance/exchange.ts';
import type { Finding } from '../conformance/finding.ts';
import type { Weight } from '../contract/basis.ts';
import { hangUp, IncomingConnections, startListening } from '../runtime/incoming-connections.ts';
import { closing, type Refusal, refusalBytes, refuse } from './refusal.ts';
import type { SecondOpinion } from './second-opinion.ts';

/** Resource limits for each caller and for all callers together. */
interface Limits {
  /** Maximum time for a whole request from its first byte, and for its head alone, in milliseconds. */
  readonly requestMilliseconds: number;
  /** Maximum number of open connections; further ones are closed immediately. */
  readonly connections: number;
  /**
   * Maximum number of calls whose requests have fully arrived; further ones are refused. Each can buffer up to a
   * megabyte of either body.
   */
  readonly calls: number;
  /** Maximum number of calls that wait for earlier ones on their connection; further ones are refused. */
  readonly waiting: number;
}

/** The default limits, the same as the sandbox's where both have one (OP-39). */
const limits: Limits = { requestMilliseconds: 15_000, connections: 1024, calls: 256, waiting: 32 };
const headBytes = 16 * 1024;
const keepAliveMilliseconds = 60_000;
const drainMilliseconds = 8_000;

/** Answers a call. Any failure, including a rejection, ends that call only. */
type Handle = (request: IncomingMessage, response: ServerResponse) => Promise<void> | void;

type ParserError = NodeJS.ErrnoException & { readonly reason?: string };

/** Starts listening. Rejects with the system's error on failure. */
export async function listen(host: string, port: number, handle: Handle, overrides: Partial<Limits> = {}) {
  const limit = { ...limits, ...overrides };
  const server = createServer({
    maxHeaderSize: headBytes,
    requestTimeout: limit.requestMilliseconds,
    headersTimeout: limit.requestMilliseconds,
    connectionsCheckingInterval: Math.min(1000, Math.ceil(limit.requestMilliseconds / 4)),
    keepAliveTimeout: keepAliveMilliseconds,
    // The proxy itself reports a missing or repeated `Host`.
    requireHostHeader: false,
  });
  // The head is limited in bytes. A limit on the number of headers would drop some of them unchecked.
  server.maxHeadersCount = 0;
  server.maxConnections = limit.connections;
  const calls = new Calls(limit, handle);
  server.on('request', (request, response) => calls.take(request, response));
  server.on('checkContinue', (request, response) => calls.take(request, response, () => response.writeContinue()));
  // A server may ignore an unsupported expectation (RFC 9110, 10.1.1). Node's own reply is a bare 417.
  server.on('checkExpectation', (request, response) => calls.take(request, response));
  server.on('connect', (_, socket) => endWith(socket as Socket, tunnel));
  server.on('clientError', (error, socket) => calls.broken(error, socket as Socket));
  const listening = await startListening(server, { port, host, backlog: limit.connections });
  return {
    url: `http://${host.includes(':') ? `[${host}]` : host}:${listening}`,
    /** Stops accepting calls, waits at most 8 s for those in progress, and closes. */
    drain: () => drain(server, calls),
  };
}

/** The calls in progress. */
class Calls {
  readonly #limits: Limits;
  readonly #handle: Handle;
  readonly #connections: IncomingConnections;
  readonly #broken = new WeakSet<Socket>();
  readonly underWay = new Set<ServerResponse>();

  constructor(limits: Limits, handle: Handle) {
    this.#limits = limits;
    this.#connections = new IncomingConnections(limits.waiting);
    this.#handle = handle;
  }

  /** Queues a call behind earlier ones on its connection. Calls `before` when the call begins. */
  take(request: IncomingMessage, response: ServerResponse, before = () => {}): void {
    // A disconnected caller receives no reply; `close` ends the call.
    response.on('error', () => response.destroy());
    response.once('close', () => this.underWay.delete(response));
    const begins = this.#connections.takeUp({ request, response });
    if (begins === 'too many') return refuse(response, tooMany('on one connection'));
    void begins?.then(() => this.#begin(request, response, before));
  }

  /**
   * The number of calls in service. A slow upload does not count until its last byte has arrived; until then, only the
   * other limits apply.
   */
  get #inService(): number {
    return [...this.underWay].filter(({ req }) => req.complete).length;
  }

  #begin(request: IncomingMessage, response: ServerResponse, before: () => void): void {
    // After a response that ends the connection, no further calls are processed.
    if (response.writableEnded || !request.socket.writable) return;
    if (this.#inService >= this.#limits.calls) return refuse(response, tooMany('in progress'));
    this.underWay.add(response);
    // If a request offers another protocol, Node drops the data that follows it.
    if (request.headers.upgrade !== undefined) response.shouldKeepAlive = false;
    before();
    void this.#run(request, response);
  }

  /** Runs a call. A failure ends only this call. */
  async #run(request: IncomingMessage, response: ServerResponse): Promise<void> {
    try {
      await this.#handle(request, response);
    } catch (error) {
      const detail = `The proxy failed while forwarding this call: ${(error as Error).message}`;
      refuse(response, { status: 500, title: 'Proxy error', detail });
    }
  }

  /**
   * Handles a connection that can no longer be read. Complete calls receive their replies. An incomplete call, or a
   * connection without a call, receives the error.
   */
  broken(error: ParserError, socket: Socket): void {
    if (this.#broken.has(socket)) return;
    this.#broken.add(socket);
    const last = this.#connections.openOn(socket).findLast(({ response }) => !response.closed);
    if (last === undefined) return endWith(socket, brokenBy(error));
    if (!last.request.complete) refuse(last.response, brokenBy(error));
    last.response.once('close', () => socket.destroySoon());
  }
}

/**
 * Writes the reason and ends the connection: immediately on this side, and after a short delay for a caller that is
 * still sending.
 */
function endWith(socket: Socket, refusal: Refusal): void {
  socket.on('error', () => socket.destroy());
  if (socket.writable) hangUp(socket, refusalBytes(refusal));
  else socket.destroy();
}

/** Returns the refusal of a request that cannot be parsed. */
function brokenBy({ code, reason }: ParserError): Refusal {
  if (code === 'HPE_HEADER_OVERFLOW') return invalid(431, 'The request headers and URL exceed 16 KiB in total.');
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT')
    return invalid(408, 'The request did not arrive completely in time. Send it again.');
  const why = reason === undefined ? '' : ` (${reason})`;
  return invalid(400, `The request is not well-formed HTTP${why} and was not forwarded.`);
}

function invalid(status: number, detail: string): Refusal {
  return { status, title: 'Invalid request', detail, headers: closing };
}

const tunnel = invalid(
  400,
  'CONNECT is not supported. Send calls to the address of this proxy as if it were the sandbox.',
);

function tooMany(where: string): Refusal {
  return {
    status: 503,
    title: 'Too many calls',
    detail: `The proxy has too many calls ${where}. Send fewer concurrent calls, and retry this one.`,
    headers: { ...closing, 'Retry-After': '1' },
  };
}

/** Waits for the calls in progress, but not for connections, because browsers open some that they never use. */
async function drain(server: Server, { underWay }: Calls): Promise<void> {
  const closed = new Promise<void>((resolve) => server.close(() => resolve()));
  server.closeIdleConnections();
  const ended = async () => {
    while (underWay.size > 0) await Promise.all([...underWay].map((call) => once(call, 'close')));
  };
  await Promise.race([ended(), once(AbortSignal.timeout(drainMilliseconds), 'abort')]);
  server.closeAllConnections();
  await closed;
}

/** The URLs of upstream servers other than the sandbox. */
export type Upstreams = Readonly<Partial<{ [server in Exchange['server']]: URL }>>;

/** The options of the proxy. */
export interface ProxyOptions {
  readonly host: string;
  readonly port: number;
  readonly mode: 'report' | 'enforce';
  /** The minimum severity of findings for which mode `enforce` refuses a message. Default: error. */
  readonly failOn?: Weight;
  /** The upstream servers of the APIs and of webhooks. Default: the sandbox. */
  readonly upstreams: Upstreams;
  readonly sandbox: URL;
  /** The sandbox's own certificate, in PEM. */
  readonly sandboxCertificate?: string;
  /** Maximum wait for the head of a reply, and for the next part of either body, in milliseconds. */
  readonly replyMilliseconds: number;
  /**
   * The token for calls that the proxy answers itself. Without it, only this machine may make them, and only if the
   * proxy listens on loopback (OP-65).
   */
  readonly adminToken?: string;
  /** Accepted host names, in addition to those of this machine and IP addresses (OP-77). */
  readonly allowedHosts?: readonly string[];
  /** Overrides of the default limits. */
  readonly limits?: Partial<Limits>;
  /** The second opinion of Prism on each exchange. Default: none. */
  readonly secondOpinion?: SecondOpinion | undefined;
  /** Returns milliseconds of a monotonic clock. Without it, rules about the order of calls cannot be checked. */
  readonly now?: () => number;
  /** Called with the first finding of each kind. */
  readonly onFinding?: (finding: Finding) => void;
}
