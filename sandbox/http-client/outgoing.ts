import type { FaultPort } from '../contract/faults.ts';
import type { OwnInterruption } from '../domain/failures.ts';
import { realTimer } from '../runtime/clock.ts';
import { Circuits, circuitOf } from './circuit.ts';
import type { Connector } from './connecting.ts';
import { checkSendable, Interrupted, NotMade, OutgoingConnections, oursOf } from './connections.ts';
import type { Listener } from './listener.ts';
import type { ListenerLine } from './listener-line.ts';
import { type HttpReply, type SentCall, sendCall, TooLarge, wholeReply } from './read-response.ts';

/** The limits of a call to another party (OP-24). Times are in milliseconds. */
export interface OutgoingLimits {
  readonly connectTimeout: number;
  readonly totalTimeout: number;
  readonly replyBytes: number;
}

/** The terms of calls to another party: the limits of each call, and settings that all calls share. */
export interface OutgoingTerms extends OutgoingLimits {
  /** The group of calls that share slots: all calls to an address, or those of one operation at an address (OP-61). */
  readonly places: 'address' | 'operation';
  /** Maximum number of calls in flight in a group. */
  readonly inFlight: number;
  /** Higher limits for single operations, if each operation has its own slots. */
  readonly moreInFlight?: ReadonlyMap<string, number>;
  /** Returns whether another process may already own the caller's workspace. If so, no call is made (OP-199). */
  readonly isDoubtful?: () => boolean;
  /** Whether an operation that does not respond is paused for a while (OP-61). */
  readonly circuits: boolean;
  /** Whether the calls go to the sandbox itself, whose replies are validated before they are sent. */
  readonly isToItself: boolean;
}

/** The terms for calls to external servers. */
export const outgoingTerms: OutgoingTerms = {
  connectTimeout: 3_000,
  totalTimeout: 15_000,
  replyBytes: 64 * 1024,
  places: 'address',
  inFlight: 4,
  circuits: true,
  isToItself: false,
};

/**
 * The terms for calls between the sandbox's own parties. A wallet is a single reply and can be large. Operations do not
 * wait for each other. There is no circuit breaker, because caller and server share one process (OP-92).
 */
export const ownTerms: OutgoingTerms = {
  ...outgoingTerms,
  replyBytes: 16 * 1024 * 1024,
  places: 'operation',
  // Enough concurrent orders to share records and syncs of the write-ahead log (OP-191). The replies are small.
  moreInFlight: new Map(
    ['getProfileAndPoints', 'saveRedeemDetails', 'getCustomerPoints', 'redeemPoints'].map((name) => [name, 32]),
  ),
  circuits: false,
  isToItself: true,
};

/** Default headers of every call, the same as those of `fetch`. */
const general = { accept: '*/*', 'accept-encoding': 'gzip, deflate', 'user-agent': 'undici' } as const;

/**
 * Calls to other parties, limited in time, size and number, over checked connections. Redirects are not followed. If
 * the terms enable circuits, an operation that does not respond is paused for a while.
 */
export class Outgoing {
  readonly #terms: OutgoingTerms;
  readonly #connections: OutgoingConnections;
  /** The functions that abort the calls in progress. */
  readonly #calls = new Set<(reason: unknown) => void>();
  #ending = false;
  readonly #circuits: Circuits;
  readonly #headers: Readonly<Record<string, string>>;
  /** The faults that apply before a call is sent; `undefined` if they apply at the receiver. */
  readonly faults: FaultPort | undefined;
  readonly #listener: Pick<Listener, 'line'> | undefined;

  /**
   * @param now returns sandbox time, which determines how long an operation is paused
   * @param headers headers of every call
   * @param faults faults of calls to another party's server (OP-115)
   * @param listener while it has a line, all calls use that line instead of a connection (OP-247)
   */
  constructor(
    terms: OutgoingTerms,
    connect: Connector,
    now: () => number,
    headers: Readonly<Record<string, string>> = {},
    faults?: FaultPort,
    listener?: Pick<Listener, 'line'>,
  ) {
    checkSendable(headers);
    this.faults = faults;
    this.#listener = listener;
    this.#headers = { ...general, ...headers };
    this.#terms = terms;
    this.#connections = new OutgoingConnections(connect);
    this.#circuits = new Circuits(now);
  }

  /** Whether the calls go to the sandbox itself. */
  get isToItself(): boolean {
    return this.#terms.isToItself;
  }

  /** The route of calls that are sent now; `undefined` for a direct connection. */
  get via(): 'listener' | undefined {
    return this.#listener?.line && 'listener';
  }

  /** Maximum wait for a reply, in milliseconds. */
  get patience(): number {
    return this.#terms.totalTimeout;
  }

  /** Returns a `fetch` for calls of one operation, for generated clients and for callers that do not need speed. */
  fetchOf(operation: string): typeof globalThis.fetch {
    return async (input, init = {}) => {
      // The error of `Request` would contain the value of a header that cannot be sent.
      if (init.headers !== undefined) checkSendable(init.headers);
      const request = new Request(input, init);
      const { method, url, signal } = request;
      const text = request.body === null ? undefined : await request.text();
      const headers = Object.fromEntries(request.headers);
      const reply = await this.send(operation, { method, url, headers, body: text, signal });
      const content = reply.body.length === 0 ? null : new Uint8Array(reply.body);
      const pairs = reply.headers.map(([name, value]): [string, string] => [name, value]);
      return new Response(content, { status: reply.status, headers: pairs });
    };
  }

