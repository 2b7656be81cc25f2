import type { buildConnector, Client, HeadersInit } from 'undici';
import { nodeHttp } from '../contract/node-http.ts';
import type { OwnInterruption } from '../domain/failures.ts';

/** A call that was not made. The message states the reason. The state of the server is unknown. */
export class NotMade extends Error {
  /** The progress of the call if this process caused the failure; `undefined` if the address or the call did. */
  readonly how: OwnInterruption | undefined = undefined;
}

/** A call that was not made or was interrupted for a temporary reason in this process. The same call can be retried. */
export class Interrupted extends NotMade {
  override readonly how: OwnInterruption;
  constructor(how: OwnInterruption, message: string) {
    super(message);
    this.how = how;
  }
}

/** Creates the error of a call whose HTTP client could not be loaded, for example because no file descriptor was free. */
export function cannotLoad(): Interrupted {
  return new Interrupted('not_sent', 'the HTTP client cannot be loaded');
}

/** Error codes for a shortage of descriptors, ports or memory on this machine. */
const shortages: ReadonlySet<unknown> = new Set(['EMFILE', 'ENFILE', 'EADDRNOTAVAIL', 'ENOBUFS', 'ENOMEM']);

/** Returns the progress of a call that failed because of this process; `undefined` if the other party failed (OP-150). */
export function oursOf(error: unknown): OwnInterruption | undefined {
  if (error instanceof NotMade) return error.how;
  return shortages.has((error as Error & { code?: unknown }).code) ? 'not_sent' : undefined;
}

/** Headers of the connection, which a call must not set. */
const ofTheConnection: ReadonlySet<string> = new Set(
  'connection content-length expect host keep-alive te trailer transfer-encoding upgrade'.split(' '),
);

/**
 * Throws `NotMade` if a header cannot be sent. Call this function first: a later failure could leak resources of the
 * call, or expose the header value.
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

/** Maximum number of calls that wait for a slot in a group (OP-61). */
const mostWaiting = 1000;

/** A group of calls that share slots: the calls in flight, the free connections, and the waiting calls, oldest first. */
interface Sharing {
  inFlight: number;
  readonly free: Client[];
  readonly waiting: Set<() => void>;
}

/** The destination of a call and the slots that it uses. */
interface CallTarget {
  readonly origin: string;
  readonly operation?: string | undefined;
  /** Maximum number of calls in flight in the group; the same for all calls in it. */
  readonly places: number;
}

/**
 * Connections to other parties. Each call has a slot and its own connection. A call always releases its slot, and a
 * connection is destroyed if its call fails. (A `Pool` of undici 8.12 counts a call that it refuses as in progress
 * forever. `test/http-client/undici-pool.test.ts` fails once this is fixed.)
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
   * Makes a call to an origin as soon as a slot is free. Rejects if the call rejects. Also rejects as soon as `givenUp`
   * rejects, whatever the call does afterwards.
   *
   * @param to with `operation`, that operation has its own slots; without it, all calls to the origin share slots
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

  /** Makes a call that needs no connection of its own, as soon as a slot is free. */
  async inPlace<T>(to: CallTarget, givenUp: Promise<never>, call: (sharing: Sharing, key: string) => Promise<T>) {
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

  /** Ends all connections and the calls on them. Later calls are refused. */
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

/** Acquires a slot. Rejects if the call is given up first, or if too many calls wait. */
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
