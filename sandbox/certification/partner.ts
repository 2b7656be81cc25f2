/** The connection to the partner's server. It limits the time and size of every call and validates the reply. */
import { type Dispatcher, errors, Pool } from 'undici';
import type { Checker } from '../conformance/checker.ts';
import type { Finding } from '../conformance/finding.ts';
import type { Connector } from '../http-client/connecting.ts';
import { outgoingTerms } from '../http-client/outgoing.ts';
import { readResponse } from '../http-client/read-response.ts';
import { realTimer } from '../runtime/clock.ts';
import { type Answer, type Call, inTwo, pairs, problemOf } from './answer.ts';
import { ConcurrentCalls } from './concurrent-calls.ts';
import { Interrupted, inTime, Silent } from './verdict.ts';

const mostConnections = 64;

/** Number of consecutive timeouts after which a path is not called again, so that a run ends. */
const mostSilent = 2;

/** The server to call, and the dependencies and limits of the calls. */
export interface PartnerOptions {
  readonly clientUrl: string;
  readonly timeoutMs: number;
  /** Returns real time, in milliseconds since 1970. */
  readonly now: () => number;
  readonly connect: Connector;
  readonly checker: Checker;
  /** The lock on a shared processor. Omitted if the run has its own process. */
  readonly turns?: Turns | undefined;
}

/**
 * A lock on the shared processor. A run must hold the lock while it processes an answer, until it sends its next call.
 */
export interface Turns {
  /** Resolves when the run may use the processor. */
  begin(): Promise<void>;
  end(): void;
}

/** One run's connections to the server, with its call count and limits. */
export class Partner {
  readonly #options: PartnerOptions;
  /** Opens a new connection for each call, so that only tests of persistent connections depend on keep-alive. */
  readonly #single: Pool;
  readonly #persistent: Pool;
  readonly #below: string;
  /** Timeouts since the last response, by path. Concurrent timeouts count as one. */
  readonly #silent = new Map<string, Silent[]>();
  readonly #concurrent = new ConcurrentCalls(mostConnections);
  readonly #calls = new Set<Promise<unknown>>();
  readonly #lost: Call[] = [];
  /** Warnings about single replies, by operation and rule. */
  readonly #warnings = new Map<string, string>();
  /** The longest response time of each path, in milliseconds. */
  readonly #longestMs = new Map<string, number>();
  /** Number of calls sent. */
  sent = 0;
  /** Number of calls that may still be sent, because the run guarantees a maximum. */
  left = 0;
  /** Aborts the calls in progress. */
  readonly #ending = new AbortController();

  constructor(options: PartnerOptions) {
    this.#options = options;
    const { origin, pathname } = new URL(options.clientUrl);
    this.#below = pathname.replace(/\/$/, '');
    const { connect, timeoutMs } = options;
    const limits = { connect, headersTimeout: timeoutMs, bodyTimeout: timeoutMs };
    this.#single = new Pool(origin, { ...limits, connections: mostConnections, pipelining: 0 });
    this.#persistent = new Pool(origin, { ...limits, connections: 1, pipelining: 1 });
  }

