import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { createServer as createSecureServer } from 'node:https';
import type { AddressInfo, Socket } from 'node:net';
import type { Certificate } from './certificate.ts';
import type { Rendered } from './contract/envelopes.ts';
import type { RequestFailure } from './domain/failures.ts';

/** The HTTP server around the application: limits of the head, errors below HTTP, and an orderly end. */
export interface HttpServer {
  readonly port: number;
  /** Refuses new calls, lets those under way end (10 s at most), and closes. */
  drain(): Promise<void>;
  close(): Promise<void>;
}

/** Head of a request: 16 KiB; a whole request within 15 s (OP-39). */
const headBytes = 16 * 1024;
const requestMilliseconds = 15_000;
const drainMilliseconds = 10_000;

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

/** Listens, under TLS when there is a certificate. Rejects with the system's error when the port is taken. */
export async function listen(served: Served, host: string, port: number, tls?: Certificate): Promise<HttpServer> {
  const state = { draining: false, open: 0, idle: () => {} };
  const limits = { maxHeaderSize: headBytes, requestTimeout: requestMilliseconds };
  const handle = (request: IncomingMessage, response: ServerResponse) => {
    if (state.draining && !served.internal(request.url ?? '')) return refuse(request, response, served);
    state.open += 1;
    response.once('close', () => {
      state.open -= 1;
      if (state.open === 0) state.idle();
    });
    served.handle(request, response);
  };
  const server =
    tls === undefined
      ? createServer(limits, handle)
      : createSecureServer({ ...limits, ...tlsVersions, cert: tls.cert, key: tls.key }, handle);
  server.on('clientError', (error, socket) => answerBroken(error, socket as Socket, served));
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, resolve);
  });
  return {
    port: (server.address() as AddressInfo).port,
    async drain() {
      state.draining = true;
      if (state.open === 0) return;
      const { promise, resolve } = Promise.withResolvers<void>();
      state.idle = resolve;
      const timer = setTimeout(resolve, drainMilliseconds);
      await promise;
      clearTimeout(timer);
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

function refuse({ url = '/' }: IncomingMessage, response: ServerResponse, { refusal, newTrace }: Served): void {
  const { status, body, headers } = refusal(url, { kind: 'unavailable' });
  const { type, text } = written(body);
  response.writeHead(status, { ...headers, 'X-Trace-Id': newTrace(), 'Content-Type': type, Connection: 'close' });
  response.end(text);
}

/** A page is text, everything else JSON. */
function written(body: unknown): { readonly type: string; readonly text: string } {
  if (typeof body === 'string') return { type: 'text/html; charset=utf-8', text: body };
  return { type: 'application/json', text: JSON.stringify(body) };
}

/** What cannot be parsed as HTTP never reaches the application; it is answered here. */
function answerBroken(
  error: NodeJS.ErrnoException & { rawPacket?: Buffer },
  socket: Socket,
  { refusal, newTrace }: Served,
): void {
  const handshake = /^(ERR_SSL|ERR_TLS|EPROTO)/.test(error.code ?? '');
  if (!socket.writable || error.code === 'ECONNRESET' || handshake) {
    socket.destroy();
    return;
  }
  const [, path = '/'] = /^[A-Z]+ (\/\S*)/.exec(error.rawPacket?.toString('latin1', 0, 64) ?? '') ?? [];
  const kind = error.code === 'HPE_HEADER_OVERFLOW' ? 'headers_too_large' : 'malformed_http';
  const { status, body, headers } = refusal(path, { kind });
  const { type, text } = written(body);
  const head = [
    `HTTP/1.1 ${status} ${kind === 'headers_too_large' ? 'Request Header Fields Too Large' : 'Bad Request'}`,
    ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`),
    `Content-Type: ${type}`,
    `Content-Length: ${Buffer.byteLength(text)}`,
    `X-Trace-Id: ${newTrace()}`,
    'Connection: close',
  ];
  socket.end(`${head.join('\r\n')}\r\n\r\n${text}`);
}
