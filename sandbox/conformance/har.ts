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

/** Addresses of servers that are not laid out as the sandbox is; a capture may have several of one API. */
export type ServerAddresses = Readonly<Partial<{ [server in ServerName]: readonly URL[] }>>;

/** A call to an address that is under no contract. */
export interface UnmatchedCall {
  readonly kind: 'unmatched';
  readonly method: string;
  readonly address: URL;
}

/**
 * An entry of a HAR as an exchange, or as a call that matches no contract: `outside` for what a browser asks for itself,
 * `unreadable` when it holds no call, or not as a HAR does. Anybody may have written it.
 */
export function fromHar(
  value: unknown,
  addresses: ServerAddresses,
): Exchange | UnmatchedCall | 'outside' | 'unreadable' {
  const { request, response } = fieldsOf(value);
  const method = textOf(fieldsOf(request).method)?.toUpperCase();
  const url = addressOf(request);
  const sent = headersOf(request);
  if (method === undefined || url === undefined || sent === 'unreadable') return 'unreadable';
  const placed = place(url, addresses) ?? webhookOf(method, sent ?? []);
  // A browser asks this for itself before a call to another origin.
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

/** When an entry says that its call began and ended. */
function spanOf(value: unknown): Exchange['span'] {
  const { startedDateTime, time } = fieldsOf(value);
  const start = Date.parse(textOf(startedDateTime) ?? '');
  const took = typeof time === 'number' && time >= 0 ? time : undefined;
  return Number.isNaN(start) || took === undefined ? undefined : { start, end: start + took };
}

/** The address of a call. Some tools write its query only in a separate field. */
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

/** The server that an address is of, the path below it, and the address of the server, or of the sandbox and its workspace. */
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
  // A recording holds the roots of other sites, too.
  return found === undefined || found.server === 'start'
    ? undefined
    : { ...found, base: `${url.origin}/${found.key ?? ''}` };
}

/** A response; undefined if there was none (browsers record 0 or -1), or it was not recorded. */
function replyOf(response: unknown, method: string): Reply | undefined | 'unreadable' {
  const { status } = fieldsOf(response);
  if ([undefined, null, 0, -1].includes(status as number)) return undefined;
  if (!isStatus(status)) return 'unreadable';
  const headers = headersOf(response);
  if (headers === 'unreadable') return headers;
  const body = receivedBody(response, method, status, headers);
  return body === undefined ? 'unreadable' : { status, headers, body };
}

/** Headers without those that HTTP/2 writes for the request line; undefined if they were not recorded. */
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

/** Replaces a credential that was not captured. Like a masked one, it is not checked. */
export const withheldCredential = '***';

/**
 * Chromium's developer tools omit credentials from exports by default, without a note. Their entries are recognized by
 * properties that no other tool writes.
 */
function withheld(entry: unknown, sent: HeaderList): HeaderList {
  const ofDeveloperTools = '_initiator' in fieldsOf(entry);
  if (!ofDeveloperTools || header(sent, 'authorization') !== undefined) return sent;
  return [...sent, ['authorization', withheldCredential]];
}

/**
 * The whole address of a call that a capture knows by path and query only: at the server that was named for it, else at the
 * host that the capture names. Undefined if it is no address.
 */
export function wholeAddress(target: string, addresses: ServerAddresses, host?: string): string | undefined {
  if (!target.startsWith('/')) return URL.canParse(target) ? target : undefined;
  const isBelow = ({ pathname }: URL) => target.startsWith(`${pathname.replace(/\/$/, '')}/`);
  const named = Object.values(addresses).flat().find(isBelow);
  return `${named?.origin ?? `http://${host ?? 'localhost'}`}${target}`;
}

/** Headers in HAR form; undefined if they were not recorded. A header with several values is repeated. */
export function harHeaders(headers: unknown): { name: string; value: string }[] | undefined {
  if (typeof headers !== 'object' || headers === null) return undefined;
  const isPair = (one: unknown): one is { name: string; value: unknown } =>
    typeof one === 'object' && one !== null && 'name' in one && typeof one.name === 'string' && 'value' in one;
  const pairs = Array.isArray(headers)
    ? headers.filter(isPair).map(({ name, value }) => [name, value] as const)
    : Object.entries(headers);
  return pairs.flatMap(([name, value]) =>
    (Array.isArray(value) ? value : [value])
      .filter((one) => ['string', 'number', 'boolean'].includes(typeof one))
      .map((one) => ({ name, value: String(one) })),
  );
}

/** Parts of a checked exchange that the capture does not have (OP-155). A state change in the log is always complete. */
export function captureGaps({ request, reply }: Exchange, { operation }: Verdict): Report['incomplete'] {
  const withheld =
    header(request.headers, 'authorization') === withheldCredential && (operation?.security.length ?? 0) > 0;
  const messages = reply === undefined ? [request] : [request, reply];
  const count = (hasGap: (message: Message) => boolean) => messages.filter(hasGap).length;
  return {
    messages:
      count((message) => isBodyMissing(message) || areHeadersMissing(message) || (withheld && message === request)) +
      (reply === undefined ? 1 : 0),
    bodies: count(isBodyMissing),
    headers: count(areHeadersMissing),
    credentials: withheld ? 1 : 0,
    replies: reply === undefined ? 1 : 0,
  };
}

function isBodyMissing({ body }: Message): boolean {
  return body.kind === 'uncaptured';
}

function areHeadersMissing({ headers }: Message): boolean {
  return headers === undefined;
}
