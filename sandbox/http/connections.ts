import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { nextTick } from 'node:process';
import { type Duplex, duplexPair } from 'node:stream';
import type { Exchange, IncomingConnections } from '../runtime/incoming-connections.ts';

/** Tracks connections that stay open between calls until the server stops. After that, callers must connect to another instance. */
export class KeepAlive {
  readonly #connections: IncomingConnections;
  /** Connections that have received a call. */
  readonly #sockets = new Set<Socket>();
  /** Connections of the sandbox to itself. */
  readonly #internal = new WeakSet<Socket>();
  #isStopped = false;

  constructor(connections: IncomingConnections) {
    this.#connections = connections;
  }

  /** Tracks the connection of a received call until the connection closes. */
  follow({ request: { socket }, response }: Exchange, isInternal: boolean): void {
    if (isInternal) this.#internal.add(socket);
    if (!this.#sockets.has(socket)) {
      this.#sockets.add(socket);
      socket.once('close', () => this.#sockets.delete(socket));
    }
    if (this.#isStopped) response.setHeader('Connection', 'close');
  }

  /**
   * Ends each connection with its next reply. Immediately closes connections without a call, except those of the sandbox to itself.
   * A call that is just being sent on one of those belongs to work that must be finished.
   */
  stop(): void {
    this.#isStopped = true;
    for (const socket of this.#sockets) {
      const isBusy = () => this.#connections.isBusy(socket);
      for (const { response } of this.#connections.openOn(socket)) {
        if (!response.headersSent) response.setHeader('Connection', 'close');
        else {
          response.once('close', () => {
            if (!isBusy()) socket.end();
          });
        }
      }
      if (!isBusy() && !this.#internal.has(socket)) socket.end();
    }
  }
}

/** A connection or, under TLS, the socket below it. Both have the same caller. */
type Peer = Pick<Socket, 'remoteAddress' | 'remotePort'>;

/**
 * Tracks connections without a call in progress. At the connection limit, one of them is closed, so that idle connections do not
 * lock callers out. The first choice is the oldest one without any request, and the second is the one idle longest (OP-82).
 */
export class IdleConnections {
  readonly #open = new Map<string, Socket>();
  /** Connections without any request so far, oldest first. */
  readonly #silent = new Set<string>();
  /** Connections between two calls, idle longest first. */
  readonly #between = new Set<string>();

  /** Adds a new connection. */
  add(socket: Socket): void {
    const peer = peerOf(socket);
    this.#open.set(peer, socket);
    this.#silent.add(peer);
    socket.once('close', () => {
      // The address may belong to a newer connection by now.
      if (this.#open.get(peer) === socket) this.#forget(peer);
    });
  }

  /** Records that a request has arrived on a connection. Returns a function to call when the connection has no calls left. */
  begin(socket: Peer): () => void {
    const peer = peerOf(socket);
    this.#silent.delete(peer);
    this.#between.delete(peer);
    return () => {
      if (this.#open.has(peer)) this.#between.add(peer);
    };
  }

  /** Closes one idle connection. Returns whether there was one. */
  endOldest(): boolean {
    const [peer] = this.#silent.size > 0 ? this.#silent : this.#between;
    if (peer === undefined) return false;
    const socket = this.#open.get(peer);
    this.#forget(peer);
    socket?.destroy();
    return true;
  }

  #forget(peer: string): void {
    this.#open.delete(peer);
    this.#silent.delete(peer);
    this.#between.delete(peer);
  }
}

function peerOf({ remoteAddress, remotePort }: Peer): string {
  return `${remoteAddress} ${remotePort}`;
}

/** Assumed size of a streamed reply until it is measured, in bytes. Backpressure bounds its real size. */
const streamBytes = 128 * 1024;

/** A tracked reply, and its size in bytes as assumed or last measured. */
interface Reply {
  readonly response: ServerResponse;
  bytes: number;
}

/**
 * Bounds the memory that replies to slow readers use. Beyond the limit, it closes the connections that have waited longest, until
 * the rest is within the limit.
 */
export class SlowReaders {
  readonly #most: number;
  /** Replies in the order in which they began to wait. */
  readonly #waiting = new Set<Reply>();
  #bytes = 0;
  #isEvicting = false;

  constructor(most: number) {
    this.#most = most;
  }

  /** The number of unread bytes, as last measured. */
  get bytes(): number {
    return this.#bytes;
  }

  /** Tracks a reply until it is sent or its connection closes. */
  follow(response: ServerResponse): void {
    const reply: Reply = { response, bytes: 0 };
    response.on('prefinish', () => this.#count(reply, response.writableLength));
    response.on('pipe', () => this.#count(reply, streamBytes));
    response.on('close', () => this.#drop(reply));
  }

  #count(reply: Reply, bytes: number): void {
    this.#drop(reply);
    if (reply.response.destroyed) return;
    reply.bytes = bytes;
    this.#waiting.add(reply);
    this.#bytes += bytes;
    if (this.#bytes > this.#most && !this.#isEvicting) void this.#evict();
  }

  #drop(reply: Reply): void {
    if (this.#waiting.delete(reply)) this.#bytes -= reply.bytes;
  }

  /** Closes the connections of slow readers. First waits a tick, after which the system has accepted all recent data that it can. */
  async #evict(): Promise<void> {
    this.#isEvicting = true;
    await new Promise<void>((resolve) => nextTick(resolve));
    for (const reply of [...this.#waiting]) {
      const { writableLength } = reply.response;
      this.#bytes += writableLength - reply.bytes;
      reply.bytes = writableLength;
      // A reader that has received everything so far moves to the end of the queue.
      if (writableLength > 0) continue;
      this.#waiting.delete(reply);
      this.#waiting.add(reply);
    }
    for (const reply of this.#waiting) {
      if (reply.bytes === 0) break;
      if (this.#bytes <= this.#most) break;
      this.#drop(reply);
      reply.response.destroy();
    }
    this.#isEvicting = false;
  }
}

/**
 * Opens connections of the sandbox to itself, which exist only in memory. Nobody else can open one. They use no descriptor and no
 * port, and do not count towards the connection limit. Other callers can therefore never prevent an order from making its own calls
 * (OP-82).
 */
export class OwnConnections {
  /** The ends at which the sandbox receives its own calls. */
  readonly served = new WeakSet<object>();

  /** Opens a connection and returns its two ends. When one end closes, so does the other. */
  open(): { readonly served: Duplex; readonly calling: Duplex } {
    const [served, calling] = duplexPair();
    inTurn(calling);
    served.once('close', () => calling.destroy());
    calling.once('close', () => served.destroy());
    const resetAndDestroy = () => {
      calling.destroy(Object.assign(new Error('read ECONNRESET'), { code: 'ECONNRESET' }));
      served.destroy();
    };
    this.served.add(served);
    return { served: Object.assign(served, { remoteAddress: '127.0.0.1', remotePort: 0, resetAndDestroy }), calling };
  }
}

/** Yields to the event loop before each chunk is sent. Without this, an order would delay other calls until it ends. */
function inTurn(stream: Duplex): void {
  const write = stream._write.bind(stream);
  stream._write = (piece, encoding, done) =>
    void setImmediate(() => (stream.destroyed ? done() : write(piece, encoding, done)));
}
