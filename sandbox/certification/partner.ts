/** The partner's server as probes call it: every call bounded in time and size, and tested by the shared validator. */
import { type Dispatcher, errors, Pool } from 'undici';
import type { Checker } from '../conformance/checker.ts';
import type { HeaderList } from '../conformance/exchange.ts';
import type { Finding } from '../conformance/finding.ts';
import type { Connector } from '../http-client/connecting.ts';
import { outgoingTerms } from '../http-client/outgoing.ts';
import { readResponse } from '../http-client/read-response.ts';
import { realTimer } from '../runtime/timer.ts';
import { type Answer, type Call, inTwo, pairs, problemOf } from './answer.ts';
import { ConcurrentCalls } from './concurrent-calls.ts';
import { Interrupted, Silent } from './verdict.ts';

/** Most bytes of a reply that are read: as many as the platform reads. */
const mostBytes = outgoingTerms.replyBytes;

const mostConnections = 64;

/** After this many consecutive timeouts a path is not called again: a run must end. */
const mostSilent = 2;

/** The requirement that an answer comes in time. */
export const inTime = 'ROB-01';

export interface PartnerOptions {
  readonly clientUrl: string;
  readonly timeoutMs: number;
  /** Real time, in milliseconds since 1970. */
  readonly now: () => number;
  readonly connect: Connector;
  readonly checker: Checker;
  readonly turns?: Turns | undefined;
}

/** The turns of a run at a processor that it shares with the calls of others: it needs one between an answer and its next call. */
export interface Turns {
  /** Resolves when the run has its turn. */
  begin(): Promise<void>;
  end(): void;
}

/** One run's connections to the server, its count of calls and its limits. */
export class Partner {
  readonly #options: PartnerOptions;
  /** A new connection for each call, so that only the calls about persistent connections depend on them. */
  readonly #single: Pool;
  readonly #persistent: Pool;
  readonly #below: string;
  /** Timeouts of calls to a path since its last response: concurrent ones count as one. */
  readonly #silent = new Map<string, Silent[]>();
  readonly #concurrent = new ConcurrentCalls(mostConnections);
  readonly #calls = new Set<Promise<unknown>>();
  readonly #lost: Call[] = [];
  /** Warnings of rules over single replies, by operation and rule. */
  readonly #warnings = new Map<string, string>();
  /** The longest time that a path took to respond, in milliseconds. */
  readonly #longestMs = new Map<string, number>();
  /** Calls that were sent. */
  sent = 0;
  /** How many calls may still be sent: the run promises an upper limit. */
  left = 0;
  /** Ends the calls in progress. */
  readonly #ending = new AbortController();

  constructor(options: PartnerOptions) {
    this.#options = options;
    const { origin, pathname } = new URL(options.clientUrl);
    this.#below = pathname.replace(/\/$/, '');
    const limits = {
      connect: options.connect,
      headersTimeout: options.timeoutMs,
      bodyTimeout: options.timeoutMs,
    };
    this.#single = new Pool(origin, { ...limits, connections: mostConnections, pipelining: 0 });
    this.#persistent = new Pool(origin, { ...limits, connections: 1, pipelining: 1 });
  }

