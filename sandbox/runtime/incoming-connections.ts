import type { IncomingMessage, ServerResponse } from 'node:http';
import type { AddressInfo, ListenOptions, Server, Socket } from 'node:net';

/** Milliseconds for which incoming data is still read and discarded after the last reply. Otherwise the reply could be lost. */
const lingerMilliseconds = 1_000;

/** A call on a connection: its request and its response. */
export interface Exchange {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
}

/** The calls in progress on each connection, in the order of their arrival. */
export class IncomingConnections {
  readonly #open = new WeakMap<Socket, Exchange[]>();
  /** Callbacks that start the queued calls of each connection, in order. */
  readonly #turns = new WeakMap<Socket, (() => void)[]>();
  readonly #full = new WeakSet<Socket>();
  readonly #answered = new WeakMap<Socket, () => void>();
  readonly #mostBehind: number;

  /** @param mostBehind maximum number of calls that can wait on a connection behind the current one */
  constructor(mostBehind: number) {
    this.#mostBehind = mostBehind;
  }

  /**
   * Queues a call. Resolves once all earlier replies on its connection have been sent, so that at most one reply per
   * connection is pending. Never resolves if the connection closes first. Returns `too many` for the first call over
   * the limit, and `undefined` for all later ones.
   */
  takeUp(exchange: Exchange): Promise<void> | 'too many' | undefined {
    const { socket } = exchange.request;
    if (this.#full.has(socket)) return undefined;
    const turns = this.#turns.get(socket) ?? [];
    this.#turns.set(socket, turns);
    if (turns.length > this.#mostBehind) {
      this.#follow(exchange, () => {});
      this.#full.add(socket);
      return 'too many';
    }
    const { promise, resolve } = Promise.withResolvers<void>();
    turns.push(resolve);
    if (turns.length === 1) resolve();
    this.#follow(exchange, () => {
      turns.shift();
      // A closed connection starts no further calls.
      if (!socket.destroyed) turns[0]?.();
    });
    return promise;
  }

  /** Returns whether a call is in progress on this connection. */
  isBusy(socket: Socket): boolean {
    return (this.#turns.get(socket)?.length ?? 0) > 0;
  }

  /** Returns the calls on this connection whose reply has not been sent, or whose body has not fully arrived. */
  openOn(socket: Socket): readonly Exchange[] {
    return this.#open.get(socket) ?? [];
  }

  /** Returns whether `giveUp` was called for this connection. */
  givenUp(socket: Socket): boolean {
    return this.#answered.has(socket);
  }

  /**
   * Stops waiting for incomplete calls on a connection. Resolves when all complete calls have been answered, with the
   * call whose body is incomplete, if any. Never resolves if the connection closes first.
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

  /** Tracks a call until it ends. After the reply, the unread part of its body is discarded so that the next call can be read. */
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

/** Starts listening, and resolves with the port. Rejects with the system's error on failure. */
export async function startListening(server: Server, options: ListenOptions): Promise<number> {
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject).listen(options, resolve);
  });
  return (server.address() as AddressInfo).port;
}

/** Writes final text, and ends the connection once that text has been sent. */
export function hangUp(socket: Socket, last: string): void {
  const timer = setTimeout(() => socket.destroy(), lingerMilliseconds);
  socket.once('close', () => clearTimeout(timer)).end(last);
}
