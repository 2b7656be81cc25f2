/** A call to the server and its result. */

import { Readable } from 'node:stream';
import { errors } from 'undici';
import type { HeaderList } from '../conformance/exchange.ts';
import type { Finding } from '../conformance/finding.ts';
import { RefusedAddress } from '../http-client/connecting.ts';
import { TooLarge } from '../http-client/read-response.ts';

/** A call as it is sent. */
export interface Call {
  readonly method: string;
  /** Below the server's address, with the query. */
  readonly path: string;
  readonly headers: HeaderList;
  readonly body: Buffer | undefined;
  /** The address that the path is below, where it is not that of the client's API. */
  readonly base?: string;
  /** `chunked`: the body goes in two chunks, its length untold. */
  readonly framing?: 'chunked';
  /** `persistent`: on one connection with all calls that say so, as long as the server keeps it. */
  readonly connection?: 'persistent';
}

/** The result of a call. */
export interface Answer {
  readonly call: Call;
  /** Undefined if no reply came. */
  readonly status: number | undefined;
  readonly headers: HeaderList;
  readonly body: Buffer;
  /** Why no whole reply came. */
  readonly problem: 'timeout' | 'too_large' | 'unreachable' | 'broken' | undefined;
  /** What `problem` says in the words of the machine. */
  readonly detail: string | undefined;
  /** What the validator found in the reply. */
  readonly findings: readonly Finding[];
}

export function problemOf(error: Error, late: boolean): Pick<Answer, 'problem' | 'detail'> {
  const cause = (error as { cause?: Error }).cause ?? error;
  const { code, message } = cause as NodeJS.ErrnoException;
  const detail = code ?? message;
  if (cause instanceof RefusedAddress) return { problem: 'unreachable', detail };
  const timeouts = [errors.HeadersTimeoutError, errors.BodyTimeoutError];
  if (late || timeouts.some((kind) => error instanceof kind))
    return { problem: 'timeout', detail: 'no response in time' };
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

/** A body as a stream of two parts, sent without a length. */
export function inTwo(body: Buffer = Buffer.alloc(0)): Readable {
  const half = Math.ceil(body.length / 2);
  return Readable.from([body.subarray(0, half), body.subarray(half)]);
}

export function pairs(raw: readonly (Buffer | string)[]): HeaderList {
  const words = raw.map((each) => each.toString('latin1'));
  return Array.from({ length: Math.floor(words.length / 2) }, (_, at) => [
    words[2 * at] ?? '',
    words[2 * at + 1] ?? '',
  ]);
}

/** A number of points in an answer: the balance, or a total. NaN where it has none. */
export function pointsIn(answer: Answer, name = 'balance'): number {
  const { points } = (jsonOf(answer) ?? {}) as { points?: Readonly<Record<string, unknown>> | null };
  return Number(points?.[name] ?? Number.NaN);
}

/**
 * The body of an answer as JSON; undefined if it is not JSON. Parsed at each call: a run stores its answers, and parsed
 * JSON takes many times the memory of its text.
 */
export function jsonOf({ body }: Pick<Answer, 'body'>): unknown {
  try {
    return JSON.parse(body.toString('utf8'));
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}
