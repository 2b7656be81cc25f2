import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';

/** A head, and what was worked out from it. */
interface Known<T> {
  readonly httpVersion: string;
  readonly method: string | undefined;
  readonly url: string | undefined;
  readonly rawHeaders: readonly string[];
  readonly found: T;
}

/** Most characters of a head that is kept (OP-82). */
const mostKept = 2 * 1024;

/**
 * Keeps what a head says for the next call of its connection, which mostly has the same head. It is for what follows
 * from the head and the connection alone. One head a connection is kept, as long as the connection, unless it is large.
 */
export class SameHead<T> {
  readonly #find: (request: IncomingMessage) => T;
  readonly #last = new WeakMap<Socket, Known<T>>();

  constructor(find: (request: IncomingMessage) => T) {
    this.#find = find;
  }

  of(request: IncomingMessage): T {
    const last = this.#last.get(request.socket);
    if (last !== undefined && isSame(last, request)) return last.found;
    // Taken before: whoever finds something may write the address anew.
    const { httpVersion, method, url, rawHeaders } = request;
    const found = this.#find(request);
    if (sizeOf(url, rawHeaders) <= mostKept) {
      this.#last.set(request.socket, { httpVersion, method, url, rawHeaders, found });
    }
    return found;
  }
}

function sizeOf(url = '', rawHeaders: readonly string[]): number {
  return rawHeaders.reduce((sum, text) => sum + text.length, url.length);
}

function isSame(known: Known<unknown>, { httpVersion, method, url, rawHeaders }: IncomingMessage): boolean {
  if (known.method !== method || known.url !== url || known.httpVersion !== httpVersion) return false;
  if (known.rawHeaders.length !== rawHeaders.length) return false;
  for (let at = 0; at < rawHeaders.length; at += 1) if (known.rawHeaders[at] !== rawHeaders[at]) return false;
  return true;
}
