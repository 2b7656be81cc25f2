import type { IncomingHttpHeaders } from 'node:http';
import { promisify } from 'node:util';
import { brotliDecompress, constants, gunzip, inflate, inflateRaw, zstdDecompress } from 'node:zlib';
import type { Client, Dispatcher } from 'undici';
import type { HeaderList } from '../activity-log/activity-entry.ts';

/** A call as it is sent. */
export interface SentCall {
  readonly method: string;
  /** The whole address. */
  readonly url: string;
  /** By name in lower case: one in upper case would duplicate a default header. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string | undefined;
  /** What is called, for those that show the call. */
  readonly operation?: string | undefined;
  /** The caller's giving up. */
  readonly signal?: AbortSignal | undefined;
}

/** A reply that came whole, decoded: its headers tell the length of what is there. */
export interface HttpReply {
  readonly status: number;
  readonly headers: HeaderList;
  readonly body: Buffer;
}

/** Statuses of replies without a body, whatever came behind their head. */
const bodiless: ReadonlySet<number> = new Set([204, 205, 304]);

/** Sends a call over a connection. Redirects are replies. Rejects if no complete reply within the byte limit arrives. */
export async function sendCall(connection: Client, call: SentCall, mostBytes: number): Promise<HttpReply> {
  const { method, url, headers, body = null } = call;
  const { pathname, search } = new URL(url);
  const options = { method, path: `${pathname}${search}`, headers, body, ...noTimeouts };
  return wholeReply(await readResponse(connection, options, mostBytes), mostBytes);
}

/** A reply as its caller reads it. Rejects if its decoded body exceeds the byte limit, or its status is none. */
export async function wholeReply({ status, head, packed }: Packed, mostBytes: number): Promise<HttpReply> {
  if (status > 599) throw new Error(`${status} is not an HTTP status`);
  const whole = bodiless.has(status) ? Buffer.alloc(0) : packed;
  const bytes = await decodeContent(whole, [head['content-encoding'] ?? []].flat(), mostBytes);
  return { status, headers: pairsOf({ ...head, 'content-length': String(bytes.length) }), body: bytes };
}

/** The caller's deadline is that of the whole call, so the connection needs none for its parts. */
const noTimeouts = { headersTimeout: 0, bodyTimeout: 0 } as const;

/** Headers as a reader expects them: repeated ones in one line, except for cookies. */
function pairsOf(head: IncomingHttpHeaders): HeaderList {
  const pairs: (readonly [string, string])[] = [];
  for (const [name, value = ''] of Object.entries(head)) {
    if (typeof value === 'string') pairs.push([name, value]);
    else if (name === 'set-cookie') for (const each of value) pairs.push([name, each]);
    else pairs.push([name, value.join(', ')]);
  }
  return pairs;
}

/** Most interim responses (1xx) that are accepted before the final one (OP-24). */
const mostInterim = 20;

/** A reply that came whole, still packed. */
export interface Packed {
  readonly status: number;
  /** Names in lower case; a repeated header is a list. */
  readonly head: IncomingHttpHeaders;
  readonly packed: Buffer;
}

interface RawResponse extends Packed {
  /** Names and values in turn, as they came. */
  readonly raw: readonly (Buffer | string)[];
}

/**
 * Sends a call and reads its reply. Rejects with `TooLarge` for a reply over the limit, with an Error after too many interim
 * replies (1xx), with the reason of an aborted signal, and otherwise with the error of undici.
 */
