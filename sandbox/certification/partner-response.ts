/** Between the bytes of a connection and an answer. */

import { Readable } from 'node:stream';
import { errors } from 'undici';
import type { HeaderList } from '../conformance/exchange.ts';
import { RefusedAddress } from '../http-client/connecting.ts';
import { TooLarge } from '../http-client/decode-content.ts';
import type { Answer } from './answer.ts';

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

/** A body as a stream of two parts, whose length nobody tells. */
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

export function parseJson(bytes: Buffer): unknown {
  try {
    return JSON.parse(bytes.toString('utf8'));
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}