  /** The last calls to the paths that no longer respond. */
  get silent(): readonly Silent[] {
    return [...this.#silent.values()].filter(({ length }) => length >= mostSilent).flat();
  }

  /** Calls whose answers did not come, the oldest first. */
  get lost(): readonly Call[] {
    return this.#lost;
  }

  /** The longest time that this path took to respond so far, in milliseconds; 0 if it did not. */
  longestMs(path: string): number {
    return this.#longestMs.get(path) ?? 0;
  }

  /** What a correct server may do, and a careful one avoids: no failure. One line for each operation and rule. */
  get warnings(): readonly string[] {
    const half = this.#options.timeoutMs / 2;
    const slow = [...this.#longestMs].filter(([, ms]) => ms > half);
    return [
      ...slow.map(([path, ms]) => `${path} took ${ms} ms, more than half of the time that is waited.`),
      ...this.#warnings.values(),
    ].map((text) => `Warning: ${text}`);
  }

  /** The limit on concurrent calls, by what the server accepted so far. */
  get concurrency(): number {
    return this.#concurrent.limit;
  }

  /** Aborts the calls in progress, and sends no more. */
  interrupt(): void {
    this.#ending.abort();
  }

  /** Counts calls that the platform of a journey sent. Throws an Error beyond the number that may be sent. */
  counted(calls: number): void {
    this.left -= calls;
    this.sent += calls;
    if (this.left < 0) throw new Error('The journey sends more calls than its requirement declares.');
  }

  /**
   * Sends a call. Resolves with whatever came of it. Rejects with Interrupted, with Silent where no answer comes in
   * time or too often none came from its path, and with an Error beyond the number of calls.
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
    const { answer, ms } = await this.#underWay(this.#concurrent.run(() => this.#timed(call)));
    await this.#options.turns?.begin();
    if (this.#ending.signal.aborted) throw new Interrupted('The run was stopped.');
    this.#note(answer);
    if (answer.problem === 'timeout') {
      const late = new Silent(inTime, `${path} did not respond in time.`, { ...answer, findings: [] });
      this.#silent.set(path, [...silent, late]);
      throw late;
    }
    this.#silent.delete(path);
    if (answer.status !== undefined) this.#longestMs.set(path, Math.max(this.longestMs(path), ms));
    return { ...answer, findings: this.#judged(answer) };
  }

  /** Resolves once no call is in progress. */
  async idle(): Promise<void> {
    while (this.#calls.size > 0) await Promise.allSettled(this.#calls);
  }

  async #underWay<T>(call: Promise<T>): Promise<T> {
    this.#calls.add(call);
    try {
      return await call;
    } finally {
      this.#calls.delete(call);
    }
  }

  /** Notes an answer that did not come, and sends fewer calls at the same time where no connection was accepted. */
  #note({ call, problem }: Omit<Answer, 'findings'>): void {
    if (problem === undefined || problem === 'too_large') return;
    this.#lost.push(call);
    if (problem !== 'broken') this.#concurrent.lower();
  }

  /**
   * Sends a complete call and drops the connection before its reply is read, at most this many milliseconds later.
   * Resolves when that is done, also where the call did not arrive. Rejects with Interrupted, and with an Error beyond
   * the number of calls.
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
      // undici refuses a handler without it, and then nothing would be sent.
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

  /** Ends the connections. */
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
    // No call takes longer than its timeout; if it seems to, the machine's clock was set.
    return { answer, ms: Math.min(now() - startedAt, timeoutMs) };
  }

  async #exchange(call: Call): Promise<Omit<Answer, 'findings'>> {
    const late = new AbortController();
    const cancel = realTimer(() => late.abort(), this.#options.timeoutMs);
    const signal = AbortSignal.any([late.signal, this.#ending.signal]);
    const none = { call, status: undefined, headers: [] as HeaderList, body: Buffer.alloc(0) };
    try {
      const pool = call.connection === 'persistent' ? this.#persistent : this.#single;
      const { status, raw, packed: body } = await readResponse(pool, this.#request(call), mostBytes, signal);
      return { call, status, headers: pairs(raw), body, problem: undefined, detail: undefined };
    } catch (error) {
      return { ...none, ...problemOf(error as Error, late.signal.aborted) };
    } finally {
      cancel();
    }
  }

  /** What the validator finds in a reply to a call that the contracts know. */
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
    for (const { code, severity, operation, pointer, expected, actual, basis } of findings)
      if (severity === 'warning' && code.startsWith('reply.rule.'))
        this.#warnings.set(
          `${operation} ${code}`,
          `${operation} ${pointer}: expected ${expected}; found ${actual} (${basis}).`,
        );
    return findings;
  }
}

function pathOf({ path }: Call): string {
  return path.split('?', 1)[0] ?? '';
}
