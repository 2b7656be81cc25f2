import type { IncomingHttpHeaders } from 'node:http';
import type { Client } from 'undici';
import { decodeContent } from './decode-content.ts';
import { readResponse } from './read-response.ts';

/** A call as it is sent. */
export interface SentCall {
  readonly method: string;
  /** The whole address. */
  readonly url: string;
  /** By name in small letters: one in capitals would come beside what every call has. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string | undefined;
  /** The caller's giving up. */
  readonly signal?: AbortSignal | undefined;
}

/** A reply that came whole, unpacked; its headers tell the length of what is there. */
export interface WholeReply {
  readonly status: number;
  readonly headers: readonly (readonly [name: string, value: string])[];
  readonly body: Buffer;
}

/** Statuses of replies without a body, whatever came behind their head. */
const bodiless: ReadonlySet<number> = new Set([204, 205, 304]);

/** Sends a call over a connection. Redirects are replies. Rejects if no complete reply within the byte limit arrives. */
export async function exchange(connection: Client, call: SentCall, mostBytes: number): Promise<WholeReply> {
  const { method, url, headers, body = null } = call;
  const { pathname, search } = new URL(url);
  const options = { method, path: `${pathname}${search}`, headers, body, ...noTimeouts };
  const { status, head, packed } = await readResponse(connection, options, mostBytes);
  if (status > 599) throw new Error(`${status} is not an HTTP status`);
  const whole = bodiless.has(status) ? Buffer.alloc(0) : packed;
  const bytes = await decodeContent(whole, [head['content-encoding'] ?? []].flat(), mostBytes);
  return { status, headers: pairsOf({ ...head, 'content-length': String(bytes.length) }), body: bytes };
}

/** The caller's deadline is that of the whole call, so the connection needs none for its parts. */
const noTimeouts = { headersTimeout: 0, bodyTimeout: 0 } as const;

/** Headers as a reader takes them: what came several times in one line, but for cookies. */
function pairsOf(head: IncomingHttpHeaders): WholeReply['headers'] {
  const pairs: (readonly [string, string])[] = [];
  for (const [name, value = ''] of Object.entries(head)) {
    if (typeof value === 'string') pairs.push([name, value]);
    else if (name === 'set-cookie') for (const each of value) pairs.push([name, each]);
    else pairs.push([name, value.join(', ')]);
  }
  return pairs;
}
