import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Exchange, IncomingConnections } from '../runtime/incoming-connections.ts';

/** Connections that stay open between calls, until the server stops: then callers open their next one elsewhere. */
export class KeepAlive {
  readonly #connections: IncomingConnections;
  /** Connections on which a call has come. */
  readonly #sockets = new Set<Socket>();
  /** Those of the sandbox to itself. */
  readonly #internal = new WeakSet<Socket>();
  #isStopped = false;

  constructor(connections: IncomingConnections) {
    this.#connections = connections;
  }

  /** Follows a call that has come. */
  follow({ request: { socket }, response }: Exchange, isInternal: boolean): void {
    if (isInternal) this.#internal.add(socket);
    if (!this.#sockets.has(socket)) {
      this.#sockets.add(socket);
      socket.once('close', () => this.#sockets.delete(socket));
    }
    if (this.#isStopped) response.setHeader('Connection', 'close');
  }

  /**
   * From now on each reply ends its connection. Closes connections without a call, except those of the sandbox to
   * itself: a call that it sends at this instant belongs to work that is to end in order.
   */
  stop(): void {
    this.#isStopped = true;
    for (const socket of this.#sockets) {
      for (const { response } of this.#connections.openOn(socket)) this.#endAfter(response, socket);
      if (!this.#connections.isBusy(socket) && !this.#internal.has(socket)) socket.end();
    }
  }

  #endAfter(response: ServerResponse, socket: Socket): void {
    if (!response.headersSent) {
      response.setHeader('Connection', 'close');
      return;
    }
    response.once('close', () => {
      if (!this.#connections.isBusy(socket)) socket.end();
    });
  }
}

/** A connection, or under TLS what lies below it: both have the same caller. */
type Peer = Pick<Socket, 'remoteAddress' | 'remotePort'>;

/**
 * Connections on which no request has arrived yet, oldest first. At the connection limit, the oldest of these is closed, so
 * that idle connections do not lock callers out (OP-82).
 */
export class SilentConnections {
  readonly #byPeer = new Map<string, Socket>();
  readonly #heard = new WeakSet<Peer>();

  /** Adds a new connection. */
  add(socket: Socket): void {
    const peer = peerOf(socket);
    this.#byPeer.set(peer, socket);
    socket.once('close', () => {
      // The address may belong to a newer connection by now.
      if (this.#byPeer.get(peer) === socket) this.#byPeer.delete(peer);
    });
  }

  /** Records that a request has arrived on a connection. */
  heard(socket: Peer): void {
    if (this.#heard.has(socket)) return;
    this.#heard.add(socket);
    this.#byPeer.delete(peerOf(socket));
  }

  /** Ends the oldest one. Returns whether there was one. */
  endOldest(): boolean {
    const [oldest] = this.#byPeer;
    if (oldest === undefined) return false;
    const [peer, socket] = oldest;
    this.#byPeer.delete(peer);
    socket.destroy();
    return true;
  }
}

function peerOf({ remoteAddress, remotePort }: Peer): string {
  return `${remoteAddress} ${remotePort}`;
}
