import type { IncomingMessage } from 'node:http';
import { isNamed } from '../conformance/exchange.ts';

/** The parts of a parsed message that define its framing and its headers. */
export type Head = Pick<IncomingMessage, 'rawHeaders' | 'httpVersion'>;
type RequestHead = Head & Pick<IncomingMessage, 'method' | 'url'>;
type ReplyHead = Head & Pick<IncomingMessage, 'statusCode' | 'statusMessage'>;

/** Headers that apply to a single connection (RFC 9110, 7.6.1), and `Expect`, which the reader of the body handles. */
const ofOneConnection = new Set(
  `connection keep-alive proxy-connection proxy-authenticate proxy-authorization te trailer transfer-encoding upgrade
  http2-settings expect`.split(/\s+/),
);

/**
 * Headers that a `Connection` header cannot remove: the caller's identity, and everything that a contract or a check
 * depends on. A sender that lists one of them violates RFC 9110 (7.6.1), and could change the meaning of the message.
 */
const alwaysPassed = new Set(
  `accept allow authorization cache-control cookie date etag expires forwarded host idempotency-key idempotent-replayed
  last-event-id last-modified location origin pragma ratelimit ratelimit-policy referer referrer-policy retry-after set-cookie
  traceparent tracestate vary via www-authenticate x-answered-by x-content-type-options x-problem x-real-ip
  x-trace-id`.split(/\s+/),
);
const alwaysPassedFamilies = /^(accept-|access-control-|content-|if-|mcp-|sec-|webhook-|x-forwarded-|x-sandbox-)/;

/**
 * Request headers that must not repeat, because one side would read the first and the other side the last. The
 * receiving server refuses a repeated `Authorization` itself (OP-03), since the proxy does not read it in forwarded
 * calls.
 */
const single = ['host', 'origin', 'sec-fetch-site', 'content-length', 'transfer-encoding'];

