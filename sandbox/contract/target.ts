import type { IncomingMessage } from 'node:http';
import { isRepeated } from './request.ts';

/** A request's address as the application sees it, or what is wrong with it. */
export type Target = { readonly url: string } | { readonly problem: string };

/** What a Host header may say (RFC 9110, 7.2): a name or an address, and a port. */
const hostForm = /^(?:[A-Za-z0-9._~-]+|\[[0-9A-Fa-f:.]+\])(?::[0-9]{1,5})?$/;

/** The address of a request in its one spelling; a problem where its target or its Host is not well-formed (OP-67). */
export function arrival(request: IncomingMessage): Target {
  const { host } = request.headers;
  if (isRepeated(request, 'host')) return { problem: 'there is more than one Host header' };
  if (host === undefined && request.httpVersion === '1.1') return { problem: 'there is no Host header' };
  if (host !== undefined && !hostForm.test(host)) return { problem: 'the Host header is not a valid host and port' };
  return targetOf(request.url ?? '', host);
}

/**
 * Path and query of a request target in their one spelling (RFC 9112, 3.2; RFC 3986, 6.2.2), so that routing, log and
 * masking all see the same. An absolute target counts where it names the host that the Host header names.
 */
export function targetOf(raw: string, host = ''): Target {
  if (raw === '*') return { url: raw };
  const [, authority, below = raw] = /^https?:\/\/([^/?#]*)(.*)$/is.exec(raw) ?? [];
  if (authority !== undefined && authority.toLowerCase() !== host.toLowerCase()) {
    return { problem: 'the target names a different host than the Host header' };
  }
  if (below.includes('#')) return { problem: 'the target has a fragment' };
  const whole = authority !== undefined && !below.startsWith('/') ? `/${below}` : below;
  if (!whole.startsWith('/')) return { problem: 'the target is not a path' };
  const mark = whole.indexOf('?');
  const path = pathOf(mark < 0 ? whole : whole.slice(0, mark));
  if (typeof path !== 'string') return path;
  const query = mark < 0 ? '' : new URLSearchParams(encoded(whole.slice(mark + 1))).toString();
  return { url: query === '' ? path : `${path}?${query}` };
}

/** Segments that have no other spelling, as nearly every path has them. */
const plainPath = /^(?:\/[\w~-]+)+$/;

function pathOf(raw: string): string | { readonly problem: string } {
  if (plainPath.test(raw)) return raw;
  const [, ...segments] = encoded(raw).split('/');
  if (segments.slice(0, -1).includes('')) return { problem: 'the path has an empty segment' };
  try {
    const decoded = segments.map(decodeURIComponent);
    if (decoded.includes('.') || decoded.includes('..')) return { problem: 'the path has a dot segment' };
    return `/${decoded.map((segment) => encodeURI(segment).replaceAll(/[/?#]/g, encodeURIComponent)).join('/')}`;
  } catch {
    return { problem: 'the path is not percent-encoded UTF-8' };
  }
}

/** Bytes that no address holds as they are, such as those of an umlaut, percent-encoded. */
function encoded(bytes: string): string {
  return bytes.replaceAll(/[^!-~]/g, (byte) => `%${byte.charCodeAt(0).toString(16).padStart(2, '0')}`);
}
