import type { IncomingMessage } from 'node:http';
import { isNamed } from '../conformance/exchange.ts';

/** The parts of a parsed message that say where it begins and ends, and the parts to forward. */
export type Head = Pick<IncomingMessage, 'rawHeaders' | 'httpVersion'>;
type RequestHead = Head & Pick<IncomingMessage, 'method' | 'url'>;
type ReplyHead = Head & Pick<IncomingMessage, 'statusCode' | 'statusMessage'>;

/** Headers that concern one connection only (RFC 9110, 7.6.1), and `Expect`, which the reader of the body answers. */
const ofOneConnection = new Set(
  `connection keep-alive proxy-connection proxy-authenticate proxy-authorization te trailer transfer-encoding upgrade
  http2-settings expect`.split(/\s+/),
);

/**
 * Headers that no `Connection` header removes: who calls, for whom, and everything that a contract or one of our checks
 * relies on. A sender that lists one of them there violates RFC 9110 (7.6.1), and could change the meaning of the
 * message.
 */
const alwaysPassed = new Set(
  `accept allow authorization cache-control cookie date etag expires forwarded host idempotency-key idempotent-replayed
  last-event-id last-modified location origin pragma ratelimit ratelimit-policy referer referrer-policy retry-after set-cookie
  traceparent tracestate vary via www-authenticate x-answered-by x-content-type-options x-problem x-real-ip
  x-trace-id`.split(/\s+/),
);
const alwaysPassedFamilies = /^(accept-|access-control-|content-|if-|mcp-|sec-|webhook-|x-forwarded-|x-sandbox-)/;

/**
 * Headers of a request that one side would read first and another last. Two `Authorization` are the host's to refuse
 * (OP-03): the proxy reads none of what it passes on.
 */
const single = ['host', 'origin', 'sec-fetch-site', 'content-length', 'transfer-encoding'];

/** Why the meaning or the end of a request is ambiguous; undefined if it is not. */
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

/** Why a reply cannot be passed on as one; undefined if it can. */
export function replyProblem(reply: ReplyHead): string | undefined {
  const { httpVersion, statusCode = 0, statusMessage = '' } = reply;
  if (!/^1\.[01]$/.test(httpVersion)) return `it is HTTP/${httpVersion}`;
  if (statusCode < 200 || statusCode > 999) return `its status is ${String(statusCode).padStart(3, '0')}`;
  if (!/^[\t\x20-\x7e\x80-\xff]*$/.test(statusMessage)) return 'its reason phrase has control characters';
  const problem = bodyProblem(reply);
  return problem && `its framing is ambiguous: ${problem}`;
}

/** Why it is not clear where a body ends (RFC 9112, 6.3). The parser has refused most of it already. */
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

/** Methods of which Node would take a request without any framing for one in chunks. */
const bodiless = new Set(['GET', 'HEAD', 'DELETE', 'OPTIONS', 'TRACE']);

/** One header that says where a body ends, or none. */
export type Framing = readonly [name: 'Content-Length' | 'Transfer-Encoding', value: string] | undefined;

/** The framing of a request that was found clear, as it is written behind the proxy. */
export function requestFraming(request: RequestHead): Framing {
  if (valuesOf(request, 'transfer-encoding').length > 0) return ['Transfer-Encoding', 'chunked'];
  const [length = bodiless.has(request.method ?? '') ? undefined : '0'] = valuesOf(request, 'content-length');
  return length === undefined ? undefined : ['Content-Length', length];
}

/** Whether a request that was found clear ends with its head. */
export function hasNoBody(request: RequestHead): boolean {
  const [, length = '0'] = requestFraming(request) ?? [];
  return Number(length) === 0;
}

/**
 * The framing of a reply to this request, by its method and version. A body without a length is sent in chunks, or, for
 * HTTP/1.0, until the connection closes.
 */
export function replyFraming(reply: ReplyHead, request: RequestHead): Framing {
  const { statusCode = 0 } = reply;
  if (statusCode === 204) return undefined;
  const [length] = valuesOf(reply, 'content-length');
  if (length !== undefined) return ['Content-Length', length];
  const empty = request.method === 'HEAD' || statusCode === 304;
  return empty || request.httpVersion === '1.0' ? undefined : ['Transfer-Encoding', 'chunked'];
}

/** Whether a reply has a body that says where it ends. */
export function hasClearEnd(reply: ReplyHead, request: Pick<RequestHead, 'method'>): boolean {
  const bodiless = request.method === 'HEAD' || reply.statusCode === 204 || reply.statusCode === 304;
  return !bodiless && ['content-length', 'transfer-encoding'].some((name) => valuesOf(reply, name).length > 0);
}

/** Headers with this framing and no other; a length stays in its place. */
export function withFraming(headers: readonly string[], framing: Framing): string[] {
  const [framingName, value = ''] = framing ?? [];
  const stood = framingName === 'Content-Length' && valuesOf({ rawHeaders: headers }, 'content-length').length > 0;
  const written = pairs(headers).flatMap(([name, sent]) => {
    if (!isNamed(name, 'content-length')) return [name, sent];
    return stood ? [name, value] : [];
  });
  return stood || framingName === undefined ? written : [...written, framingName, value];
}

/** The headers to forward, as they were written: names and values in turn. */
export function passedHeaders(raw: readonly string[]): string[] {
  const listed = valuesOf({ rawHeaders: raw }, 'connection').join().toLowerCase().split(',');
  const named = listed.map((name) => name.trim());
  const dropped = new Set(named.filter((name) => !alwaysPassed.has(name) && !alwaysPassedFamilies.test(name)));
  return pairs(raw)
    .filter(([name]) => !ofOneConnection.has(name.toLowerCase()) && !dropped.has(name.toLowerCase()))
    .flat();
}

/** The same headers with a value added at the end of a list, such as `Via`, whose lines become one. */
export function withAdded(headers: readonly string[], name: string, value: string): string[] {
  const key = name.toLowerCase();
  const values = [...valuesOf({ rawHeaders: headers }, key), value].filter((each) => each !== '');
  const others = pairs(headers).filter(([existing]) => !isNamed(existing, key));
  return [...others.flat(), name, values.join(', ')];
}

/** Pairs of raw headers. */
export function pairs(raw: readonly string[]): [name: string, value: string][] {
  return Array.from({ length: raw.length / 2 }, (_, at) => [raw[2 * at] ?? '', raw[2 * at + 1] ?? '']);
}

/** The values of the headers with this lower-case name. */
function valuesOf({ rawHeaders }: { readonly rawHeaders: readonly string[] }, name: string): string[] {
  return pairs(rawHeaders).flatMap(([written, value]) => (isNamed(written, name) ? [value] : []));
}
