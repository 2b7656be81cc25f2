import type { HeadersInit } from 'undici';
import { nodeHttp } from '../contract/node-http.ts';
import type { OwnInterruption } from '../domain/failures.ts';

/**
 * A call that was never made, for the reason in the message. It says nothing about the server.
 */
export class NotMade extends Error {
  /** How far the call came, where its reason lies in this process; undefined where it lies in the address or the call. */
  readonly how: OwnInterruption | undefined = undefined;
}

/** A call that was not made, or broken off, for a reason of this process that passes: the same call can be made again. */
export class Interrupted extends NotMade {
  override readonly how: OwnInterruption;
  constructor(how: OwnInterruption, message: string) {
    super(message);
    this.how = how;
  }
}

/** For a call whose HTTP client could not be loaded, such as without a free descriptor. */
export function cannotLoad(): Interrupted {
  return new Interrupted('not_sent', 'the HTTP client cannot be loaded');
}

/** Errors of a machine that has no descriptors, ports or memory left for another connection. */
const shortages: ReadonlySet<unknown> = new Set(['EMFILE', 'ENFILE', 'EADDRNOTAVAIL', 'ENOBUFS', 'ENOMEM']);

/** How far a call came that failed for a reason of this process; undefined where the other party failed (OP-150). */
export function oursOf(error: unknown): OwnInterruption | undefined {
  if (error instanceof NotMade) return error.how;
  return shortages.has((error as Error & { code?: unknown }).code) ? 'not_sent' : undefined;
}

/** Headers that belong to the connection and not to the call. */
const ofTheConnection: ReadonlySet<string> = new Set(
  'connection content-length expect host keep-alive te trailer transfer-encoding upgrade'.split(' '),
);

/**
 * Throws `NotMade` where a header cannot be sent. Call it first: a later failure could leak resources
 * of the call, or the value.
 */
export function checkSendable(headers: HeadersInit): void {
  const pairs: Iterable<readonly (string | undefined)[]> =
    Symbol.iterator in headers ? headers : Object.entries(headers);
  for (const [name = '', value = ''] of pairs) {
    const lower = name.toLowerCase();
    if (ofTheConnection.has(lower)) throw unsendable(lower);
    try {
      nodeHttp.validateHeaderName(name);
    } catch {
      throw unsendable(lower);
    }
    try {
      nodeHttp.validateHeaderValue(name, value);
    } catch {
      throw new NotMade(`the header ${lower} contains an invalid character`);
    }
  }
}

function unsendable(name: string): NotMade {
  return new NotMade(`the header ${JSON.stringify(name)} cannot be sent`);
}
