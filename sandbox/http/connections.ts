import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { lingerMilliseconds, mostBehind } from './limits.ts';

/** One call on a connection. */
export interface Exchange {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
}

/** What is under way on each connection, in the order in which it was asked. */
export class IncomingConnections {
  readonly #open = new WeakMap<Socket, Exchange[]>();
  /** What lets each call begin. */
  readonly #turns = new WeakMap<Socket, (() => void)[]>();
  readonly #full = new WeakSet<Socket>();
  readonly #answered = new WeakMap<Socket, () => void>();

  /**
   * Takes a call up. Resolves when it is its turn: once all before it on its connection were answered and their replies
   * have left, so that nobody has more than one reply waiting; for the first one once what came with its head is there.
   * Never resolves when the connection ends before. Where too many wait already, the call is one `too many`, and for
   * what is behind that there is no turn.
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
      // Of a connection that is no more nobody hears the end of a call.
      if (!socket.destroyed) turns[0]?.();
    });
    return promise;
  }

  /** Whether a call is under way on this connection. */
  isBusy(socket: Socket): boolean {
    return (this.#turns.get(socket)?.length ?? 0) > 0;
  }

  /** The calls on this connection whose replies have not left, or whose bodies have not come. */
  openOn(socket: Socket): readonly Exchange[] {
    return this.#open.get(socket) ?? [];
  }

  /** Whether the rest of this connection was given up. */
  givenUp(socket: Socket): boolean {
    return this.#answered.has(socket);
  }

  /**
   * Gives up what follows on a connection. Resolves when all calls that came whole are answered, to the call whose body
   * is not whole, if there is one. Never resolves when the connection ends before.
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

  /** Follows a call. What nobody read of its body is dropped once it is answered, so that the next call can be read. */
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

/** Ends a connection after a last text, in a way that lets the text arrive. */
export function hangUp(socket: Socket, last: string): void {
  const timer = setTimeout(() => socket.destroy(), lingerMilliseconds);
  socket.once('close', () => clearTimeout(timer)).end(last);
}
