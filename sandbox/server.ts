import { createServer, type IncomingMessage, type Server, type ServerResponse, STATUS_CODES } from 'node:http';
import { createServer as createSecureServer } from 'node:https';
import type { AddressInfo, Socket } from 'node:net';
import type { Certificate } from './certificate.ts';
import { Connections, hangUp } from './connections.ts';
import type { Rendered } from './contract/envelopes.ts';
import type { RequestFailure } from './contract/failures.ts';
import { arrival } from './contract/target.ts';

/** The HTTP server around the application: limits of the head, errors below HTTP, and an orderly end. */
export interface HttpServer {
  readonly port: number;
  /** Refuses new calls, and lets those under way end until `over` is aborted, with a moment to say so then. */
  drain(over: AbortSignal): Promise<void>;
  close(): Promise<void>;
}

/** Head of a request: 16 KiB; a whole request within 15 s (OP-39). */
const headBytes = 16 * 1024;
const requestMilliseconds = 15_000;
/** What was cut off is answered within this time. */
const graceMilliseconds = 1_000;

/** What the server asks of the application. */
export interface Served {
  readonly handle: (request: IncomingMessage, response: ServerResponse) => void;
  /** Paths that the sandbox itself calls to finish what is under way; they are served while draining. */
  readonly internal: (path: string) => boolean;
  /** A trace id for a reply that the application never sees (OP-42). */
  readonly newTrace: () => string;
  /** Such a reply, in the form of the address that the path is under. */
  readonly refusal: (path: string, failure: RequestFailure) => Rendered;
}

/** TLS 1.2 and 1.3 with suites that encrypt and authenticate in one, and no switch for less (OP-32). */
const tlsVersions = {
  minVersion: 'TLSv1.2',
  maxVersion: 'TLSv1.3',
  handshakeTimeout: requestMilliseconds,
  // Those of TLS 1.3 by name; what remains for 1.2 is agreed on anew for each connection (ECDHE), and nothing is CBC.
  ciphers: 'TLS_AES_256_GCM_SHA384:TLS_CHACHA20_POLY1305_SHA256:TLS_AES_128_GCM_SHA256:ECDHE+AESGCM:ECDHE+CHACHA20',
} as const;

/**
 * Listens, under TLS when there is a certificate. Rejects with the system's error when the port is taken.
 * @param milliseconds how long a request, and a handshake, may take to come whole
 */
export async function listen(
  served: Served,
  host: string,
  port: number,
  tls?: Certificate,
  milliseconds = requestMilliseconds,
): Promise<HttpServer> {
  const state = { draining: false, open: 0, idle: () => {} };
  const connections = new Connections();
  const handle = (request: IncomingMessage, response: ServerResponse) => {
    connections.follow({ request, response });
    const arrived = arrival(request);
    if ('problem' in arrived) {
      return refuse(request, response, served, { kind: 'malformed_http' }, { 'X-Problem': arrived.problem });
    }
    request.url = arrived.url;
    if (state.draining && !served.internal(arrived.url)) {
      return refuse(request, response, served, { kind: 'unavailable' });
    }
    state.open += 1;
    response.once('close', () => {
      state.open -= 1;
      if (state.open === 0) state.idle();
    });
    served.handle(request, response);
  };
  const limits = limitsOf(milliseconds);
  const server =
    tls === undefined
      ? createServer(limits, handle)
      : createSecureServer(
          { ...limits, ...tlsVersions, handshakeTimeout: milliseconds, cert: tls.cert, key: tls.key },
          handle,
        );
  // An expectation that nobody knows may be ignored (RFC 9110, 10.1.1); left to Node, it is a bare 417.
  server.on('checkExpectation', handle);
  server.on('clientError', (error, socket) => {
    void answerBroken(error, socket as Socket, connections, served);
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, resolve);
  });
  return {
    port: (server.address() as AddressInfo).port,
    async drain(over) {
      state.draining = true;
      if (state.open === 0) return;
      const { promise, resolve } = Promise.withResolvers<void>();
      state.idle = resolve;
      let timer: NodeJS.Timeout | undefined;
      const end = () => {
        timer = setTimeout(resolve, graceMilliseconds);
      };
      if (over.aborted) end();
      else over.addEventListener('abort', end, { once: true });
      await promise;
      clearTimeout(timer);
      over.removeEventListener('abort', end);
    },
    close: () => close(server),
  };
}

