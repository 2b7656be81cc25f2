/** A request and its reply, as the proxy or a capture saw them. */
import type { HeaderList } from '../activity-log/activity-entry.ts';
import { isAddressed, registry, type ServerName, serverNames, splitAddress } from '../apis/registry.ts';

export type { HeaderList };

/**
 * A body: bytes as they were sent, with their content coding or (`plain`) without; text; a value if only that was recorded; or
 * nothing: `unseen` if it cannot be checked, `uncaptured` if the capture does not have it, which is no finding.
 */
export type Body =
  | { readonly kind: 'bytes'; readonly bytes: Buffer; readonly plain?: boolean }
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'value'; readonly value: unknown }
  | { readonly kind: 'unseen'; readonly why: string }
  | { readonly kind: 'uncaptured' };

/** Headers are undefined if a capture does not keep them; what they should say is not checked then. */
export interface Message {
  readonly headers: HeaderList | undefined;
  readonly body: Body;
}

export interface Reply extends Message {
  readonly status: number;
}

export interface Exchange {
  /** Whose contracts apply; `webhook` for a request that the platform sends to a registered address. */
  readonly server: ServerName | 'webhook';
  readonly method: string;
  /** Path and query below the server's address. */
  readonly path: string;
  /** The address as findings show it. */
  readonly url: string;
  /** What the address begins with, where it tells one sandbox, workspace or client server from another. */
  readonly base?: string;
  readonly request: Message;
  /** Undefined if no reply came. */
  readonly reply: Reply | undefined;
  /** The trace, if it comes from elsewhere than a header. */
  readonly trace?: string;
  /** Whether secrets were replaced, by asterisks or by a description. Replaced values are not checked. */
  readonly masked?: boolean;
  /** The names of the request's headers in lower case, if a capture has nothing else of them. */
  readonly headerNames?: readonly string[];
  /** When it began and ended, in milliseconds of the recorder's clock, if recorded. */
  readonly span?: { readonly start: number; readonly end: number } | undefined;
}

/**
 * Which server a path of the sandbox or the proxy is for, also behind the key of a workspace (OP-63), and the path below it;
 * undefined if it is for none.
 */
export function serverOf(
  whole: string,
): { readonly server: ServerName; readonly below: string; readonly key?: string | undefined } | undefined {
  const { key, url: path } = splitAddress(whole);
  for (const server of serverNames) {
    if (key !== undefined && !isAddressed(registry[server])) continue;
    const { prefix } = registry[server];
    const below = path.startsWith(prefix) ? path.slice(prefix.length) : undefined;
    // The root and nothing else.
    if (prefix === '' && !/^\/(\?|$)/.test(path)) continue;
    if (below?.startsWith('/')) return { server, below, key };
    // What is served at an address itself is served there without a slash too.
    if (below === '' || below?.startsWith('?')) return { server, below: `/${below}`, key };
  }
  return undefined;
}

/** Where the contract has what a webhook carries, when the headers say that the request is one, wherever it goes. */
export function webhookOf(method: string, headers: HeaderList) {
  const signed = ['webhook-id', 'webhook-signature'].every((name) => header(headers, name) !== undefined);
  return method === 'POST' && signed ? ({ server: 'webhook', below: '/catalogueUpdated' } as const) : undefined;
}

/** The value of a header; of a repeated one all values, joined as HTTP joins them. */
export function header(headers: HeaderList | undefined, name: string): string | undefined {
  let found: string | undefined;
  for (const [candidate, value] of headers ?? []) {
    if (candidate.length === name.length && candidate.toLowerCase() === name)
      found = found === undefined ? value : `${found}, ${value}`;
  }
  return found;
}

/** The values of the headers with these names, in lower case, that are there. */
export function namedHeaders(headers: HeaderList, names: readonly string[]): Record<string, string> {
  const values: Record<string, string> = {};
  for (const [written, value] of headers) {
    const name = written.toLowerCase();
    if (names.includes(name)) values[name] = values[name] === undefined ? value : `${values[name]}, ${value}`;
  }
  return values;
}

/** Whether a value is a status as replies have it. */
export function isStatus(value: unknown): value is number {
  return Number.isInteger(value) && Number(value) >= 100 && Number(value) <= 999;
}

/** Whether a header, as it was written, has this lower-case name. */
export function isNamed(written: string, name: string): boolean {
  return written.length === name.length && (written === name || written.toLowerCase() === name);
}