export async function readResponse(
  over: Dispatcher,
  options: Dispatcher.DispatchOptions,
  mostBytes: number,
  signal?: AbortSignal,
): Promise<RawResponse> {
  signal?.throwIfAborted();
  const { promise, resolve, reject } = Promise.withResolvers<RawResponse>();
  const chunks: Buffer[] = [];
  let controller: Dispatcher.DispatchController | undefined;
  let start: Omit<RawResponse, 'packed'> = { status: 0, head: {}, raw: [] };
  let [bytes, interim] = [0, 0];
  // Ends the call, also where it waits for a connection still.
  const giveUp = () => {
    controller?.abort(signal?.reason);
    reject(signal?.reason);
  };
  signal?.addEventListener('abort', giveUp);
  try {
    over.dispatch(options, {
      onRequestStart(begun) {
        controller = begun;
        if (signal?.aborted) controller.abort(signal.reason);
      },
      // Interim replies without an answer, read as fast as they can come, would hold up everybody else.
      onResponseStart(response, status, head) {
        if (status < 200) interim += 1;
        if (interim > mostInterim) {
          response.abort(new Error(`received more than ${mostInterim} interim responses (1xx) and no final one`));
        }
        start = { status, head, raw: Array.isArray(response.rawHeaders) ? response.rawHeaders : [] };
      },
      onResponseData(response, chunk) {
        bytes += chunk.length;
        if (bytes > mostBytes) response.abort(new TooLarge(mostBytes));
        else chunks.push(chunk);
      },
      onResponseEnd() {
        const [first = Buffer.alloc(0), ...more] = chunks;
        resolve({ ...start, packed: more.length === 0 ? first : Buffer.concat(chunks) });
      },
      onResponseError: (_, error) => reject(error),
    });
    return await promise;
  } finally {
    signal?.removeEventListener('abort', giveUp);
  }
}

/** The response is larger than the limit. */
export class TooLarge extends Error {
  constructor(bytes: number) {
    super(`the response is larger than ${bytes} bytes`);
  }
}

type Unpack = (packed: Buffer, maxOutputLength: number) => Promise<Buffer>;

/** Like `fetch`: of a truncated body, the part that arrived is decoded. */
const lenient = { flush: constants.Z_SYNC_FLUSH, finishFlush: constants.Z_SYNC_FLUSH };
const brotli = { flush: constants.BROTLI_OPERATION_FLUSH, finishFlush: constants.BROTLI_OPERATION_FLUSH };

const gzipped: Unpack = (packed, maxOutputLength) => promisify(gunzip)(packed, { ...lenient, maxOutputLength });
/** Some servers send `deflate` without the head of zlib, which has 8 in the low half of its first byte. */
const deflated: Unpack = (packed, maxOutputLength) =>
  promisify(((packed[0] ?? 8) & 0x0f) === 8 ? inflate : inflateRaw)(packed, { ...lenient, maxOutputLength });

/** The largest window that RFC 9659 has a receiver take. */
const zstd = { params: { [constants.ZSTD_d_windowLogMax]: 23 } };

const codings: ReadonlyMap<string, Unpack> = new Map([
  ['gzip', gzipped],
  ['x-gzip', gzipped],
  ['deflate', deflated],
  ['br', (packed, maxOutputLength) => promisify(brotliDecompress)(packed, { ...brotli, maxOutputLength })],
  ['zstd', (packed, maxOutputLength) => promisify(zstdDecompress)(packed, { ...zstd, maxOutputLength })],
]);

/** Most codings of one body. */
const mostCodings = 5;

/** A decoded body; unchanged if one of its codings is unknown. Throws `TooLarge` beyond the byte limit. */
export async function decodeContent(body: Buffer, encodings: readonly string[], mostBytes: number): Promise<Buffer> {
  if (encodings.length === 0 || body.length === 0) return body;
  const named = encodings.join(',').toLowerCase().split(',');
  if (named.length > mostCodings) throw new Error(`the response has ${named.length} content encodings`);
  const unpackers = named.map((coding) => codings.get(coding.trim()));
  let plain = body;
  for (const unpack of unpackers.toReversed()) {
    if (unpack === undefined) return body;
    plain = await unpack(plain, mostBytes).catch((error: NodeJS.ErrnoException) => {
      throw error.code === 'ERR_BUFFER_TOO_LARGE' ? new TooLarge(mostBytes) : error;
    });
  }
  return plain;
}
