import { Client } from 'undici';
import type { Connector } from './connecting.ts';
import { NotMade } from './sendable.ts';

/** Calls that may be in flight to one address, and calls that may wait there for their turn (OP-61). */
export const placeLimits = { inFlight: 4, waiting: 1000 } as const;

/** One address: its calls in flight, connections that are free, and who waits for a place, the longest first. */
interface Address {
  inFlight: number;
  readonly free: Client[];
  readonly waiting: Set<() => void>;
}

/**
 * Connections to other parties. A call has a place, and a connection to itself. However the call ends, its place is given back,
 * and a connection on which a call did not end well is destroyed. (A `Pool` of undici takes a call that it refuses for one that
 * is under way, and counts the place as taken for ever.)
 */
export class Connections {
  readonly #connect: Connector;
  readonly #addresses = new Map<string, Address>();
  readonly #open = new Set<Client>();
  #closed = false;

  constructor(connect: Connector) {
    this.#connect = connect;
  }

  /**
   * Makes a call to an origin as soon as it has a place. Rejects as the call does, or with the reason of `givenUp` at once when
   * that signal comes, whatever the call does then.
   */
  async use<T>(origin: string, givenUp: AbortSignal, call: (connection: Client) => Promise<T>): Promise<T> {
    givenUp.throwIfAborted();
    const address = this.#addresses.get(origin) ?? { inFlight: 0, free: [], waiting: new Set() };
    this.#addresses.set(origin, address);
    await place(address, givenUp);
    let connection: Client | undefined;
    try {
      if (this.#closed) throw new NotMade('the sandbox is ending');
      connection = address.free.pop() ?? this.#opened(origin, address);
      const result = await Promise.race([call(connection), rejection(givenUp)]);
      if (connection.stats.connected) address.free.push(connection);
      else this.#drop(connection);
      return result;
    } catch (error) {
      if (connection !== undefined) this.#drop(connection);
      throw error;
    } finally {
      leave(address);
      this.#forget(origin, address);
    }
  }

  /** Ends all connections, and the calls on them. No call is made any more. */
  async close(): Promise<void> {
    this.#closed = true;
    await Promise.all([...this.#open].map((connection) => connection.destroy()));
  }

  #opened(origin: string, address: Address): Client {
    const connection = new Client(origin, { connect: this.#connect, pipelining: 1, allowH2: false });
    this.#open.add(connection);
    connection.on('disconnect', () => {
      const index = address.free.indexOf(connection);
      if (index === -1) return;
      address.free.splice(index, 1);
      this.#drop(connection);
      this.#forget(origin, address);
    });
    return connection;
  }

  #drop(connection: Client): void {
    this.#open.delete(connection);
    void connection.destroy();
  }

  #forget(origin: string, { inFlight, free }: Address): void {
    if (inFlight + free.length === 0) this.#addresses.delete(origin);
  }
}

/** Takes a place once there is one. Rejects when the call is given up first, or when too many wait. */
async function place(address: Address, givenUp: AbortSignal): Promise<void> {
  if (address.inFlight < placeLimits.inFlight) {
    address.inFlight += 1;
    return;
  }
  const { waiting } = address;
  if (waiting.size >= placeLimits.waiting) throw new NotMade(`${waiting.size} calls wait for this address already`);
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const end = () => {
    waiting.delete(resolve);
    reject(givenUp.reason);
  };
  waiting.add(resolve);
  givenUp.addEventListener('abort', end);
  await promise.finally(() => givenUp.removeEventListener('abort', end));
}

/** Gives a place back: to whoever has waited longest, if anybody has. */
function leave(address: Address): void {
  const [next] = address.waiting;
  if (next === undefined) {
    address.inFlight -= 1;
    return;
  }
  address.waiting.delete(next);
  next();
}

/** Rejects with the signal's reason once it has one. */
function rejection(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    if (signal.aborted) reject(signal.reason);
    signal.addEventListener('abort', () => reject(signal.reason), { once: true });
  });
}
