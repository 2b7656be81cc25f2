/** A request and its reply, as the proxy or a capture recorded them. */
import type { HeaderList } from '../activity-log/activity-entry.ts';
import { isAddressed, registry, type ServerName, serverNames, splitAddress } from '../apis/registry.ts';

export type { HeaderList };

/**
 * A body. `bytes` are as sent, or without their content coding if `plain` is set. A `value` is JSON that was recorded without its
 * text. `unseen` means that the body cannot be checked. `uncaptured` means that the capture does not have it, which is not a
 * finding.
 */
export type Body =
  | { readonly kind: 'bytes'; readonly bytes: Buffer; readonly plain?: boolean }
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'value'; readonly value: unknown }
  | { readonly kind: 'unseen'; readonly why: string }
  | { readonly kind: 'uncaptured' };

/** A message. `headers` is `undefined` if a capture does not record headers, which are then not checked. */
export interface Message {
  readonly headers: HeaderList | undefined;
  readonly body: Body;
}

export interface Reply extends Message {
  readonly status: number;
}

export interface Exchange {
  /** The server whose contracts apply, or `webhook` for a request that the platform sends to a registered address. */
  readonly server: ServerName | 'webhook';
  readonly method: string;
  /** Path and query below the server's address. */
  readonly path: string;
  /** The address to show in findings. */
  readonly url: string;
  /** The beginning of the address, if it distinguishes one sandbox, workspace or client server from another. */
  readonly base?: string;
  readonly request: Message;
  /** `undefined` if no reply was received. */
  readonly reply: Reply | undefined;
  /** The trace id, if its source is not a header. */
  readonly trace?: string;
  /** Whether secrets were replaced by asterisks or by a description. Replaced values are not checked. */
  readonly masked?: boolean;
  /** The lower-case names of the request headers, if the capture records only names. */
  readonly headerNames?: readonly string[];
  /** The start and end of the exchange in milliseconds of the recorder's clock, if recorded. */
  readonly span?: { readonly start: number; readonly end: number } | undefined;
}

/**
 * Returns the server of a path on the sandbox or the proxy, with the remaining path and any workspace key (OP-63). Returns
 * `undefined` if the path belongs to no server.
 */
export function serverOf(
  whole: string,
): { readonly server: ServerName; readonly below: string; readonly key?: string | undefined } | undefined {
  const { key, url: path } = splitAddress(whole);
  for (const server of serverNames) {
    if (key !== undefined && !isAddressed(registry[server])) continue;
    const { prefix } = registry[server];
    const below = path.startsWith(prefix) ? path.slice(prefix.length) : undefined;
    // An empty prefix matches only the root.
    if (prefix === '' && !/^\/(\?|$)/.test(path)) continue;
    if (below?.startsWith('/')) return { server, below, key };
    // A server's address is valid without a trailing slash too.
    if (below === '' || below?.startsWith('?')) return { server, below: `/${below}`, key };
  }
  return undefined;
}

/** Returns the contract location of a webhook if the headers identify the request as one, regardless of its address. */
export function webhookOf(method: string, headers: HeaderList) {
  const signed = ['webhook-id', 'webhook-signature'].every((name) => header(headers, name) !== undefined);
  return method === 'POST' && signed ? ({ server: 'webhook', below: '/catalogueUpdated' } as const) : undefined;
}

/** Returns the value of a header. The values of a repeated header are joined with commas, as in HTTP. */
export function header(headers: HeaderList | undefined, name: string): string | undefined {
  const found = headers?.filter(([written]) => isNamed(written, name)) ?? [];
  return found.length === 0 ? undefined : found.map(([, value]) => value).join(', ');
}

/** Returns the values of the named headers that are present. Names must be in lower case. */
export function namedHeaders(headers: HeaderList, names: readonly string[]): Record<string, string> {
  const values: Record<string, string> = {};
  for (const [written, value] of headers) {
    const name = written.toLowerCase();
    if (names.includes(name)) values[name] = values[name] === undefined ? value : `${values[name]}, ${value}`;
  }
  return values;
}

/** Returns whether a value is an HTTP status between 100 and 999. */
export function isStatus(value: unknown): value is number {
  return Number.isInteger(value) && Number(value) >= 100 && Number(value) <= 999;
}

/** Returns whether the name of a header, as written, equals this lower-case name. */
export function isNamed(written: string, name: string): boolean {
  return written.length === name.length && (written === name || written.toLowerCase() === name);
}