function close(server: Pick<Server, 'close' | 'closeAllConnections'>): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => resolve());
    server.closeAllConnections();
  });
}

/** What Node enforces. It looks for requests that take too long every half second, or more often where little is allowed. */
function limitsOf(milliseconds: number) {
  return {
    maxHeaderSize: headBytes,
    headersTimeout: milliseconds,
    requestTimeout: milliseconds,
    connectionsCheckingInterval: Math.min(500, milliseconds / 4),
    // Node's own refusal has no body.
    requireHostHeader: false,
  };
}

function refuse(
  { url = '/' }: IncomingMessage,
  response: ServerResponse,
  { refusal, newTrace }: Served,
  failure: RequestFailure,
  more: Readonly<Record<string, string>> = {},
): void {
  const { status, body, headers } = refusal(pathIn(url), failure);
  const { type, text } = written(body);
  const own = { 'X-Trace-Id': newTrace(), 'Content-Type': type, 'Content-Length': Buffer.byteLength(text) };
  response.writeHead(status, { ...headers, ...more, ...own, Connection: 'close' });
  response.end(text);
}

/** The path in a target of any form, as far as it can be told. */
function pathIn(target: string): string {
  return target.replace(/^https?:\/\/[^/?#]*/i, '').replace(/^\/+/, '/');
}

/** A page is text, everything else JSON. */
function written(body: unknown): { readonly type: string; readonly text: string } {
  if (typeof body === 'string') return { type: 'text/html; charset=utf-8', text: body };
  return { type: 'application/json', text: JSON.stringify(body) };
}

type Broken = NodeJS.ErrnoException & { readonly rawPacket?: Buffer };

const tooLate = { 'X-Problem': 'the request did not come whole in time' };

/**
 * What cannot be parsed as HTTP, or does not come whole in time, never reaches the application; it is answered here, after
 * the calls that came whole before it on the same connection.
 */
async function answerBroken(
  error: Broken,
  socket: Socket,
  connections: Connections,
  { refusal, newTrace }: Served,
): Promise<void> {
  const handshake = /^(ERR_SSL|ERR_TLS|EPROTO)/.test(error.code ?? '');
  if (!socket.writable || error.code === 'ECONNRESET' || handshake) {
    socket.destroy();
    return;
  }
  // What follows on a connection that was given up is no more readable than what it was given up for.
  if (connections.givenUp(socket)) return;
  const unfinished = await connections.giveUp(socket);
  const silent = socket.bytesRead === 0 || unfinished?.response.headersSent === true;
  if (silent || !socket.writable) return hangUp(socket, '');
  const kind = error.code === 'HPE_HEADER_OVERFLOW' ? 'headers_too_large' : 'malformed_http';
  const { status, body, headers } = refusal(unfinished?.request.url ?? pathOf(error), { kind });
  const { type, text } = written(body);
  const late = error.code === 'ERR_HTTP_REQUEST_TIMEOUT';
  const head = [
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}`,
    ...Object.entries({ ...headers, ...(late && tooLate) }).map(([name, value]) => `${name}: ${value}`),
    `Content-Type: ${type}`,
    `Content-Length: ${Buffer.byteLength(text)}`,
    `X-Trace-Id: ${newTrace()}`,
    'Connection: close',
  ];
  hangUp(socket, `${head.join('\r\n')}\r\n\r\n${text}`);
}

/** The path of the last request in what could not be parsed. */
function pathOf({ rawPacket }: Broken): string {
  const lines = rawPacket?.toString('latin1').matchAll(/^[A-Z]+ (\S+)/gm) ?? [];
  return pathIn([...lines].at(-1)?.[1] ?? '/');
}
