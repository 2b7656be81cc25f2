import type { HeadersInit } from 'undici';
import { nodeHttp } from '../contract/node-http.ts';
import type { OwnInterruption } from '../domain/failures.ts';

/**
 * A call that was never made, for the reason in the message. It says nothing about the server.
 */
export class NotMade extends Error {}

/** A call that was not made, or broken off, for a reason of this process that passes: the same call can be made again. */
export class Interrupted extends NotMade {
  readonly how: OwnInterruption;
  constructor(how: OwnInterruption, message: string) {
    super(message);
    this.how = how;
  }
}

/** For a call whose HTTP client could not be loaded, such as without a free descriptor. */
export function cannotLoad(): Interrupted {
  return new Interrupted('not_sent', 'the HTTP client cannot be loaded');
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
