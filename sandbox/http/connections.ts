import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { lingerMilliseconds, mostBehind } from './limits.ts';

/** One call on a connection. */
export interface Exchange {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
}

/** The calls in progress on each connection, in the order of their arrival. */
export class IncomingConnections {
  readonly #open = new WeakMap<Socket, Exchange[]>();
  /** Decides when each call may begin. */
  readonly #turns = new WeakMap<Socket, (() => void)[]>();
  readonly #full = new WeakSet<Socket>();
  readonly #answered = new WeakMap<Socket, () => void>();

  /**
   * Queues a call. Resolves when it is its turn: once all earlier calls on its connection are answered and their replies
   * have left, so that a connection has at most one reply waiting. Never resolves if the connection closes first. Returns
   * `too many` for the first call beyond the limit, and undefined for all that follow it.
   */
  takeUp(exchange: Exchange): Promise<void> | 'too many' | undefined {
    const { socket } = exchange.request;
    if (this.#full.has(socket)) return undefined;
    const turns = this.#turns.get(socket) ?? [];
    this.#turns.set(socket, turns);
    if (turns.length > mostBehind) {
      this.#follow(exchange, () => {});
      this.#full.add(socket);
      return 'too many';
    }
    const { promise, resolve } = Promise.withResolvers<void>();
    turns.push(resolve);
    if (turns.length === 1) resolve();
    this.#follow(exchange, () => {
      turns.shift();
      // A closed connection starts no further call.
      if (!socket.destroyed) turns[0]?.();
    });
    return promise;
  }

  /** Whether a call is in progress on this connection. */
  isBusy(socket: Socket): boolean {
    return (this.#turns.get(socket)?.length ?? 0) > 0;
  }

  /** The calls on this connection whose replies have not left, or whose bodies have not arrived. */
  openOn(socket: Socket): readonly Exchange[] {
    return this.#open.get(socket) ?? [];
  }

  /** Whether the rest of this connection was given up. */
  givenUp(socket: Socket): boolean {
    return this.#answered.has(socket);
  }

  /**
   * Gives up the rest of a connection. Resolves when all complete calls are answered, with the call whose body is
   * incomplete, if there is one. Never resolves if the connection closes first.
   */
  async giveUp(socket: Socket): Promise<Exchange | undefined> {
    const open = this.#open.get(socket) ?? [];
    const waiting = () => open.some(({ request, response }) => request.complete && !response.writableFinished);
    const { promise, resolve } = Promise.withResolvers<void>();
    const look = () => {
      if (!waiting()) resolve();
    };
    this.#answered.set(socket, look);
    look();
    await promise;
    return open.find(({ request }) => !request.complete);
  }

  /** Follows a call. The unread rest of its body is dropped once it is answered, so that the next call can be read. */
  #follow(exchange: Exchange, over: () => void): void {
    const { request, response } = exchange;
    const { socket } = request;
    const open = this.#open.get(socket) ?? [];
    if (open.length === 0) this.#open.set(socket, open);
    open.push(exchange);
    const drop = () => void open.splice(open.indexOf(exchange), 1);
    response.on('close', () => {
      if (request.complete) drop();
      else request.once('close', drop).resume();
      this.#answered.get(socket)?.();
      over();
    });
  }
}

/** Ends a connection after a last text, so that the text arrives. */
export function hangUp(socket: Socket, last: string): void {
  const timer = setTimeout(() => socket.destroy(), lingerMilliseconds);
  socket.once('close', () => clearTimeout(timer)).end(last);
}

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
