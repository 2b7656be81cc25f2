import { Agent, fetch, Request, type RequestInfo, type RequestInit, Response } from 'undici';
import { Circuits } from './circuit.ts';
import { type Connector, RefusedAddress } from './connecting.ts';

/** The limits of a call to another party (OP-24). Times are milliseconds. */
export interface OutgoingLimits {
  readonly connectTimeout: number;
  readonly totalTimeout: number;
  readonly replyBytes: number;
}

export const outgoingLimits: OutgoingLimits = { connectTimeout: 3_000, totalTimeout: 15_000, replyBytes: 64 * 1024 };

/** Calls that may be in flight to one address; more wait their turn, within their own time (OP-61). */
const inFlight = 4;

/**
 * Calls to other parties: bounded in time, size and number, over connections that were checked. No redirect is followed, and
 * an address that does not answer is left alone for a while.
 */
export class Outgoing {
  readonly #limits: OutgoingLimits;
  readonly #agent: Agent;
  readonly #circuits: Circuits;
  readonly #headers: Readonly<Record<string, string>>;

  /**
   * @param now the sandbox's time, which decides how long an address is left alone
   * @param headers what every call carries
   */
  constructor(
    limits: OutgoingLimits,
    connect: Connector,
    now: () => number,
    headers: Readonly<Record<string, string>> = {},
  ) {
    this.#headers = headers;
    this.#limits = limits;
    this.#agent = new Agent({ connect, connections: inFlight, pipelining: 1, allowH2: false });
    this.#circuits = new Circuits(now);
  }

  /** What a generated client takes as its `fetch` and `Request`. */
  get options() {
    const bounded = (request: RequestInfo, init?: RequestInit) => this.fetch(request, init);
    return { fetch: bounded, Request } as unknown as {
      fetch: typeof globalThis.fetch;
      Request: typeof globalThis.Request;
    };
  }

  /**
   * As `fetch`; the reply is whole when it comes. Rejects when a limit is passed, the connection breaks or may not be made,
   * or the circuit of the address is open.
   */
  async fetch(request: RequestInfo, init: RequestInit = {}): Promise<Response> {
    const { origin } = new URL(typeof request === 'string' ? request : 'url' in request ? request.url : request.href);
    const refusal = this.#circuits.ask(origin);
    if (refusal !== undefined) throw new Error(refusal);
    try {
      const response = await this.#exchange(request, init);
      this.#circuits.answered(origin);
      return response;
    } catch (error) {
      // Where no connection was tried there is nobody to leave alone.
      if ((error as Error).cause instanceof RefusedAddress) this.#circuits.answered(origin);
      else this.#circuits.failed(origin);
      throw error;
    }
  }

  /** Forgets which addresses did not answer, as after a return to the start, where time begins anew. */
  forget(): void {
    this.#circuits.clear();
  }

  async #exchange(asked: RequestInfo, init: RequestInit): Promise<Response> {
    const request = new Request(asked, init);
    for (const [name, value] of Object.entries(this.#headers)) request.headers.set(name, value);
    const signal = AbortSignal.timeout(this.#limits.totalTimeout);
    const response = await fetch(request, { redirect: 'manual', dispatcher: this.#agent, signal });
    const body = await this.#whole(response);
    const noBody = response.status === 204 || response.status === 304;
    return new Response(noBody ? null : new Uint8Array(body), { status: response.status, headers: response.headers });
  }

  async #whole(response: Response): Promise<Buffer> {
    const chunks: Uint8Array[] = [];
    let bytes = 0;
    for await (const chunk of response.body ?? []) {
      bytes += chunk.length;
      if (bytes > this.#limits.replyBytes) throw new Error(`the reply is larger than ${this.#limits.replyBytes} bytes`);
      chunks.push(chunk);
    }
    return Buffer.concat(chunks);
  }

  /** Ends all connections. */
  async close(): Promise<void> {
    await this.#agent.destroy();
  }
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
