import type { IncomingHttpHeaders } from 'node:http';
import { promisify } from 'node:util';
import { brotliDecompress, constants, gunzip, inflate, inflateRaw, zstdDecompress } from 'node:zlib';
import type { Client, Dispatcher } from 'undici';
import type { HeaderList } from '../activity-log/activity-entry.ts';

/** An outgoing call as sent. */
export interface SentCall {
  readonly method: string;
  /** The complete URL. */
  readonly url: string;
  /** Header names are in lower case. Names in upper case would duplicate default headers. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string | undefined;
  /** The called operation, for components that display the call. */
  readonly operation?: string | undefined;
  /** Aborts when the caller gives up. */
  readonly signal?: AbortSignal | undefined;
}

/** A complete, decoded reply. Its `content-length` header is the length of the decoded body. */
export interface HttpReply {
  readonly status: number;
  readonly headers: HeaderList;
  readonly body: Buffer;
}

/** Statuses of replies that have no body, whatever follows their headers. */
const bodiless: ReadonlySet<number> = new Set([204, 205, 304]);

/** Sends a call over a connection. Does not follow redirects. Rejects if no complete reply within the byte limit arrives. */
export async function sendCall(connection: Client, call: SentCall, mostBytes: number): Promise<HttpReply> {
  const { method, url, headers, body = null } = call;
  const { pathname, search } = new URL(url);
  const options = { method, path: `${pathname}${search}`, headers, body, ...noTimeouts };
  return wholeReply(await readResponse(connection, options, mostBytes), mostBytes);
}

/** Decodes a reply for its caller. Rejects if its decoded body exceeds the byte limit, or if its status is invalid. */
export async function wholeReply({ status, head, packed }: Packed, mostBytes: number): Promise<HttpReply> {
  if (status > 599) throw new Error(`${status} is not an HTTP status`);
  const whole = bodiless.has(status) ? Buffer.alloc(0) : packed;
  const bytes = await decodeContent(whole, [head['content-encoding'] ?? []].flat(), mostBytes);
  return { status, headers: pairsOf({ ...head, 'content-length': String(bytes.length) }), body: bytes };
}

/** The caller's deadline covers the whole call, so the connection needs no timeouts of its own. */
const noTimeouts = { headersTimeout: 0, bodyTimeout: 0 } as const;

/** Converts headers to pairs. Repeated headers are joined into one line, except for cookies. */
function pairsOf(head: IncomingHttpHeaders): HeaderList {
  const pairs: (readonly [string, string])[] = [];
  for (const [name, value = ''] of Object.entries(head)) {
    if (typeof value === 'string') pairs.push([name, value]);
    else if (name === 'set-cookie') for (const each of value) pairs.push([name, each]);
    else pairs.push([name, value.join(', ')]);
  }
  return pairs;
}

/** Maximum number of interim responses (1xx) before the final one (OP-24). */
const mostInterim = 20;

/** A complete reply that is not decoded yet. */
export interface Packed {
  readonly status: number;
  /** Header names are in lower case. The value of a repeated header is a list. */
  readonly head: IncomingHttpHeaders;
  readonly packed: Buffer;
}

interface RawResponse extends Packed {
  /** Alternating names and values, as received. */
  readonly raw: readonly (Buffer | string)[];
}

/**
 * Sends a call and reads its reply. Rejects with `TooLarge` for a reply over the limit, and with an `Error` after too
 * many interim responses (1xx). Other rejections are the reason of an aborted signal or an error of undici.
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
  // Also ends a call that is still waiting for a connection.
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
      // An endless sequence of interim responses, read at full speed, would delay all other calls.
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

/** An error for a response that exceeds the byte limit. */
export class TooLarge extends Error {
  constructor(bytes: number) {
    super(`the response is larger than ${bytes} bytes`);
  }
}

type Unpack = (packed: Buffer, maxOutputLength: number) => Promise<Buffer>;

/** Like `fetch`, decodes the received part of a truncated body. */
const lenient = { flush: constants.Z_SYNC_FLUSH, finishFlush: constants.Z_SYNC_FLUSH };
const brotli = { flush: constants.BROTLI_OPERATION_FLUSH, finishFlush: constants.BROTLI_OPERATION_FLUSH };

const gzipped: Unpack = (packed, maxOutputLength) => promisify(gunzip)(packed, { ...lenient, maxOutputLength });
/** Some servers send `deflate` without the zlib header, whose first byte has 8 in its low half. */
const deflated: Unpack = (packed, maxOutputLength) =>
  promisify(((packed[0] ?? 8) & 0x0f) === 8 ? inflate : inflateRaw)(packed, { ...lenient, maxOutputLength });

/** The largest window that RFC 9659 requires a receiver to support. */
const zstd = { params: { [constants.ZSTD_d_windowLogMax]: 23 } };

const codings: ReadonlyMap<string, Unpack> = new Map([
  ['gzip', gzipped],
  ['x-gzip', gzipped],
  ['deflate', deflated],
  ['br', (packed, maxOutputLength) => promisify(brotliDecompress)(packed, { ...brotli, maxOutputLength })],
  ['zstd', (packed, maxOutputLength) => promisify(zstdDecompress)(packed, { ...zstd, maxOutputLength })],
]);

/** Maximum number of codings of a body. */
const mostCodings = 5;

/** Decodes a body; returns it unchanged if one of its codings is unknown. Throws `TooLarge` beyond the byte limit. */
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
