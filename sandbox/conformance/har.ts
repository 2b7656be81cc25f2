import type { ServerName } from '../apis/registry.ts';
import type { Verdict } from './checker.ts';
import {
  type Exchange,
  type HeaderList,
  header,
  isStatus,
  type Message,
  type Reply,
  serverOf,
  webhookOf,
} from './exchange.ts';
import type { Report } from './finding-collector.ts';
import { fieldsOf, receivedBody, sentBody, textOf, wordOf } from './har-entry.ts';

/** Addresses of servers that do not use the sandbox's paths. A capture may contain several servers of one API. */
export type ServerAddresses = Readonly<Partial<{ [server in ServerName]: readonly URL[] }>>;

/** A call to an address that no contract covers. */
interface UnmatchedCall {
  readonly kind: 'unmatched';
  readonly method: string;
  readonly address: URL;
}

/** An entry as an exchange, or the reason that it is not one. */
export type Read = Exchange | UnmatchedCall | 'outside' | 'unreadable';

/**
 * Converts a HAR entry to an exchange, or to a call that matches no contract. Returns `outside` for a browser's own requests, and
 * `unreadable` if the entry is not a valid HAR call. The entry is untrusted input.
 */
export function fromHar(value: unknown, addresses: ServerAddresses): Read {
  const { request, response } = fieldsOf(value);
  const method = textOf(fieldsOf(request).method)?.toUpperCase();
  const url = addressOf(request);
  const sent = headersOf(request);
  if (method === undefined || url === undefined || sent === 'unreadable') return 'unreadable';
  const placed = place(url, addresses) ?? webhookOf(method, sent ?? []);
  // A browser sends this request automatically before a cross-origin call.
  const preflight = method === 'OPTIONS' && header(sent, 'access-control-request-method') !== undefined;
  if (preflight) return 'outside';
  if (placed === undefined) return { kind: 'unmatched', method, address: url };
  const requestBody = sentBody(request, method, sent);
  const reply = replyOf(response, method);
  if (requestBody === undefined || reply === 'unreadable') return 'unreadable';
  const { server, below } = placed;
  return {
    server,
    path: below,
    method,
    url: `${url.pathname}${url.search}`,
    base: 'base' in placed ? placed.base.replace(/\/\/(?:127\.0\.0\.1|\[::1\])/, '//localhost') : '',
    request: { headers: sent && withheld(value, sent), body: requestBody },
    reply,
    masked: true,
    span: spanOf(value),
  };
}

/** Returns the recorded start and end of a call, or `undefined` if either is unknown. */
function spanOf(value: unknown): Exchange['span'] {
  const { startedDateTime, time } = fieldsOf(value);
  const start = Date.parse(textOf(startedDateTime) ?? '');
  const took = typeof time === 'number' && time >= 0 ? time : undefined;
  return Number.isNaN(start) || took === undefined ? undefined : { start, end: start + took };
}

/** Returns the address of a call. Some tools write its query only in a separate field. */
function addressOf(request: unknown): URL | undefined {
  const { url: address, queryString } = fieldsOf(request);
  const url = URL.parse(textOf(address) ?? '');
  if (url === null) return undefined;
  if (url.search !== '' || !Array.isArray(queryString)) return url;
  for (const { name, value } of queryString.map(fieldsOf)) {
    url.searchParams.append(wordOf(name) ?? '', wordOf(value) ?? '');
  }
  return url;
}

/** Returns the server of an address, the path below it, and the base address of the server or of the sandbox workspace. */
function place(url: URL, addresses: ServerAddresses): { server: ServerName; below: string; base: string } | undefined {
  if (!/^https?:$/.test(url.protocol)) return undefined;
  for (const [server, bases] of Object.entries(addresses) as [ServerName, readonly URL[]][]) {
    for (const base of bases) {
      const prefix = base.pathname.replace(/\/$/, '');
      if (url.origin !== base.origin || !url.pathname.startsWith(`${prefix}/`)) continue;
      return { server, below: `${url.pathname.slice(prefix.length)}${url.search}`, base: base.href };
    }
  }
  const found = serverOf(`${url.pathname}${url.search}`);
  // A recording may also contain the root pages of other sites.
  if (found === undefined || found.server === 'start') return undefined;
  return { ...found, base: `${url.origin}/${found.key ?? ''}` };
}