  /**
   * Makes a call. Rejects if it exceeds a limit, cannot be sent, or is aborted by its caller. Also rejects if the
   * connection breaks or is not allowed, or if the circuit is open.
   *
   * @param operation the called operation; its failures do not affect other operations
   */
  async send(operation: string, call: SentCall): Promise<HttpReply> {
    checkSendable(call.headers);
    const url = new URL(call.url);
    if (url.username !== '' || url.password !== '') throw new NotMade('URLs with credentials are not called');
    const circuit = this.#terms.circuits ? circuitOf(operation, url) : undefined;
    if (circuit === undefined) return this.#send(operation, call, url);
    let [isAdmitted, isOver] = [false, false];
    const admitted = async () => {
      await this.#circuits.ask(circuit);
      // The call timed out while it waited, so it cannot be the probe.
      if (isOver) this.#circuits.untried(circuit);
      else isAdmitted = true;
    };
    try {
      const reply = await this.#send(operation, call, url, admitted);
      this.#circuits.answered(circuit);
      return reply;
    } catch (error) {
      isOver = true;
      if (!isAdmitted) throw error;
      // Without an attempt, or after an abort by the caller, the state of the other side remains unknown.
      if (error instanceof NotMade || oursOf(error) !== undefined || call.signal?.aborted === true)
        this.#circuits.untried(circuit);
      else if (error instanceof TooLarge) this.#circuits.answered(circuit);
      else this.#circuits.failed(circuit);
      throw error;
    }
  }

  /** Closes all circuits. Call this method after a reset, because sandbox time starts over. */
  forget(): void {
    this.#circuits.clear();
  }

  /**
   * Aborts all calls in progress and refuses new ones, because the sandbox is stopping. This does not count as a
   * failure of the other side.
   */
  cut(): void {
    this.#ending = true;
    for (const breakOff of this.#calls) breakOff(ending('broken_off'));
  }

  /**
   * Makes one call. Its time limit starts now, and includes the wait for a probe and a slot, connecting, the reply and
   * its body.
   */
  async #send(operation: string, call: SentCall, { origin }: URL, admitted?: () => Promise<void>): Promise<HttpReply> {
    if (this.#ending) throw ending('not_sent');
    // A call stays on the line on which it began.
    const line = this.#listener?.line;
    const { signal } = call;
    signal?.throwIfAborted();
    const over = Promise.withResolvers<never>();
    // Waiting callers receive the rejection. Without waiting callers, the rejection must not count as unhandled.
    over.promise.catch(() => {});
    this.#calls.add(over.reject);
    const late = () => over.reject(new DOMException('The call took too long.', 'TimeoutError'));
    const cancel = realTimer(late, this.#terms.totalTimeout);
    const giveUp = () => over.reject(signal?.reason);
    signal?.addEventListener('abort', giveUp);
    try {
      if (admitted !== undefined) await Promise.race([admitted(), over.promise]);
      const sent = { ...call, headers: { ...this.#headers, ...call.headers } };
      if (line !== undefined) return await this.#overLine(line, sent, over.promise);
      const { places: of, inFlight, moreInFlight } = this.#terms;
      const to =
        of === 'address'
          ? { origin, places: inFlight }
          : { origin, operation, places: moreInFlight?.get(operation) ?? inFlight };
      return await this.#connections.use(to, over.promise, (connection) => {
        this.#checkOwner();
        return sendCall(connection, sent, this.#terms.replyBytes);
      });
    } finally {
      cancel();
      signal?.removeEventListener('abort', giveUp);
      this.#calls.delete(over.reject);
    }
  }

  /** Makes one call over the line of a listener. All these calls share slots, regardless of their destination. */
  #overLine(line: ListenerLine, call: SentCall, givenUp: Promise<never>): Promise<HttpReply> {
    const { inFlight, replyBytes } = this.#terms;
    return this.#connections.inPlace({ origin: 'listener', places: inFlight }, givenUp, async () => {
      this.#checkOwner();
      return wholeReply(await Promise.race([line.call(call, replyBytes, givenUp), givenUp]), replyBytes);
    });
  }

  #checkOwner(): void {
    if (this.#terms.isDoubtful?.()) throw new Interrupted('not_sent', 'another instance may own the workspace');
  }

  /** Ends all connections. */
  close(): Promise<void> {
    return this.#connections.close();
  }
}

function ending(how: OwnInterruption): Interrupted {
  return new Interrupted(how, 'the sandbox is stopping');
}

/** Returns a short reason that a call received no usable reply, for the activity log. */
export function reasonOf(error: unknown): string {
  const { name, code, message } = error as Error & { code?: unknown };
  if (name === 'TimeoutError') return 'no response in time';
  return typeof code === 'string' ? code : message;
}