/** Returns the reason that the meaning or the end of a request is ambiguous; `undefined` if it is not. */
export function requestProblem(request: RequestHead): string | undefined {
  const { httpVersion, url = '' } = request;
  if (!/^1\.[01]$/.test(httpVersion)) return `HTTP/${httpVersion} is not supported. Use HTTP/1.1.`;
  if (!/^\/[!"$-~]*$/.test(url)) {
    return 'The request target must be a path that starts with a slash and has no fragment (not a full URL, an authority or an asterisk).';
  }
  const twice = single.find((name) => valuesOf(request, name).length > 1);
  if (twice !== undefined) return `The request has more than one ${twice} header.`;
  const [host] = valuesOf(request, 'host');
  if (host === undefined || !/^[^\s,/?#@]+$/.test(host))
    return 'The request must have exactly one Host header that names one host.';
  return bodyProblem(request);
}

/** Returns the reason that a reply cannot be forwarded; `undefined` if it can. */
export function replyProblem(reply: ReplyHead): string | undefined {
  const { httpVersion, statusCode = 0, statusMessage = '' } = reply;
  if (!/^1\.[01]$/.test(httpVersion)) return `it is HTTP/${httpVersion}`;
  if (statusCode < 200 || statusCode > 999) return `its status is ${String(statusCode).padStart(3, '0')}`;
  if (!/^[\t\x20-\x7e\x80-\xff]*$/.test(statusMessage)) return 'its reason phrase has control characters';
  const problem = bodyProblem(reply);
  return problem && `its framing is ambiguous: ${problem}`;
}

/**
 * Returns the reason that the end of a body is ambiguous (RFC 9112, 6.3); `undefined` if it is not. The parser already
 * rejects most such messages.
 */
function bodyProblem(head: Head): string | undefined {
  const codings = valuesOf(head, 'transfer-encoding');
  const lengths = valuesOf(head, 'content-length');
  if (codings.length > 0 && lengths.length > 0) return 'The message has both Content-Length and Transfer-Encoding.';
  if (lengths.length > 1 || lengths.some((length) => !/^\d+$/.test(length)))
    return 'The Content-Length is not a number.';
  if (codings.length === 0) return undefined;
  if (codings.length > 1 || codings[0]?.toLowerCase() !== 'chunked') return 'The Transfer-Encoding must be chunked.';
  return head.httpVersion === '1.0' ? 'HTTP/1.0 does not support Transfer-Encoding.' : undefined;
}

/** Methods for which Node does not add chunked framing to a request without a body. */
const bodiless = new Set(['GET', 'HEAD', 'DELETE', 'OPTIONS', 'TRACE']);

/** The header that defines the end of a body, or `undefined` if there is none. */
export type Framing = readonly [name: 'Content-Length' | 'Transfer-Encoding', value: string] | undefined;

/** Returns the framing of an unambiguous request, as written to the upstream server. */
export function requestFraming(request: RequestHead): Framing {
  if (valuesOf(request, 'transfer-encoding').length > 0) return ['Transfer-Encoding', 'chunked'];
  const [length = bodiless.has(request.method ?? '') ? undefined : '0'] = valuesOf(request, 'content-length');
  return length === undefined ? undefined : ['Content-Length', length];
}

/** Returns whether an unambiguous request has no body. */
export function hasNoBody(request: RequestHead): boolean {
  const [, length = '0'] = requestFraming(request) ?? [];
  return Number(length) === 0;
}

/**
 * Returns the framing of a reply, which depends on the method and version of the request. A body without a length is
 * sent in chunks, or for HTTP/1.0 until the connection closes.
 */
export function replyFraming(reply: ReplyHead, request: RequestHead): Framing {
  const { statusCode = 0 } = reply;
  if (statusCode === 204) return undefined;
  const [length] = valuesOf(reply, 'content-length');
  if (length !== undefined) return ['Content-Length', length];
  const empty = request.method === 'HEAD' || statusCode === 304;
  return empty || request.httpVersion === '1.0' ? undefined : ['Transfer-Encoding', 'chunked'];
}

/** Returns whether a reply has a body with a defined end. */
export function hasClearEnd(reply: ReplyHead, request: Pick<RequestHead, 'method'>): boolean {
  const bodiless = request.method === 'HEAD' || reply.statusCode === 204 || reply.statusCode === 304;
  return !bodiless && ['content-length', 'transfer-encoding'].some((name) => valuesOf(reply, name).length > 0);
}

/** Returns the headers with only this framing. An existing `Content-Length` stays in its position. */
export function withFraming(headers: readonly string[], framing: Framing): string[] {
  const [framingName, value = ''] = framing ?? [];
  const stood = framingName === 'Content-Length' && valuesOf({ rawHeaders: headers }, 'content-length').length > 0;
  const written = pairs(headers).flatMap(([name, sent]) => {
    if (!isNamed(name, 'content-length')) return [name, sent];
    return stood ? [name, value] : [];
  });
  return stood || framingName === undefined ? written : [...written, framingName, value];
}

/** Returns the headers to forward as they were written, with alternating names and values. */
export function passedHeaders(raw: readonly string[]): string[] {
  const listed = valuesOf({ rawHeaders: raw }, 'connection').join().toLowerCase().split(',');
  const named = listed.map((name) => name.trim());
  const dropped = new Set(named.filter((name) => !alwaysPassed.has(name) && !alwaysPassedFamilies.test(name)));
  return pairs(raw)
    .filter(([name]) => !ofOneConnection.has(name.toLowerCase()) && !dropped.has(name.toLowerCase()))
    .flat();
}

/** Returns the headers with a value appended to a list header such as `Via`. Its lines are merged into one. */
export function withAdded(headers: readonly string[], name: string, value: string): string[] {
  const key = name.toLowerCase();
  const values = [...valuesOf({ rawHeaders: headers }, key), value].filter((each) => each !== '');
  const others = pairs(headers).filter(([existing]) => !isNamed(existing, key));
  return [...others.flat(), name, values.join(', ')];
}

/** Converts raw headers to pairs. */
export function pairs(raw: readonly string[]): [name: string, value: string][] {
  return Array.from({ length: raw.length / 2 }, (_, at) => [raw[2 * at] ?? '', raw[2 * at + 1] ?? '']);
}

/** Returns the values of all headers with this lower-case name. */
function valuesOf({ rawHeaders }: { readonly rawHeaders: readonly string[] }, name: string): string[] {
  return pairs(rawHeaders).flatMap(([written, value]) => (isNamed(written, name) ? [value] : []));
}
