import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';

/** A head, and what was worked out from it, by who did. */
interface Known {
  readonly httpVersion: string;
  readonly method: string | undefined;
  readonly url: string | undefined;
  readonly rawHeaders: readonly string[];
  readonly found: Map<SameHead<unknown>, unknown>;
}

/** Most characters of a head that is kept (OP-82). */
const mostKept = 2 * 1024;

/** The last head of each connection. */
const lastHeads = new WeakMap<Socket, Known>();
/** Where a request carries what its head is known by: its address may be written anew after it was first looked at. */
const head = Symbol('head');

type Looked = IncomingMessage & { [head]?: Known };

/**
 * Keeps what a head says for the next call of its connection, which mostly has the same head. It is for what follows
 * from the head and the connection alone. One head a connection is kept, as long as the connection, unless it is large.
 */
export class SameHead<T> {
  readonly #find: (request: IncomingMessage) => T;

  constructor(find: (request: IncomingMessage) => T) {
    this.#find = find;
  }

  of(request: Looked): T {
    request[head] ??= knownOf(request);
    const { found } = request[head];
    if (found.has(this)) return found.get(this) as T;
    const now = this.#find(request);
    found.set(this, now);
    return now;
  }
}

/** What is known of the head, which is the one before it on the connection, or takes its place. */
function knownOf(request: IncomingMessage): Known {
  const last = lastHeads.get(request.socket);
  if (last !== undefined && isSame(last, request)) return last;
  const { httpVersion, method, url, rawHeaders } = request;
  const known = { httpVersion, method, url, rawHeaders, found: new Map() };
  if (sizeOf(url, rawHeaders) <= mostKept) lastHeads.set(request.socket, known);
  return known;
}

function sizeOf(url = '', rawHeaders: readonly string[]): number {
  return rawHeaders.reduce((sum, text) => sum + text.length, url.length);
}

function isSame(known: Known, { httpVersion, method, url, rawHeaders }: IncomingMessage): boolean {
  if (known.method !== method || known.url !== url || known.httpVersion !== httpVersion) return false;
  if (known.rawHeaders.length !== rawHeaders.length) return false;
  for (let at = 0; at < rawHeaders.length; at += 1) if (known.rawHeaders[at] !== rawHeaders[at]) return false;
  return true;
}
