import type { FaultPort } from '../contract/faults.ts';
import type { OwnInterruption } from '../domain/failures.ts';
import { realTimer } from '../runtime/timer.ts';
import { Circuits, circuitOf } from './circuit.ts';
import type { Connector } from './connecting.ts';
import { checkSendable, Interrupted, NotMade, OutgoingConnections, oursOf } from './connections.ts';
import type { Listener } from './listener.ts';
import type { ListenerLine } from './listener-line.ts';
import { type HttpReply, type SentCall, sendCall, TooLarge, wholeReply } from './read-response.ts';

/** The limits of a call to another party (OP-24). Times are milliseconds. */
export interface OutgoingLimits {
  readonly connectTimeout: number;
  readonly totalTimeout: number;
  readonly replyBytes: number;
}

/** The terms of calls to another party: the limits of each call, and settings that all calls share. */
export interface OutgoingTerms extends OutgoingLimits {
  /** What shares the places of calls in flight: all calls to an address, or those of one operation there (OP-61). */
  readonly places: 'address' | 'operation';
  /** How many calls that share places may be in flight. */
  readonly inFlight: number;
  /** The operations of which more may be, where each has places of its own. */
  readonly moreInFlight?: ReadonlyMap<string, number>;
  /** Whether another process may own the caller's workspace by now: then no call is made for it (OP-199). */
  readonly isDoubtful?: () => boolean;
  /** Whether an operation that does not answer is left alone for a while (OP-61). */
  readonly circuits: boolean;
  /** Whether the calls go to the sandbox itself, whose replies are validated before they are sent. */
  readonly isToItself: boolean;
}

/** The terms on which other people's servers are called. */
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
 * The terms on which the sandbox's own parties call each other: a wallet is one reply and may be large, no
 * operation waits for another, and there is no circuit breaker, since caller and server are one process (OP-92).
 */
export const ownTerms: OutgoingTerms = {
  ...outgoingTerms,
  replyBytes: 16 * 1024 * 1024,
  places: 'operation',
  // Enough concurrent orders that their changes share lines and syncs of the write-ahead log (OP-191). The replies are small.
  moreInFlight: new Map(
    ['getProfileAndPoints', 'saveRedeemDetails', 'getCustomerPoints', 'redeemPoints'].map((name) => [name, 32]),
  ),
  circuits: false,
  isToItself: true,
};

/** What every call says of itself, as calls by `fetch` do. */
const general = { accept: '*/*', 'accept-encoding': 'gzip, deflate', 'user-agent': 'undici' } as const;

/**
 * Calls to other parties: bounded in time, size and number, over connections that were checked. No redirect is
 * followed, and an operation of an address that does not answer is left alone for a while, where the terms say so.
 */
export class Outgoing {
  readonly #terms: OutgoingTerms;
  readonly #connections: OutgoingConnections;
  /** Aborts each call in progress. */
  readonly #calls = new Set<(reason: unknown) => void>();
  #ending = false;
  readonly #circuits: Circuits;
  readonly #headers: Readonly<Record<string, string>>;
  /** The faults that calls meet on their way; undefined if they meet theirs where they arrive. */
  readonly faults: FaultPort | undefined;
  readonly #listener: Pick<Listener, 'line'> | undefined;

  /**
   * @param now the sandbox's time, which decides how long an operation is left alone
   * @param headers what every call carries
   * @param faults faults of calls to another party's server (OP-115)
   * @param listener while it has a line, calls go over that and nothing is connected to (OP-247)
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

  /** How a call that is sent now is made, if not over a connection of the sandbox. */
  get via(): 'listener' | undefined {
    return this.#listener?.line && 'listener';
  }

  /** Milliseconds that a reply is waited for. */
  get patience(): number {
    return this.#terms.totalTimeout;
  }

  /** A `fetch` for generated clients, and for callers that do not need speed: calls of one operation. */
  fetchOf(operation: string): typeof globalThis.fetch {
    return async (input, init = {}) => {
      // Who builds a request of it would tell the value of a header that cannot be sent.
      if (init.headers !== undefined) checkSendable(init.headers);
      const request = new Request(input, init);
      const { method, url, signal } = request;
      const text = request.body === null ? undefined : await request.text();
      const headers = Object.fromEntries(request.headers);
      const {
        status,
        headers: replied,
        body,
      } = await this.send(operation, { method, url, headers, body: text, signal });
      const content = body.length === 0 ? null : new Uint8Array(body);
      return new Response(content, {
        status,
        headers: replied.map(([name, value]): [string, string] => [name, value]),
      });
    };
  }

  /**
   * Makes a call. Rejects when a limit is passed, the connection breaks or may not be made, the circuit of the operation
   * is open, the caller gives up, or the call cannot be sent as it is.
   *
   * @param operation what is called: its failures are no other operation's
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
      // Its time passed while it waited, so it cannot be the probe.
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
      // Without an attempt, or after an abort by the caller, the state of the other side stays unknown.
      if (error instanceof NotMade || oursOf(error) !== undefined || call.signal?.aborted === true)
        this.#circuits.untried(circuit);
      else if (error instanceof TooLarge) this.#circuits.answered(circuit);
      else this.#circuits.failed(circuit);
      throw error;
    }
  }

  /** Forgets which operations did not answer, as after a return to the start, where time starts over. */
  forget(): void {
    this.#circuits.clear();
  }

  /**
   * Aborts every call in progress and makes no more, because the sandbox stops. That says nothing about the other side.
   */
  cut(): void {
    this.#ending = true;
    for (const breakOff of this.#calls) breakOff(ending('broken_off'));
  }

  /** One call within its time, which runs from now: waiting for a probe and for a place, connecting, reply and body. */
  async #send(operation: string, call: SentCall, { origin }: URL, admitted?: () => Promise<void>): Promise<HttpReply> {
    if (this.#ending) throw ending('not_sent');
    // A call stays with the line that it began with.
    const line = this.#listener?.line;
    const { signal } = call;
    signal?.throwIfAborted();
    const over = Promise.withResolvers<never>();
    // Callers that wait get the rejection; without any, it must not count as unhandled.
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

  /** One call over the line of a listener. All of its calls share places, wherever they go. */
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

/** Why a call got no usable answer, in a few words for the activity log. */
export function reasonOf(error: unknown): string {
  const { name, code, message } = error as Error & { code?: unknown };
  if (name === 'TimeoutError') return 'no response in time';
  return typeof code === 'string' ? code : message;
}
