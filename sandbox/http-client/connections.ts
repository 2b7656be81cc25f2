import type { buildConnector, Client, HeadersInit } from 'undici';
import { nodeHttp } from '../contract/node-http.ts';
import type { OwnInterruption } from '../domain/failures.ts';

/**
 * A call that was never made, for the reason in the message. It says nothing about the server.
 */
export class NotMade extends Error {
  /** How far the call came, where its reason lies in this process; undefined if it lies in the address or the call. */
  readonly how: OwnInterruption | undefined = undefined;
}

/** A call that was not made, or broken off, for a reason of this process that passes: the same call can be made again. */
export class Interrupted extends NotMade {
  override readonly how: OwnInterruption;
  constructor(how: OwnInterruption, message: string) {
    super(message);
    this.how = how;
  }
}

/** For a call whose HTTP client could not be loaded, such as without a free descriptor. */
export function cannotLoad(): Interrupted {
  return new Interrupted('not_sent', 'the HTTP client cannot be loaded');
}

/** Errors of a machine that has no descriptors, ports or memory left for another connection. */
const shortages: ReadonlySet<unknown> = new Set(['EMFILE', 'ENFILE', 'EADDRNOTAVAIL', 'ENOBUFS', 'ENOMEM']);

/** How far a call came that failed for a reason of this process; undefined if the other party failed (OP-150). */
export function oursOf(error: unknown): OwnInterruption | undefined {
  if (error instanceof NotMade) return error.how;
  return shortages.has((error as Error & { code?: unknown }).code) ? 'not_sent' : undefined;
}

/** Headers that belong to the connection and not to the call. */
const ofTheConnection: ReadonlySet<string> = new Set(
  'connection content-length expect host keep-alive te trailer transfer-encoding upgrade'.split(' '),
);

/**
 * Throws `NotMade` where a header cannot be sent. Call it first: a later failure could leak resources
 * of the call, or the value.
 */
export function checkSendable(headers: HeadersInit): void {
  const pairs: Iterable<readonly (string | undefined)[]> =
    Symbol.iterator in headers ? headers : Object.entries(headers);
  for (const [name = '', value = ''] of pairs) {
    const lower = name.toLowerCase();
    if (ofTheConnection.has(lower)) throw unsendable(lower);
    try {
      nodeHttp.validateHeaderName(name);
    } catch {
      throw unsendable(lower);
    }
    try {
      nodeHttp.validateHeaderValue(name, value);
    } catch {
      throw new NotMade(`the header ${lower} contains an invalid character`);
    }
  }
}

function unsendable(name: string): NotMade {
  return new NotMade(`the header ${JSON.stringify(name)} cannot be sent`);
}

/** Calls that may wait for their turn among those that share places (OP-61). */
const mostWaiting = 1000;

/**
 * Who shares places: their calls in flight, connections that are free, and who waits for a place, the longest first.
 */
interface Sharing {
  inFlight: number;
  readonly free: Client[];
  readonly waiting: Set<() => void>;
}

/** Where a call goes, and which places it takes. */
interface CallTarget {
  readonly origin: string;
  readonly operation?: string | undefined;
  /** How many calls may be in flight among those that share places; the same for all of them. */
  readonly places: number;
}

/**
 * Connections to other parties. A call has a slot, and a connection to itself. However the call ends, it releases
 * its slot, and a connection on which a call failed is destroyed. (A `Pool` of undici 8.12 counts a call
 * that it refuses as in progress forever; `test/http-client/undici-pool.test.ts` fails once it no longer does.)
 */
export class OutgoingConnections {
  readonly #connect: buildConnector.connector;
  readonly #sharing = new Map<string, Sharing>();
  readonly #open = new Set<Client>();
  #closed = false;

  constructor(connect: buildConnector.connector) {
    this.#connect = connect;
  }

  /**
   * Makes a call to an origin as soon as it has a slot. Rejects as the call does, or immediately when `givenUp`
   * rejects, whatever the call does then.
   *
   * @param to its `operation` is set where each operation has places of its own; else all calls to the origin share
   *   theirs
   */
  use<T>(to: CallTarget, givenUp: Promise<never>, call: (connection: Client) => Promise<T>): Promise<T> {
    return this.inPlace(to, givenUp, async (sharing, key) => {
      const connection = sharing.free.pop() ?? (await this.#opened(to.origin, key, sharing));
      try {
        const result = await Promise.race([call(connection), givenUp]);
        if (connection.stats.connected) sharing.free.push(connection);
        else this.#drop(connection);
        return result;
      } catch (error) {
        this.#drop(connection);
        throw error;
      }
    });
  }

  /** Makes a call that needs no connection of its own as soon as it has a slot. */
  async inPlace<T>(
    to: CallTarget,
    givenUp: Promise<never>,
    call: (sharing: Sharing, key: string) => Promise<T>,
  ): Promise<T> {
    const { origin, operation = '', places } = to;
    const key = `${operation} ${origin}`;
    const sharing = this.#sharing.get(key) ?? { inFlight: 0, free: [], waiting: new Set() };
    this.#sharing.set(key, sharing);
    await place(sharing, places, givenUp);
    try {
      if (this.#closed) throw new Interrupted('not_sent', 'the sandbox is shutting down');
      return await call(sharing, key);
    } finally {
      leave(sharing);
      this.#forget(key, sharing);
    }
  }

  /** Ends all connections, and the calls on them. Makes no more calls. */
  async close(): Promise<void> {
    this.#closed = true;
    await Promise.all([...this.#open].map((connection) => connection.destroy()));
  }

  async #opened(origin: string, key: string, sharing: Sharing): Promise<Client> {
    const { Client } = await import('undici').catch(() => {
      throw cannotLoad();
    });
    const connection = new Client(origin, { connect: this.#connect, pipelining: 1, allowH2: false });
    this.#open.add(connection);
    connection.on('disconnect', () => {
      const index = sharing.free.indexOf(connection);
      if (index === -1) return;
      sharing.free.splice(index, 1);
      this.#drop(connection);
      this.#forget(key, sharing);
    });
    return connection;
  }

  #drop(connection: Client): void {
    this.#open.delete(connection);
    void connection.destroy();
  }

  #forget(key: string, { inFlight, free }: Sharing): void {
    if (inFlight + free.length === 0) this.#sharing.delete(key);
  }
}

/** Takes a place once there is one. Rejects when the call is given up first, or when too many wait. */
async function place(sharing: Sharing, places: number, givenUp: Promise<never>): Promise<void> {
  if (sharing.inFlight < places) {
    sharing.inFlight += 1;
    return;
  }
  const { waiting } = sharing;
  if (waiting.size >= mostWaiting) {
    throw new Interrupted('not_sent', `${waiting.size} calls are already waiting for this address`);
  }
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  waiting.add(resolve);
  givenUp.catch((reason) => {
    waiting.delete(resolve);
    reject(reason);
  });
  await promise;
}

/** Releases a slot to the call that has waited longest, if any. */
function leave(sharing: Sharing): void {
  const [next] = sharing.waiting;
  if (next === undefined) {
    sharing.inFlight -= 1;
    return;
  }
  sharing.waiting.delete(next);
  next();
}
