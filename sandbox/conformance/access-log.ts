/** Access logs with a JSON object on each line, as entries of a HAR. The guide on CI lists the names of fields. */

import { harHeaders, type ServerAddresses, wholeAddress } from './har.ts';
import { fieldsOf, textOf, wordOf } from './har-entry.ts';

type Fields = ReturnType<typeof fieldsOf>;

/** Most characters of the beginning of a file in which a call is looked for, to tell that it is such a log. */
const mostLooked = 1 << 20;

/** Whether a text, the beginning of a file, is one of an access log: an object on each line, and a call among the first. */
export function isAccessLog(beginning: string): boolean {
  const [first = '', ...others] = beginning.slice(0, mostLooked).split('\n');
  const isOwnForm = ['log', 'items', 'run', 'interactions'].some((name) => typeof parsed(first)?.[name] === 'object');
  if (parsed(first) === undefined || isOwnForm) return false;
  return [first, ...others].some((line) => isCall(parsed(line)));
}

/** A line as an object; undefined if it is none. */
function parsed(line: string): Fields | undefined {
  try {
    const value: unknown = JSON.parse(line);
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? fieldsOf(value) : undefined;
  } catch {
    return undefined;
  }
}

/**
 * A line as an entry of a HAR: undefined if it is not about a call, `unreadable` if it is not an object.
 * Anybody may have written it.
 */
export function accessLogEntry(line: string, addresses: ServerAddresses): unknown {
  const fields = parsed(line);
  if (fields === undefined) return 'unreadable';
  const { method, target, status } = callOf(fields);
  if (!isCall(fields)) return undefined;
  const request = partOf(fields, 'request', 'req');
  const response = partOf(fields, 'response', 'res');
  const sent = harHeaders(request.headers ?? fields.request_headers);
  const host = textOf(fields.host) ?? sent?.find(({ name }) => name.toLowerCase() === 'host')?.value;
  const took = milliseconds(fields);
  const written = instant(fields);
  return {
    ...(written !== undefined && { startedDateTime: new Date(written - took).toISOString(), time: took }),
    request: {
      method,
      url: wholeAddress(target ?? '', addresses, host),
      ...(sent && { headers: sent }),
      ...sentBody(bodyIn(request, fields, 'request_body')),
    },
    response: {
      status,
      headers: harHeaders(response.headers ?? fields.response_headers),
      content: receivedBody(bodyIn(response, fields, 'response_body')),
    },
  };
}

/** The part of a line about one message. A text in its place is a request line, as some write it. */
function partOf(fields: Fields, name: string, short: string): Fields {
  return fieldsOf(fields[name] ?? fields[short]);
}

function callOf(fields: Fields) {
  const request = partOf(fields, 'request', 'req');
  const response = partOf(fields, 'response', 'res');
  const method = textOf(request.method ?? fields.method ?? fields.request_method);
  const target = textOf(
    request.url ?? request.uri ?? fields.url ?? fields.uri ?? fields.request_uri ?? request.path ?? fields.path,
  );
  const status = Number(wordOf(response.status ?? response.statusCode ?? fields.status ?? fields.status_code));
  return { method, target, status: Number.isNaN(status) ? undefined : status };
}

function isCall(fields: Fields | undefined): boolean {
  if (fields === undefined) return false;
  const { method, target } = callOf(fields);
  return method !== undefined && target !== undefined;
}

/** What a line has of a body; undefined if it has nothing, which does not say that there was none. */
function bodyIn(part: Fields, fields: Fields, flat: string): { readonly text: string } | undefined {
  const value = 'body' in part ? part.body : fields[flat];
  if (value === undefined) return undefined;
  // nginx writes a dash if there is none.
  if (value === null || value === '-') return { text: '' };
  return { text: typeof value === 'string' ? value : JSON.stringify(value) };
}

function sentBody(body: { readonly text: string } | undefined): object {
  if (body === undefined) return { bodySize: -1 };
  return body.text === '' ? { bodySize: 0 } : { postData: { text: body.text } };
}

function receivedBody(body: { readonly text: string } | undefined): object {
  return body === undefined ? {} : { text: body.text, ...(body.text === '' && { size: 0 }) };
}

/** The last instant of a date, less the longest call: what began before a line was written is a date, too. */
const latest = 8.64e15 - 1e9;

/** When a line was written, which is when its call had ended, in milliseconds since 1970. */
function instant({ time, timestamp, '@timestamp': stamp, time_iso8601: iso }: Fields): number | undefined {
  const value = time ?? timestamp ?? stamp ?? iso;
  const at = typeof value === 'number' ? value : Date.parse(textOf(value) ?? '');
  return Number.isNaN(at) || Math.abs(at) > latest ? undefined : at;
}

/** How long a call took: `request_time` of nginx is in seconds. */
function milliseconds({ duration_ms: duration, responseTime, request_time: seconds }: Fields): number {
  const took = Number(wordOf(duration ?? responseTime) ?? Number(wordOf(seconds) ?? 0) * 1000);
  return took >= 0 && took < 1e9 ? took : 0;
}

/** How such a file begins: it has a metric, or a value of one, on each line. */
export const k6Beginning = /^\s*\{"(?:metric|type)":"/;

/** A line about a call as an entry of a HAR; undefined for any other. Anybody may have written it. */
export function k6Entry(line: unknown): unknown {
  const { type, metric, data } = fieldsOf(line);
  // Of each call every metric has a line; this one counts calls.
  if (type !== 'Point' || metric !== 'http_reqs') return undefined;
  const { method, url, status } = fieldsOf(fieldsOf(data).tags);
  return { request: { method, url }, response: { status: Number(wordOf(status)) } };
}
