import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Exchange } from '../conformance/exchange.ts';
import type { Finding } from '../conformance/finding.ts';
import type { Weight } from '../contract/basis.ts';
import { hangUp, IncomingConnections, startListening } from '../runtime/incoming-connections.ts';
import { closing, type Refusal, refusalBytes, refuse } from './refusal.ts';
import type { SecondOpinion } from './second-opinion.ts';

/** What one caller, and all together, may take of the proxy. */
interface Limits {
  /** A whole request, head and body, from its first byte; and a head alone. */
  readonly requestMilliseconds: number;
  /** Most open connections; further ones are closed immediately. */
  readonly connections: number;
  /** Most calls whose requests have arrived whole; further ones are refused. Each may hold a megabyte of either body. */
  readonly calls: number;
  /** Calls that wait on one connection for those before them; further ones are refused. */
  readonly waiting: number;
}

/** As the sandbox has it where it has the same (OP-39). */
const limits: Limits = { requestMilliseconds: 15_000, connections: 1024, calls: 256, waiting: 32 };
const headBytes = 16 * 1024;
const keepAliveMilliseconds = 60_000;
const drainMilliseconds = 8_000;

/** Answers a call. Whatever goes wrong in it, rejections included, ends that call only. */
type Handle = (request: IncomingMessage, response: ServerResponse) => Promise<void> | void;

/** A listening proxy. */
interface Listening {
  readonly url: string;
  /** Accepts no more calls, waits for those in progress (8 s at most), and closes. */
  drain(): Promise<void>;
}

type ParserError = NodeJS.ErrnoException & { readonly reason?: string };

/** Listens. Rejects with the system's error when it cannot. */
export async function listen(
  host: string,
  port: number,
  handle: Handle,
  overrides: Partial<Limits> = {},
): Promise<Listening> {
  const limit = { ...limits, ...overrides };
  const server = createServer({
    maxHeaderSize: headBytes,
    requestTimeout: limit.requestMilliseconds,
    headersTimeout: limit.requestMilliseconds,
    connectionsCheckingInterval: Math.min(1000, Math.ceil(limit.requestMilliseconds / 4)),
    keepAliveTimeout: keepAliveMilliseconds,
    // The proxy itself reports a missing or repeated Host.
    requireHostHeader: false,
  });
  // The head is bounded in bytes. A bound on the number of headers would drop some of them unchecked.
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

  /** Has a call wait for those before it on its connection. `before` is done when it begins. */
  take(request: IncomingMessage, response: ServerResponse, before = () => {}): void {
    // A caller that has disconnected gets no reply; `close` ends the call.
    response.on('error', () => response.destroy());
    response.once('close', () => this.underWay.delete(response));
    const begins = this.#connections.takeUp({ request, response });
    if (begins === 'too many') return refuse(response, tooMany('on one connection'));
    void begins?.then(() => this.#begin(request, response, before));
  }

  /** A slow upload takes no place from other callers: until its last byte, only the other limits bound it. */
  get #inService(): number {
    return [...this.underWay].filter(({ req }) => req.complete).length;
  }

  #begin(request: IncomingMessage, response: ServerResponse, before: () => void): void {
    // After a response that ends the connection, nothing more is processed.
    if (response.writableEnded || !request.socket.writable) return;
    if (this.#inService >= this.#limits.calls) return refuse(response, tooMany('in progress'));
    this.underWay.add(response);
    // Where another protocol is offered, Node drops what was read behind the request.
    if (request.headers.upgrade !== undefined) response.shouldKeepAlive = false;
    before();
    void this.#run(request, response);
  }

  /** Runs a call. What goes wrong in it ends it alone. */
  async #run(request: IncomingMessage, response: ServerResponse): Promise<void> {
    try {
      await this.#handle(request, response);
    } catch (error) {
      const detail = `The proxy failed while forwarding this call: ${(error as Error).message}`;
      refuse(response, { status: 500, title: 'Proxy error', detail });
    }
  }

  /**
   * Nothing more can be read on a connection. Calls that were read whole get their replies; one that was not is
   * answered with what is wrong, and so is a connection on which there is no call.
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

/** Says why a connection ends, and ends it: immediately on our side, and soon for a caller that is still sending. */
function endWith(socket: Socket, refusal: Refusal): void {
  socket.on('error', () => socket.destroy());
  if (socket.writable) hangUp(socket, refusalBytes(refusal));
  else socket.destroy();
}

/** What is wrong with a request that cannot be read. */
function brokenBy({ code, reason }: ParserError): Refusal {
  const title = 'Invalid request';
  const headers = closing;
  if (code === 'HPE_HEADER_OVERFLOW') {
    return { status: 431, title, detail: 'The request headers and URL exceed 16 KiB in total.', headers };
  }
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT') {
    return { status: 408, title, detail: 'The request did not arrive completely in time. Send it again.', headers };
  }
  const why = reason === undefined ? '' : ` (${reason})`;
  return { status: 400, title, detail: `The request is not well-formed HTTP${why} and was not forwarded.`, headers };
}

const tunnel: Refusal = {
  status: 400,
  title: 'Invalid request',
  detail: 'CONNECT is not supported. Send calls to the address of this proxy as if it were the sandbox.',
  headers: closing,
};

function tooMany(where: string): Refusal {
  return {
    status: 503,
    title: 'Too many calls',
    detail: `The proxy has too many calls ${where}. Send fewer concurrent calls, and retry this one.`,
    headers: { ...closing, 'Retry-After': '1' },
  };
}

/** Waits for calls in progress, not for connections: browsers open some that they may never use. */
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

/** The servers behind the proxy, where it is not the sandbox that answers. */
export type Upstreams = Readonly<Partial<{ [server in Exchange['server']]: URL }>>;

/** What the proxy is started with. */
export interface ProxyOptions {
  readonly host: string;
  readonly port: number;
  readonly mode: 'report' | 'enforce';
  /** The weight of findings from which on mode `enforce` refuses a message; errors where it is not said. */
  readonly failOn?: Weight;
  /** Where each API is, and where webhooks go; the sandbox where it is not said. */
  readonly upstreams: Upstreams;
  readonly sandbox: URL;
  /** The sandbox's own certificate, in PEM. */
  readonly sandboxCertificate?: string;
  /** Longest wait for the head of a reply, and for the next piece of either body. */
  readonly replyMilliseconds: number;
  /**
   * Authorizes calls that the proxy answers itself. Without it, only this machine may make them, while no other can reach the
   * proxy (OP-65).
   */
  readonly adminToken?: string;
  /** Names that calls may be addressed to, besides those of this machine and IP addresses (OP-77). */
  readonly allowedHosts?: readonly string[];
  /** What callers may take of it, where it is not the usual. */
  readonly limits?: Partial<Limits>;
  /** Prism, which validates each exchange too. Without it, there is no second opinion. */
  readonly secondOpinion?: SecondOpinion | undefined;
  /** Milliseconds of a monotonic clock. Without it, rules about the order of calls cannot be checked. */
  readonly now?: () => number;
  /** Called with each finding that is the first of its kind. */
  readonly onFinding?: (finding: Finding) => void;
}
