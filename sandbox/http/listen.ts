import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import { createServer as createSecureServer } from 'node:https';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import type { InstanceTls } from '../cluster/instances.ts';
import { nodeHttp } from '../contract/node-http.ts';
import { arrival } from '../contract/request.ts';
import { hangUp, IncomingConnections, startListening } from '../runtime/incoming-connections.ts';
import type { Certificate } from './certificate.ts';
import { IdleConnections, KeepAlive, OwnConnections, SlowReaders } from './connections.ts';
import { graceMilliseconds, mostBehind, mostBeyond, nodeLimits, type ServerLimits, usualLimits } from './limits.ts';
import { answerBroken, noRoom, type Refusals, refuse } from './refusals.ts';

/** The HTTP server around the application, with header limits, handling of errors below HTTP, and an orderly shutdown. */
export interface HttpServer {
  readonly port: number;
  /** Opens a connection of the sandbox to itself. It uses plain HTTP, even if the server has a certificate. */
  connect(): Duplex;
  /** Closes connections between calls. Every further reply has `Connection: close`, including replies to calls in progress. */
  stopKeepAlive(): void;
  /** Refuses new calls and waits for those in progress. After `over` is aborted, waits only a short grace period. */
  drain(over: AbortSignal): Promise<void>;
  close(): Promise<void>;
}

/** The functions that the server needs from the application. */
export interface ServerParts extends Refusals {
  /** Serves a call, or refuses it under overload (OP-83). Resolves when its work is done. */
  readonly handle: (request: IncomingMessage, response: ServerResponse) => Promise<void>;
  /** Returns whether the sandbox itself calls a path to finish work in progress. Such paths are served while draining. */
  readonly internal: (path: string) => boolean;
}

/** TLS 1.2 and 1.3 with authenticated encryption only. No option weakens this (OP-32). */
const tlsVersions = {
  minVersion: 'TLSv1.2',
  maxVersion: 'TLSv1.3',
  // The TLS 1.3 suites are listed by name. For TLS 1.2, only suites with ephemeral keys (ECDHE) and without CBC remain.
  ciphers: 'TLS_AES_256_GCM_SHA384:TLS_CHACHA20_POLY1305_SHA256:TLS_AES_128_GCM_SHA256:ECDHE+AESGCM:ECDHE+CHACHA20',
} as const;

/** Starts to listen, with TLS if there is a certificate. Rejects with the system error if the port is in use. */
export async function listen(
  served: ServerParts,
  host: string,
  port: number,
  tls?: Certificate | InstanceTls,
  given: Partial<ServerLimits> = {},
): Promise<HttpServer> {
  const most = { ...usualLimits, ...given };
  const state = { draining: false, open: 0, idle: () => {} };
  const connections = new IncomingConnections(mostBehind);
  const keepAlive = new KeepAlive(connections);
  const own = new OwnConnections();
  const idle = new IdleConnections();
  const slowReaders = new SlowReaders(most.unreadBytes);
  const serve = (request: IncomingMessage, response: ServerResponse) => {
    const arrived = arrival(request);
    if ('problem' in arrived) {
      return refuse(request, response, served, { kind: 'malformed_http' }, { 'X-Problem': arrived.problem });
    }
    if ((request.headers['transfer-encoding'] ?? 'chunked').toLowerCase() !== 'chunked') {
      const problem = 'the Transfer-Encoding must be chunked';
      return refuse(request, response, served, { kind: 'malformed_http' }, { 'X-Problem': problem });
    }
    request.url = arrived.url;
    if (state.draining && !served.internal(arrived.url)) {
      return refuse(request, response, served, { kind: 'unavailable' });
    }
    const work = served.handle(request, response);
    state.open += 1;
    // A call is open until its response has closed and its work is done. A caller that disconnects does not cancel the work.
    let left = 2;
    const over = () => {
      left -= 1;
      if (left > 0) return;
      state.open -= 1;
      if (state.open === 0) state.idle();
    };
    response.on('close', over);
    void work.then(over);
  };
  const handle = (request: IncomingMessage, response: ServerResponse) => {
    // Observers and log streams add `close` listeners to each response, more than Node's leak warning allows.
    response.setMaxListeners(20);
    // Prevents browsers from guessing a type other than the one in the reply.
    response.setHeader('X-Content-Type-Options', 'nosniff');
    slowReaders.follow(response);
    keepAlive.follow({ request, response }, served.internal(request.url ?? ''));
    const begins = connections.takeUp({ request, response });
    const { socket } = request;
    if (!own.served.has(socket)) {
      const rest = idle.begin(socket);
      response.on('close', () => {
        if (!connections.isBusy(socket)) rest();
      });
    }
    if (begins === 'too many') {
      return refuse(request, response, served, { kind: 'unavailable' }, { 'X-Problem': 'too many calls are waiting' });
    }
    void begins?.then(() => serve(request, response));
  };
  const limits = nodeLimits(most);
  const server =
    tls === undefined
      ? nodeHttp.createServer(limits, handle)
      : createSecureServer(
          {
            ...limits,
            ...tlsVersions,
            handshakeTimeout: most.request,
            ...('cert' in tls ? { cert: tls.cert, key: tls.key } : tls),
          },
          handle,
        );
  bound(server, most, { connections, idle, own }, tls === undefined ? () => noRoom(served) : undefined);
  // A server may ignore an unsupported expectation (RFC 9110, 10.1.1). Node's own reply is a bare 417.
  server.on('checkExpectation', handle);
  server.on('clientError', (error, socket) => {
    void answerBroken(error, socket as Socket, connections, served);
  });
  // By default, Node requests a backlog of 511. If the backlog is full, the caller's system retries the connection only a second
  // later.
  const listening = await startListening(server, { port, host, backlog: most.connections });
  return {
    port: listening,
    connect() {
      const ends = own.open();
      server.emit(tls === undefined ? 'connection' : 'secureConnection', ends.served);
      return ends.calling;
    },
    stopKeepAlive: () => keepAlive.stop(),
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

/** The trackers of the server's connections. */
interface ConnectionTrackers {
  readonly connections: IncomingConnections;
  readonly idle: IdleConnections;
  readonly own: OwnConnections;
}

/**
 * Closes connections beyond the limit, and connections whose reply is not read. A waiting call's connection stays open while
 * there is nothing to read. At the limit, a connection without a call in progress is closed in favour of a new one.
 *
 * @param refusal the reply to a connection beyond the limit; omitted under TLS, where the handshake has not begun
 */
function bound(
  server: Server,
  most: ServerLimits,
  { connections, idle, own }: ConnectionTrackers,
  refusal?: () => string,
): void {
  let open = 0;
  server.maxConnections = most.connections + mostBeyond;
  server.on('connection', (socket: Socket) => {
    if (own.served.has(socket)) return;
    open += 1;
    socket.once('close', () => {
      open -= 1;
    });
    const isRoom = open <= most.connections || idle.endOldest();
    if (isRoom) idle.add(socket);
    else if (refusal === undefined) socket.destroy();
    else hangUp(socket, refusal());
  });
  // Node's timeout runs only while nothing arrives, nothing is written and no written data is sent.
  server.setTimeout(most.stalled, (socket) => {
    if (!connections.isBusy(socket) || socket.writableLength > 0) socket.destroy();
  });
}
