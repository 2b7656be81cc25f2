import type { IncomingMessage, ServerResponse } from 'node:http';
import type { AddressInfo, ListenOptions, Server, Socket } from 'node:net';

/** How long what still comes is read and dropped after the last reply, so that the reply is not lost with it. */
const lingerMilliseconds = 1_000;

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
  readonly #mostBehind: number;

  /** @param mostBehind how many calls can wait on a connection behind the one that is served */
  constructor(mostBehind: number) {
    this.#mostBehind = mostBehind;
  }

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

/** Listens, and resolves with the port. Rejects with the system's error if it cannot. */
export async function startListening(server: Server, options: ListenOptions): Promise<number> {
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject).listen(options, resolve);
  });
  return (server.address() as AddressInfo).port;
}

/** Ends a connection after a last text, so that the text arrives. */
export function hangUp(socket: Socket, last: string): void {
  const timer = setTimeout(() => socket.destroy(), lingerMilliseconds);
  socket.once('close', () => clearTimeout(timer)).end(last);
}
