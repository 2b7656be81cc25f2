import type { Socket } from 'node:net';

/** A connection, or under TLS what lies below it: both have the same caller. */
type Peer = Pick<Socket, 'remoteAddress' | 'remotePort'>;

/**
 * Connections on which no request has arrived yet, oldest first. At the connection limit, the oldest of these is closed, so
 * that idle connections lock nobody out (OP-82).
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
