/** Access logs with one JSON object per line, converted to HAR entries. The CI guide lists the field names. */

import { harHeaders, type ServerAddresses, wholeAddress } from './har.ts';
import { fieldsOf, harContent, harPostData, textOf, wordOf } from './har-entry.ts';

type Fields = ReturnType<typeof fieldsOf>;

/** Maximum number of characters searched for a call when an access log is detected. */
const mostLooked = 1 << 20;

/** Returns whether a file begins like an access log: one JSON object per line, with a call among the first lines. */
export function isAccessLog(beginning: string): boolean {
  const [first = '', ...others] = beginning.slice(0, mostLooked).split('\n');
  const isOwnForm = ['log', 'items', 'run', 'interactions'].some((name) => typeof parsed(first)?.[name] === 'object');
  if (parsed(first) === undefined || isOwnForm) return false;
  return [first, ...others].some((line) => callOf(parsed(line) ?? {}) !== undefined);
}

/** Parses a line as a JSON object. Returns `undefined` if it is not one. */
function parsed(line: string): Fields | undefined {
  try {
    const value: unknown = JSON.parse(line);
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? fieldsOf(value) : undefined;
  } catch {
    return undefined;
  }
}

/**
 * Converts a line to a HAR entry. Returns `undefined` if the line is not about a call, and `unreadable` if it is not an object. The
 * line is untrusted input.
 */
export function accessLogEntry(line: string, addresses: ServerAddresses): unknown {
  const fields = parsed(line);
  if (fields === undefined) return 'unreadable';
  const call = callOf(fields);
  if (call === undefined) return undefined;
  const { request, response, method, target, status } = call;
  const sent = harHeaders(request.headers ?? fields.request_headers);
  const host = textOf(fields.host) ?? sent?.find(({ name }) => name.toLowerCase() === 'host')?.value;
  const took = milliseconds(fields);
  const written = instant(fields);
  return {
    ...(written !== undefined && { startedDateTime: new Date(written - took).toISOString(), time: took }),
    request: {
      method,
      url: wholeAddress(target, addresses, host),
      ...(sent && { headers: sent }),
      ...harPostData(bodyIn(request, fields, 'request_body')),
    },
    response: {
      status,
      headers: harHeaders(response.headers ?? fields.response_headers),
      content: harContent(bodyIn(response, fields, 'response_body')),
    },
  };
}

/** Returns the fields of a line that describe one message. Some logs contain a request line there instead, which has no fields. */
function partOf(fields: Fields, name: string, short: string): Fields {
  return fieldsOf(fields[name] ?? fields[short]);
}

/** Returns the parts of a call in a line, or `undefined` if the line is not about a call. */
function callOf(fields: Fields) {
  const request = partOf(fields, 'request', 'req');
  const response = partOf(fields, 'response', 'res');
  const method = textOf(request.method ?? fields.method ?? fields.request_method);
  const target = textOf(
    request.url ?? request.uri ?? fields.url ?? fields.uri ?? fields.request_uri ?? request.path ?? fields.path,
  );
  const status = Number(wordOf(response.status ?? response.statusCode ?? fields.status ?? fields.status_code));
  if (method === undefined || target === undefined) return undefined;
  return { request, response, method, target, status: Number.isNaN(status) ? undefined : status };
}

/** Returns the body in a line. Returns `undefined` if the line has none, which does not mean that the message had no body. */
function bodyIn(part: Fields, fields: Fields, flat: string): { readonly text: string } | undefined {
  const value = 'body' in part ? part.body : fields[flat];
  if (value === undefined) return undefined;
  // nginx writes a dash if there is no body.
  if (value === null || value === '-') return { text: '' };
  return { text: typeof value === 'string' ? value : JSON.stringify(value) };
}

/** The latest accepted time in milliseconds: the last valid date minus the longest call, so that the start is valid too. */
const latest = 8.64e15 - 1e9;

/** Returns when a line was written, in milliseconds since 1970. Servers log a call when it ends. */
function instant({ time, timestamp, '@timestamp': stamp, time_iso8601: iso }: Fields): number | undefined {
  const value = time ?? timestamp ?? stamp ?? iso;
  const at = typeof value === 'number' ? value : Date.parse(textOf(value) ?? '');
  return Number.isNaN(at) || Math.abs(at) > latest ? undefined : at;
}

/** Returns the duration of a call in milliseconds. The `request_time` of nginx is in seconds. */
function milliseconds({ duration_ms: duration, responseTime, request_time: seconds }: Fields): number {
  const took = Number(wordOf(duration ?? responseTime) ?? Number(wordOf(seconds) ?? 0) * 1000);
  return took >= 0 && took < 1e9 ? took : 0;
}

/** Matches the beginning of k6 output, where each line contains a metric or a sample. */
export const k6Beginning = /^\s*\{"(?:metric|type)":"/;

/** Converts a k6 line about a call to a HAR entry. Returns `undefined` for any other line. The line is untrusted input. */
export function k6Entry(line: unknown): unknown {
  const { type, metric, data } = fieldsOf(line);
  // k6 writes a line per metric for each call. Only the metric for the number of calls is read.
  if (type !== 'Point' || metric !== 'http_reqs') return undefined;
  const { method, url, status } = fieldsOf(fieldsOf(data).tags);
  return { request: { method, url }, response: { status: Number(wordOf(status)) } };
}
