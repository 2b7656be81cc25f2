/** The partner's server as probes call it: every call bounded in time and size, and judged by the one judge. */
import { errors, Pool } from 'undici';
import { type Connector, RefusedAddress } from '../../runtime/connecting.ts';
import { realTimer } from '../../runtime/timer.ts';
import type { Checker } from '../checker.ts';
import type { HeaderList } from '../exchange.ts';
import type { Finding } from '../finding.ts';
import type { Answer, Call } from './answer.ts';
import { Blocked, Interrupted } from './verdict.ts';

export type { Answer, Call };

/** Most bytes of a reply that are read, and most connections at once. */
const mostBytes = 1024 * 1024;
const mostConnections = 64;
/** So many calls to one path without an answer in time, and it is not called again: a run must end. */
const mostSilent = 2;
/** The requirement that an answer comes in time. */
export const inTime = 'ROB-01';

export interface PartnerOptions {
  readonly clientUrl: string;
  readonly timeoutMs: number;
  readonly connect: Connector;
  readonly checker: Checker;
}

/** One run's connections to the server, its count of calls and its limits. */
export class Partner {
  readonly #options: PartnerOptions;
  readonly #pool: Pool;
  readonly #below: string;
  readonly #silent = new Map<string, number>();
  /** Calls that were sent. */
  sent = 0;
  /** Calls that may still be sent; whoever goes beyond breaks the run's promise. */
  left = 0;
  /** Ends the calls under way. */
  readonly #ending = new AbortController();

  constructor(options: PartnerOptions) {
    this.#options = options;
    const { origin, pathname } = new URL(options.clientUrl);
    this.#below = pathname.replace(/\/$/, '');
    this.#pool = new Pool(origin, {
      connect: options.connect,
      connections: mostConnections,
      headersTimeout: options.timeoutMs,
      bodyTimeout: options.timeoutMs,
      pipelining: 1,
    });
  }

  /** Breaks off the calls under way, and lets none be sent any more. */
  interrupt(): void {
    this.#ending.abort();
  }

  /** Counts calls that the platform of a journey sent. Throws an Error beyond the number that may be sent. */
  counted(calls: number): void {
    this.left -= calls;
    this.sent += calls;
    if (this.left < 0) throw new Error('The journey sends more calls than its requirement says.');
  }

  /**
   * Sends a call. Resolves with whatever came of it. Rejects with Interrupted, with Blocked where the path has not
   * answered in time before, and with an Error beyond the number of calls.
   */
  async send(call: Call): Promise<Answer> {
    if (this.#ending.signal.aborted) throw new Interrupted('The run was ended.');
    const [path = ''] = call.path.split('?');
    if ((this.#silent.get(path) ?? 0) >= mostSilent)
      throw new Blocked(inTime, `${path} did not answer in time before, and is not asked again.`);
    if (this.left <= 0) throw new Error('The probe sends more calls than its requirement says.');
    this.left -= 1;
    this.sent += 1;
    const answer = await this.#exchange(call);
    if (this.#ending.signal.aborted) throw new Interrupted('The run was ended.');
    if (answer.problem === 'timeout') this.#silent.set(path, (this.#silent.get(path) ?? 0) + 1);
    return { ...answer, findings: this.#judged(answer) };
  }

  /** Ends the connections. */
  async close(): Promise<void> {
    await this.#pool.destroy();
  }

  async #exchange(call: Call): Promise<Omit<Answer, 'findings'>> {
    const late = new AbortController();
    const cancel = realTimer(() => late.abort(), this.#options.timeoutMs);
    const signal = AbortSignal.any([late.signal, this.#ending.signal]);
    const none = { call, status: undefined, headers: [] as HeaderList, body: Buffer.alloc(0), json: undefined };
    try {
      const { statusCode, headers, body } = await this.#pool.request({
        method: call.method as 'GET',
        path: `${this.#below}${call.path}`,
        headers: call.headers.flat(),
        body: call.body ?? null,
        signal,
        responseHeaders: 'raw',
      });
      const chunks: Buffer[] = [];
      let length = 0;
      for await (const chunk of body as AsyncIterable<Buffer>) {
        length += chunk.length;
        if (length > mostBytes) throw new TooLarge(`The reply has more than ${mostBytes} bytes.`);
        chunks.push(chunk);
      }
      const bytes = Buffer.concat(chunks);
      const known = { call, status: statusCode, headers: pairs(headers as unknown as readonly string[]), body: bytes };
      return { ...known, json: parsed(bytes), problem: undefined, detail: undefined };
    } catch (error) {
      return { ...none, ...problemOf(error as Error, late.signal.aborted) };
    } finally {
      cancel();
    }
  }

  /** What the judge finds in a reply to a call that the contracts know. */
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
    return found.findings.filter(({ direction }) => direction === 'reply');
  }
}

class TooLarge extends Error {}

function problemOf(error: Error, late: boolean): Pick<Answer, 'problem' | 'detail'> {
  const cause = (error as { cause?: Error }).cause ?? error;
  const { code, message } = cause as NodeJS.ErrnoException;
  const detail = code ?? message;
  if (cause instanceof RefusedAddress) return { problem: 'unreachable', detail };
  const timeouts = [errors.HeadersTimeoutError, errors.BodyTimeoutError];
  if (late || timeouts.some((kind) => error instanceof kind))
    return { problem: 'timeout', detail: 'no answer in time' };
  if (error instanceof TooLarge) return { problem: 'too_large', detail: message };
  const unreachable = [
    'ECONNREFUSED',
    'ENOTFOUND',
    'EAI_AGAIN',
    'EHOSTUNREACH',
    'ENETUNREACH',
    'UND_ERR_CONNECT_TIMEOUT',
  ];
  return { problem: unreachable.includes(code ?? '') ? 'unreachable' : 'broken', detail };
}

function pairs(raw: readonly string[]): HeaderList {
  return Array.from(
    { length: Math.floor(raw.length / 2) },
    (_, at) => [String(raw[2 * at]), String(raw[2 * at + 1])] as const,
  );
}

function parsed(bytes: Buffer): unknown {
  try {
    return JSON.parse(bytes.toString('utf8'));
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}
