import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

/** One call on a connection. */
export interface Exchange {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
}

/** How long what still comes is read and dropped after the last reply, so that the reply is not lost with it. */
const lingerMilliseconds = 1000;

/** What is under way on each connection, in the order in which it was asked. */
export class Connections {
  readonly #open = new WeakMap<Socket, Set<Exchange>>();
  readonly #answered = new WeakMap<Socket, () => void>();

  /** Follows a call. What nobody read of its body is dropped once it is answered, so that the next call can be read. */
  follow(exchange: Exchange): void {
    const { request, response } = exchange;
    const { socket } = request;
    const open = this.#open.get(socket) ?? new Set();
    this.#open.set(socket, open.add(exchange));
    response.once('close', () => {
      if (request.complete) open.delete(exchange);
      else request.once('close', () => open.delete(exchange)).resume();
      this.#answered.get(socket)?.();
    });
  }

  /** Whether the rest of this connection was given up. */
  givenUp(socket: Socket): boolean {
    return this.#answered.has(socket);
  }

  /**
   * Gives up what follows on a connection. Resolves when all calls that came whole are answered, to the call whose body is
   * not whole, if there is one. Never resolves when the connection ends before.
   */
  async giveUp(socket: Socket): Promise<Exchange | undefined> {
    const open = this.#open.get(socket) ?? new Set<Exchange>();
    const waiting = () => [...open].some(({ request, response }) => request.complete && !response.writableFinished);
    const { promise, resolve } = Promise.withResolvers<void>();
    const look = () => {
      if (!waiting()) resolve();
    };
    this.#answered.set(socket, look);
    look();
    await promise;
    return [...open].find(({ request }) => !request.complete);
  }
}

/** Ends a connection after a last text, in a way that lets the text arrive. */
export function hangUp(socket: Socket, last: string): void {
  const timer = setTimeout(() => socket.destroy(), lingerMilliseconds);
  socket.once('close', () => clearTimeout(timer)).end(last);
}