  /** The last timeouts of paths that are no longer called. */
  get silent(): readonly Silent[] {
    return [...this.#silent.values()].filter(({ length }) => length >= mostSilent).flat();
  }

  /** Calls without an answer, oldest first. */
  get lost(): readonly Call[] {
    return this.#lost;
  }

  /** Returns the longest response time of this path so far, in milliseconds, or 0 if it has not responded. */
  longestMs(path: string): number {
    return this.#longestMs.get(path) ?? 0;
  }

  /** Warnings about permitted but risky behaviour, which are not failures. There is one line per operation and rule. */
  get warnings(): readonly string[] {
    const half = this.#options.timeoutMs / 2;
    const slow = [...this.#longestMs].filter(([, ms]) => ms > half);
    return [
      ...slow.map(([path, ms]) => `${path} took ${ms} ms, more than half of the time that is waited.`),
      ...this.#warnings.values(),
    ].map((text) => `Warning: ${text}`);
  }

  /** The limit on concurrent calls, adjusted to the connections that the server has accepted. */
  get concurrency(): number {
    return this.#concurrent.limit;
  }

  /** Aborts the calls in progress and prevents further calls. */
  interrupt(): void {
    this.#ending.abort();
  }

  /** Adds calls that the platform sent in a journey. Throws an `Error` if this exceeds the permitted number. */
  counted(calls: number): void {
    this.left -= calls;
    this.sent += calls;
    if (this.left < 0) throw new Error('The journey sends more calls than its requirement declares.');
  }

  /**
   * Sends a call and resolves with its result. Rejects with `Silent` if the call times out or its path is no longer called.
   * Rejects with `Interrupted` if the run is stopped, and with an `Error` if no calls are left.
   */
  async send(call: Call): Promise<Answer> {
    if (this.#ending.signal.aborted) throw new Interrupted('The run was stopped.');
    const path = pathOf(call);
    const silent = this.#silent.get(path) ?? [];
    const [last] = silent;
    if (last !== undefined && silent.length >= mostSilent)
      throw new Silent(inTime, `${path} timed out before and is not called again.`, last.answer);
    this.#count();
    this.#options.turns?.end();
    const underWay = this.#concurrent.run(() => this.#timed(call));
    this.#calls.add(underWay);
    const { answer, ms } = await underWay.finally(() => this.#calls.delete(underWay));
    await this.#options.turns?.begin();
    if (this.#ending.signal.aborted) throw new Interrupted('The run was stopped.');
    const { problem } = answer;
    if (problem !== undefined && problem !== 'too_large') this.#lost.push(call);
    // The connection may not have been accepted.
    if (problem === 'timeout' || problem === 'unreachable') this.#concurrent.lower();
    if (problem === 'timeout') {
      const late = new Silent(inTime, `${path} did not respond in time.`, { ...answer, findings: [] });
      this.#silent.set(path, [...silent, late]);
      throw late;
    }
    this.#silent.delete(path);
    if (answer.status !== undefined) this.#longestMs.set(path, Math.max(this.longestMs(path), ms));
    return { ...answer, findings: this.#judged(answer) };
  }

  /** Resolves when no call is in progress. */
  async idle(): Promise<void> {
    while (this.#calls.size > 0) await Promise.allSettled(this.#calls);
  }

  /**
   * Sends a complete call and drops the connection before its reply is read, at most `afterMs` milliseconds later. Resolves
   * even if the call did not arrive. Rejects with `Interrupted` if the run is stopped, and with an `Error` if no calls are left.
   */
  async abandon(call: Call, afterMs: number): Promise<void> {
    const ending = this.#ending.signal;
    if (ending.aborted) throw new Interrupted('The run was stopped.');
    this.#count();
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    let drop = () => {};
    let cancel = () => {};
    const handler: Dispatcher.DispatchHandler = {
      onRequestStart: (controller) => {
        drop = () => controller.abort(new Error('dropped'));
        ending.addEventListener('abort', drop, { once: true });
      },
      onRequestSent: () => {
        cancel = realTimer(drop, afterMs);
      },
      onResponseStart: () => drop(),
      // undici rejects a handler without this method.
      onResponseData: () => {},
      onResponseEnd: () => resolve(),
      onResponseError: (_, error) => (error instanceof errors.InvalidArgumentError ? reject(error) : resolve()),
    };
    this.#single.dispatch(this.#request(call), handler);
    await promise;
    cancel();
    ending.removeEventListener('abort', drop);
    if (ending.aborted) throw new Interrupted('The run was stopped.');
  }

  /** Closes all connections. */
  async close(): Promise<void> {
    await Promise.all([this.#single.destroy(), this.#persistent.destroy()]);
  }

  #count(): void {
    if (this.left <= 0) throw new Error('The probe sends more calls than its requirement declares.');
    this.left -= 1;
    this.sent += 1;
  }

  #request({ method, path, headers, body, framing }: Call) {
    return {
      method: method as 'GET',
      path: `${this.#below}${path}`,
      headers: headers.flat(),
      body: framing === 'chunked' ? inTwo(body) : (body ?? null),
    };
  }

  async #timed(call: Call) {
    const { now, timeoutMs } = this.#options;
    const startedAt = now();
    const answer = await this.#exchange(call);
    // No call takes longer than its timeout. If one appears to, the machine's clock was adjusted.
    return { answer, ms: Math.min(now() - startedAt, timeoutMs) };
  }

  async #exchange(call: Call): Promise<Omit<Answer, 'findings'>> {
    const late = new AbortController();
    const cancel = realTimer(() => late.abort(), this.#options.timeoutMs);
    const signal = AbortSignal.any([late.signal, this.#ending.signal]);
    try {
      const pool = call.connection === 'persistent' ? this.#persistent : this.#single;
      const reply = await readResponse(pool, this.#request(call), outgoingTerms.replyBytes, signal);
      const { status, raw, packed: body } = reply;
      return { call, status, headers: pairs(raw), body, problem: undefined, detail: undefined };
    } catch (error) {
      const none = { call, status: undefined, headers: [], body: Buffer.alloc(0) };
      return { ...none, ...problemOf(error as Error, late.signal.aborted) };
    } finally {
      cancel();
    }
  }

  /** Validates a reply against the contracts. Returns its findings and records warnings. */
  #judged({ call, status, headers, body }: Omit<Answer, 'findings'>): readonly Finding[] {
    if (status === undefined) return [];
    const { checker, clientUrl } = this.#options;
    const bytes = (of: Buffer) => ({ kind: 'bytes' as const, bytes: of });
    const found = checker.check({
      server: 'client',
      method: call.method,
      path: call.path,
      url: `${clientUrl}${call.path}`,
      request: { headers: call.headers, body: bytes(call.body ?? Buffer.alloc(0)) },
      reply: { status, headers, body: bytes(body) },
    });
    const findings = found.findings.filter(({ direction }) => direction === 'reply');
    for (const { code, severity, operation, pointer, expected, actual, basis } of findings) {
      const text = `${operation} ${pointer}: expected ${expected}; found ${actual} (${basis}).`;
      if (severity === 'warning' && code.startsWith('reply.rule.')) this.#warnings.set(`${operation} ${code}`, text);
    }
    return findings;
  }
}

function pathOf({ path }: Call): string {
  return path.split('?', 1)[0] ?? '';
}
