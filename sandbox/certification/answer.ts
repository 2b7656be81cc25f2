/** A call to the server and its result. */

import { Readable } from 'node:stream';
import { errors } from 'undici';
import type { HeaderList } from '../conformance/exchange.ts';
import type { Finding } from '../conformance/finding.ts';
import { RefusedAddress } from '../http-client/connecting.ts';
import { TooLarge } from '../http-client/read-response.ts';

/** A call to send. */
export interface Call {
  readonly method: string;
  /** The path relative to the server's address, including the query. */
  readonly path: string;
  readonly headers: HeaderList;
  readonly body: Buffer | undefined;
  /** The base address of the path, if it is not that of the client API. */
  readonly base?: string;
  /** `chunked` sends the body in two chunks, without a length. */
  readonly framing?: 'chunked';
  /** `persistent` calls share one connection, as long as the server leaves it open. */
  readonly connection?: 'persistent';
}

/** Returns the method, address and path of a POST call to a URL. */
export function callTo(url: string): Pick<Call, 'method' | 'path'> & { readonly base: string } {
  const { origin, pathname, search } = new URL(url);
  return { method: 'POST', path: `${pathname}${search}`, base: origin };
}

/** The result of a call. */
export interface Answer {
  readonly call: Call;
  /** `undefined` if no reply arrived. */
  readonly status: number | undefined;
  readonly headers: HeaderList;
  readonly body: Buffer;
  /** The reason that no complete reply arrived. */
  readonly problem: 'timeout' | 'too_large' | 'unreachable' | 'broken' | undefined;
  /** The system's error code or message for `problem`. */
  readonly detail: string | undefined;
  /** Findings of the validator about the reply. */
  readonly findings: readonly Finding[];
}

/** The system's error codes for a server that cannot be reached. */
const unreachable: ReadonlySet<string> = new Set([
  'ECONNREFUSED',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'UND_ERR_CONNECT_TIMEOUT',
]);

/** Classifies the error of a failed call. `late` is true if the call exceeded its total time. */
export function problemOf(error: Error, late: boolean): Pick<Answer, 'problem' | 'detail'> {
  const cause = (error as { cause?: Error }).cause ?? error;
  const { code, message } = cause as NodeJS.ErrnoException;
  const detail = code ?? message;
  if (cause instanceof RefusedAddress) return { problem: 'unreachable', detail };
  if (late || error instanceof errors.HeadersTimeoutError || error instanceof errors.BodyTimeoutError)
    return { problem: 'timeout', detail: 'no response in time' };
  if (error instanceof TooLarge) return { problem: 'too_large', detail: message };
  return { problem: unreachable.has(code ?? '') ? 'unreachable' : 'broken', detail };
}

/** Returns a body as a stream of two chunks, so that it is sent without a length. */
export function inTwo(body: Buffer = Buffer.alloc(0)): Readable {
  const half = Math.ceil(body.length / 2);
  return Readable.from([body.subarray(0, half), body.subarray(half)]);
}

/** Converts raw headers, in which names and values alternate, to a list of pairs. */
export function pairs(raw: readonly (Buffer | string)[]): HeaderList {
  const words = raw.map((each) => each.toString('latin1'));
  return words.flatMap((name, at) => (at % 2 === 0 ? [[name, words[at + 1] ?? ''] as const] : []));
}

/** The fields of a JSON object, without validation. */
export type Fields = Readonly<Record<string, unknown>>;

/** Returns the fields of the body of an answer, or none if the body is not a JSON object. */
export function fieldsIn(answer: Pick<Answer, 'body'>): Fields {
  return asFields(jsonOf(answer)) ?? {};
}

/** Returns a field of the body that is an object, or `undefined` if it is not one. */
export function objectIn(answer: Pick<Answer, 'body'>, name: string): Fields | undefined {
  return asFields(fieldsIn(answer)[name]);
}

/** Returns a value if it is a JSON object, and otherwise `undefined`. */
export function asFields(value: unknown): Fields | undefined {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Fields) : undefined;
}

/** Returns a number of points from an answer, such as the balance, or `NaN` if the answer does not contain it. */
export function pointsIn(answer: Answer, name = 'balance'): number {
  return Number(objectIn(answer, 'points')?.[name] ?? Number.NaN);
}

/**
 * Parses the body of an answer as JSON. Returns `undefined` if it is not JSON. The result is not cached, because a run
 * stores its answers and parsed JSON needs many times the memory of its text.
 */
export function jsonOf({ body }: Pick<Answer, 'body'>): unknown {
  return parseJson(body.toString('utf8'));
}

/** Parses JSON. Returns `undefined` if the text is not JSON. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}