/** Returns a reply, or `undefined` if there was none (browsers record 0 or -1) or it was not recorded. */
function replyOf(response: unknown, method: string): Reply | undefined | 'unreadable' {
  const { status } = fieldsOf(response);
  if ([undefined, null, 0, -1].includes(status as number)) return undefined;
  if (!isStatus(status)) return 'unreadable';
  const headers = headersOf(response);
  if (headers === 'unreadable') return headers;
  const body = receivedBody(response, method, status, headers);
  return body === undefined ? 'unreadable' : { status, headers, body };
}

/** Returns headers without HTTP/2 pseudo-headers, or `undefined` if they were not recorded. */
function headersOf(message: unknown): HeaderList | undefined | 'unreadable' {
  const { headers } = fieldsOf(message);
  if (headers === undefined || headers === null) return undefined;
  if (!Array.isArray(headers)) return 'unreadable';
  const pairs = headers.map((header) => [fieldsOf(header).name, fieldsOf(header).value] as const);
  if (!pairs.every((pair): pair is readonly [string, string] => pair.every((part) => typeof part === 'string'))) {
    return 'unreadable';
  }
  return pairs.filter(([name]) => !name.startsWith(':'));
}

/** Placeholder for a credential that was not captured. Like a masked credential, it is not checked. */
export const withheldCredential = '***';

/**
 * Adds a placeholder for a credential that Chromium's developer tools omitted. By default, they omit credentials from exports
 * without a note. Their entries are recognized by a property that no other tool writes.
 */
function withheld(entry: unknown, sent: HeaderList): HeaderList {
  const ofDeveloperTools = '_initiator' in fieldsOf(entry);
  if (!ofDeveloperTools || header(sent, 'authorization') !== undefined) return sent;
  return [...sent, ['authorization', withheldCredential]];
}

/**
 * Returns the full address of a call that a capture records only by path and query. A named server with a matching path has
 * priority over the captured host. Returns `undefined` if the target is not an address.
 */
export function wholeAddress(target: string, addresses: ServerAddresses, host?: string): string | undefined {
  if (!target.startsWith('/')) return URL.canParse(target) ? target : undefined;
  const isBelow = ({ pathname }: URL) => target.startsWith(`${pathname.replace(/\/$/, '')}/`);
  const named = Object.values(addresses).flat().find(isBelow);
  return `${named?.origin ?? `http://${host ?? 'localhost'}`}${target}`;
}

/** Converts headers to HAR form, or returns `undefined` if they were not recorded. A header with several values is repeated. */
export function harHeaders(headers: unknown): { name: string; value: string }[] | undefined {
  if (typeof headers !== 'object' || headers === null) return undefined;
  const pairs = Array.isArray(headers)
    ? headers.map(fieldsOf).map(({ name, value }) => [textOf(name), value] as const)
    : Object.entries(headers);
  return pairs.flatMap(([name, given]) => {
    const values = (Array.isArray(given) ? given : [given]).map(wordOf).filter((value) => value !== undefined);
    return name === undefined ? [] : values.map((value) => ({ name, value }));
  });
}

/** Counts the parts of a checked exchange that the capture does not have (OP-155). */
export function captureGaps({ request, reply }: Exchange, { operation }: Verdict): Report['incomplete'] {
  const withheld =
    header(request.headers, 'authorization') === withheldCredential && (operation?.security.length ?? 0) > 0;
  const messages = reply === undefined ? [request] : [request, reply];
  const replies = reply === undefined ? 1 : 0;
  const isBodyMissing = ({ body }: Message) => body.kind === 'uncaptured';
  const areHeadersMissing = ({ headers }: Message) => headers === undefined;
  const hasGap = (message: Message) =>
    isBodyMissing(message) || areHeadersMissing(message) || (withheld && message === request);
  const count = (isMissing: (message: Message) => boolean) => messages.filter(isMissing).length;
  return {
    messages: count(hasGap) + replies,
    bodies: count(isBodyMissing),
    headers: count(areHeadersMissing),
    credentials: withheld ? 1 : 0,
    replies,
  };
}
