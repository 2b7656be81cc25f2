import { type Client, fetch, Headers, Request, type RequestInfo, type RequestInit, Response } from 'undici';
import { Circuits, circuitOf } from './circuit.ts';
import type { Connector } from './connecting.ts';
import { OutgoingConnections } from './connections.ts';
import { withoutFlood } from './interim.ts';
import { checkSendable, NotMade } from './sendable.ts';
import { realTimer } from './timer.ts';

/** The limits of a call to another party (OP-24). Times are milliseconds. */
export interface OutgoingLimits {
  readonly connectTimeout: number;
  readonly totalTimeout: number;
  readonly replyBytes: number;
}

/** On which terms somebody is called: the limits of each call, and what calls have in common. */
export interface OutgoingTerms extends OutgoingLimits {
  /** What shares the places of calls in flight: all calls to an address, or those of one operation there (OP-61). */
  readonly places: 'address' | 'operation';
  /** Whether an operation that does not answer is left alone for a while (OP-61). */
  readonly circuits: boolean;
}

/** The terms on which other people's servers are called. */
export const outgoingTerms: OutgoingTerms = {
  connectTimeout: 3_000,
  totalTimeout: 15_000,
  replyBytes: 64 * 1024,
  places: 'address',
  circuits: true,
};

/**
 * The terms on which the sandbox's own parties call each other: a wallet comes in one reply and may be large, no
 * operation waits for another, and nobody is left alone, since whoever calls is also there to answer (OP-92).
 */
export const ownTerms: OutgoingTerms = {
  ...outgoingTerms,
  replyBytes: 16 * 1024 * 1024,
  places: 'operation',
  circuits: false,
};

/** Somebody answered, and with more than is taken. */
class TooLarge extends Error {}

/**
 * Calls to other parties: bounded in time, size and number, over connections that were checked. No redirect is
 * followed, and an operation of an address that does not answer is left alone for a while, where the terms say so.
 */
export class Outgoing {
  readonly #terms: OutgoingTerms;
  readonly #connections: OutgoingConnections;
  readonly #calls = new Set<AbortController>();
  #ending = false;
  readonly #circuits: Circuits;
  readonly #headers: Readonly<Record<string, string>>;

  /**
   * @param now the sandbox's time, which decides how long an operation is left alone
   * @param headers what every call carries
   */
  constructor(
    terms: OutgoingTerms,
    connect: Connector,
    now: () => number,
    headers: Readonly<Record<string, string>> = {},
  ) {
    checkSendable(headers);
    this.#headers = headers;
    this.#terms = terms;
    this.#connections = new OutgoingConnections(connect);
    this.#circuits = new Circuits(now);
  }

  /** What a generated client takes as its `fetch` and `Request` for calls of one operation. */
  options(operation: string) {
    const bounded = (request: RequestInfo, init?: RequestInit) => this.fetch(operation, request, init);
    return { fetch: bounded, Request } as unknown as {
      fetch: typeof globalThis.fetch;
      Request: typeof globalThis.Request;
    };
  }

  /**
   * As `fetch`; the reply is whole when it comes, and says its length. Rejects when a limit is passed, the connection
   * breaks or may not be made, the circuit of the operation is open, the caller gives up, or the call cannot be sent as
   * it is.
   *
   * @param operation what is called: its failures are no other operation's
   */
  async fetch(operation: string, asked: RequestInfo, init: RequestInit = {}): Promise<Response> {
    const request = this.#request(asked, init);
    if (!this.#terms.circuits) return this.#exchange(operation, request);
    const circuit = circuitOf(operation, new URL(request.url));
    const refusal = this.#circuits.ask(circuit);
    if (refusal !== undefined) throw new Error(refusal);
    try {
      const response = await this.#exchange(operation, request);
      this.#circuits.answered(circuit);
      return response;
    } catch (error) {
      // Where nothing was tried, or the caller broke off, nothing is known of the other side.
      const notMade = ((error as Error).cause ?? error) instanceof NotMade;
      if (notMade || request.signal.aborted) this.#circuits.untried(circuit);
      else if (error instanceof TooLarge) this.#circuits.answered(circuit);
      else this.#circuits.failed(circuit);
      throw error;
    }
  }

  /** Forgets which operations did not answer, as after a return to the start, where time begins anew. */
  forget(): void {
    this.#circuits.clear();
  }

  /** What is to be sent, once it is sure that it can be. */
  #request(asked: RequestInfo, init: RequestInit): Request {
    if (init.headers !== undefined) checkSendable(init.headers);
    const request = new Request(asked, init);
    for (const [name, value] of Object.entries(this.#headers)) request.headers.set(name, value);
    checkSendable(request.headers);
    return request;
  }

  /**
   * Breaks off every call under way and makes none any more, as the sandbox ends. It says nothing about the other side.
   */
  cut(): void {
    this.#ending = true;
    for (const call of this.#calls) call.abort(ending());
  }

  /** One call within its time, which runs from now: waiting for a place, connecting, reply and body. */
  async #exchange(operation: string, request: Request): Promise<Response> {
    if (this.#ending) throw ending();
    const call = new AbortController();
    this.#calls.add(call);
    const late = () => call.abort(new DOMException('The call took too long.', 'TimeoutError'));
    const cancel = realTimer(late, this.#terms.totalTimeout);
    const giveUp = () => call.abort(request.signal.reason);
    request.signal.addEventListener('abort', giveUp);
    if (request.signal.aborted) giveUp();
    try {
      const { origin } = new URL(request.url);
      const to = this.#terms.places === 'address' ? { origin } : { origin, operation };
      return await this.#connections.use(to, call.signal, (connection) => this.#send(request, connection));
    } finally {
      cancel();
      this.#calls.delete(call);
    }
  }

  async #send(request: Request, dispatcher: Client): Promise<Response> {
    const {
      body: stream,
      status,
      headers,
    } = await fetch(request, {
      redirect: 'manual',
      dispatcher: dispatcher.compose(withoutFlood),
    });
    const body = await this.#whole(stream);
    const whole = new Headers(headers);
    whole.set('content-length', String(body.length));
    return new Response(body.length === 0 ? null : new Uint8Array(body), { status, headers: whole });
  }

  async #whole(stream: Response['body']): Promise<Buffer> {
    const chunks: Uint8Array[] = [];
    let bytes = 0;
    for await (const chunk of stream ?? []) {
      bytes += chunk.length;
      if (bytes > this.#terms.replyBytes)
        throw new TooLarge(`the reply is larger than ${this.#terms.replyBytes} bytes`);
      chunks.push(chunk);
    }
    return Buffer.concat(chunks);
  }

  /** Ends all connections. */
  close(): Promise<void> {
    return this.#connections.close();
  }
}

function ending(): NotMade {
  return new NotMade('the sandbox is stopping');
}

/** Why a call got no usable answer, in a few words for the activity log. */
export function reasonOf(error: unknown): string {
  const { name, message, cause } = error as Error & { cause?: { code?: string; message?: string } };
  if (name === 'TimeoutError') return 'no reply in time';
  return cause?.code ?? cause?.message ?? message;
}

/** The instants of OP-24 at which a report is tried again, in milliseconds after the try before. */
export const retrySchedule: readonly number[] = [5, 300, 1800, 7200, 18_000, 36_000, 36_000].map(
  (seconds) => seconds * 1000,
);
