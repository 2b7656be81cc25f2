import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import { isIP, isIPv4 } from 'node:net';
import ipaddr from 'ipaddr.js';
import { type RegisteredApi, registry } from '../apis/registry.ts';
import type { CallOrigin, Foreign } from '../contract/api.ts';

/** Address ranges that a local sandbox may call by default: the loopback ranges of its own machine (OP-60). */
export const localAddresses: readonly string[] = ['127.0.0.0/8', '::1/128'];

/**
 * The only IPv6 range from which global unicast addresses are assigned. Addresses outside it include obsolete notations
 * that embed an IPv4 address.
 */
const givenOut = ipaddr.parseCIDR('2000::/3');

/**
 * Returns the problem with an address that the sandbox will call later; `undefined` if there is none. Accepts https to
 * any public address, and plain http to loopback and to private ranges that the operator allows (OP-26, OP-32, OP-60).
 * Host names are not resolved here. The URL parser has already normalized every notation of an IP address.
 */
export function addressProblem(address: string, allowed: readonly string[]): string | undefined {
  const neither = 'must be an https URL, or http on loopback or in a private range allowed with --allow-address';
  if (!URL.canParse(address)) return neither;
  const { protocol, hostname, username, password } = new URL(address);
  if (username !== '' || password !== '') return neither;
  if (protocol !== 'https:' && !(protocol === 'http:' && takesPlainHttp(hostname, allowed))) return neither;
  const host = bare(hostname);
  const addresses = ipaddr.isValid(host) ? [host] : isLoopback(host) ? ['127.0.0.1', '::1'] : [];
  if (addresses.length === 0 || addresses.some((literal) => isPublic(literal) || inRanges(literal, allowed)))
    return undefined;
  return 'must be a public address or one allowed with --allow-address';
}

/**
 * Returns the reason not to connect to an IP address; `undefined` if the connection is allowed (OP-26, OP-60). The
 * reason omits the address, so that callers cannot resolve names of the internal network.
 */
export function refusalOf(address: string, protocol: string, allowed: readonly string[]): string | undefined {
  if (protocol !== 'https:' && !takesPlainHttp(address, allowed))
    return 'plain http is allowed only on loopback and in private ranges allowed with --allow-address';
  if (isPublic(address) || inRanges(address, allowed)) return undefined;
  return 'the address is not public and not allowed with --allow-address';
}

/**
 * Returns whether a host may be called over plain http: loopback, or an allowed private range such as a container
 * network. Traffic to public addresses is always encrypted. A host name is checked again after it is resolved.
 */
function takesPlainHttp(hostname: string, allowed: readonly string[]): boolean {
  if (isLoopback(hostname)) return true;
  const host = bare(hostname);
  if (!ipaddr.isValid(host)) return allowed.some((range) => !isLoopback(ipaddr.parseCIDR(range)[0].toString()));
  return !isPublic(host) && inRanges(host, allowed);
}

/** Returns whether an IP address is on the public internet. */
function isPublic(text: string): boolean {
  if (!ipaddr.isValid(text)) return false;
  const address = ipaddr.process(text);
  return address.range() === 'unicast' && (address.kind() === 'ipv4' || address.match(givenOut));
}

/**
 * Returns whether the host of a URL is this machine: `localhost`, one of its subdomains, or an IP literal in the
 * loopback range.
 */
export function isLoopback(hostname: string): boolean {
  const host = bare(hostname);
  // This check runs on every call, and parsing an address is slow. The notation used by sockets and most hosts needs no
  // parser.
  const dotted = host.startsWith('::ffff:') ? host.slice('::ffff:'.length) : host;
  if (isIPv4(dotted)) return dotted.startsWith('127.');
  if (host === '::1' || /^([^.]+\.)*localhost\.?$/i.test(host)) return true;
  return ipaddr.isValid(host) && ipaddr.process(host).range() === 'loopback';
}

/** Parses the name and port of a `Host` header. Returns `undefined` if the header does not consist of exactly one host. */
export function hostOf(header: string): { readonly hostname: string; readonly port: string } | undefined {
  if (!/^[^\s/?#@\\]+$/.test(header)) return undefined;
  const [, hostname = '', port = ''] = /^(\[[^\]]+\]|[^:]+)(?::(\d*))?$/.exec(header) ?? [];
  return hostname === '' ? undefined : { hostname: hostname.toLowerCase(), port };
}

function bare(hostname: string): string {
  return hostname.replace(/^\[|\]$/g, '');
}

/** Returns whether `text` is an address range in CIDR notation. */
export function isRange(text: string): boolean {
  return ipaddr.isValidCIDR(text);
}

/** Returns whether a peer's address is in one of the ranges (OP-31). */
export function inRanges(peer: string, ranges: readonly string[]): boolean {
  if (ranges.length === 0 || !ipaddr.isValid(peer)) return false;
  const address = ipaddr.process(peer);
  return ranges.some((range) => {
    const [network, bits] = ipaddr.parseCIDR(range);
    return network.kind() === address.kind() && address.match(network, bits);
  });
}

/** Formats a host for a URL. Replaces an address that means all interfaces with the loopback address. */
export function urlHost(host: string): string {
  if (host === '0.0.0.0' || host === '::') return '127.0.0.1';
  return host.includes(':') ? `[${host}]` : host;
}

/**
 * The header that marks every call from a sandbox to another party, so that the receiver knows that no person sent it
 * (OP-77).
 */
export const outgoingHeader = 'x-sandbox-outgoing';
/** The header that a workspace adds to calls to its own sandbox. Its value identifies the workspace and cannot be guessed. */
export const ownCallHeader = 'x-sandbox-own-call';

/** Server settings that decide how a caller is classified. */
export interface Boundary {
  /**
   * Whether calls from this machine need no admin token. True only if the server is bound to loopback and no token was
   * set (OP-65).
   */
  readonly exempt: boolean;
  /** Accepted host names, in addition to those of this machine and IP addresses. */
  readonly hosts: readonly string[];
  /** Origins of other sites whose pages may call this server (OP-270). */
  readonly origins: readonly string[];
  /** Address ranges of proxies whose forwarding headers are trusted (OP-87). */
  readonly trustedProxies: readonly string[];
}

/**
 * Resolves the origin of a call once, on arrival. The control API, the allowlist, the log and the pages use the result
 * (OP-77). `url` is the normalized path and query of the call.
 */
export function callerOf(request: IncomingMessage, url: string, boundary: Boundary): CallOrigin {
  const { headers, socket } = request;
  const peer = socket.remoteAddress ?? '';
  const trusted = inRanges(peer, boundary.trustedProxies);
  const named = (trusted ? last(headers['x-forwarded-host']) : undefined) ?? headers.host;
  const host = hostOf(named ?? '');
  const kind = kindOf(headers, peer);
  const site = siteOf(headers, host, boundary.origins);
  // Only HTTP/1.0 requests lack a `Host` header, and no browser sends HTTP/1.0.
  const misnamed = named !== undefined && (host === undefined || !isOwnHost(host.hostname, boundary.hosts));
  const foreign = misnamed ? ({ kind: 'foreign_host' } as const) : foreignOf(request, url, site);
  const local = kind === 'machine' && isLoopback(host?.hostname ?? '') && (site === 'own' || site === 'none');
  return {
    kind,
    addresses: addressesOf(peer, String(headers['x-forwarded-for'] ?? ''), trusted ? boundary.trustedProxies : []),
    exempt: boundary.exempt && local && foreign === undefined,
    ...(foreign !== undefined && { foreign }),
  };
}

type Host = ReturnType<typeof hostOf>;

function last(values: string | readonly string[] | undefined): string | undefined {
  return [values ?? []].flat().join(',').split(',').at(-1)?.trim() || undefined;
}

function kindOf(headers: IncomingHttpHeaders, peer: string): CallOrigin['kind'] {
  if (headers[outgoingHeader] !== undefined) return 'sandbox';
  for (const name of Object.keys(headers)) if (forwarding.test(name)) return 'forwarded';
  return isLoopback(peer) ? 'machine' : 'network';
}

/** Matches headers that proxies add to forwarded requests. */
const forwarding =
  /^(x-forwarded(-.+)?|forwarded|via|x-real-ip|x-client-ip|x-original-.+|(true-client|cf-connecting)-ip)$/;

/**
 * The origin of a browser's call: a page of this server, no page, a hidden origin, a page of an allowed site, or a page
 * of another site.
 */
type Site = 'own' | 'none' | 'hidden' | 'allowed' | 'other';

function siteOf({ origin, 'sec-fetch-site': site }: IncomingHttpHeaders, host: Host, allowed: readonly string[]): Site {
  if (origin !== undefined && allowed.includes(origin) && !sameHost(origin, host)) return 'allowed';
  if (site !== undefined && site !== 'same-origin' && site !== 'none') return 'other';
  if (origin !== undefined && origin !== 'null') return sameHost(origin, host) ? 'own' : 'other';
  if (site !== undefined) return site === 'none' ? 'none' : 'own';
  return origin === undefined ? 'none' : 'hidden';
}

function sameHost(origin: string, host: Host): boolean {
  const { protocol = '', host: from = '' } = URL.parse(origin) ?? {};
  const sender = hostOf(from);
  if (sender === undefined || host === undefined || !/^https?:$/.test(protocol)) return false;
  // Behind a proxy that terminates TLS, the default port is unknown, so each origin uses the default of `protocol`.
  const port = ({ port: given }: NonNullable<Host>) => given || (protocol === 'https:' ? '443' : '80');
  return sender.hostname === host.hostname && port(sender) === port(host);
}

function foreignOf(request: IncomingMessage, url: string, site: Site): Foreign | undefined {
  const { headers, method = '' } = request;
  if (headers[outgoingHeader] !== undefined && !takesOutgoing(url, headers)) return { kind: 'own_call' };
  const navigation = /^(GET|HEAD)$/.test(method) && headers['sec-fetch-mode'] === 'navigate';
  if (site === 'other' && !navigation) return { kind: 'foreign_site' };
  // A session URL cannot be guessed, so the sender of the form was on that page.
  const isOutside = site === 'hidden' && !sessionPaths.some((path) => url.startsWith(path));
  return isOutside ? { kind: 'foreign_site' } : undefined;
}

/** Returns whether a host name belongs to this server. IP addresses always do, because DNS rebinding cannot redirect them. */
export function isOwnHost(hostname: string, hosts: readonly string[]): boolean {
  const name = hostname.toLowerCase().replace(/\.$/, '');
  return isLoopback(name) || isIP(name.replace(/^\[|\]$/g, '')) !== 0 || hosts.includes(name);
}

/** Path prefixes of URLs that identify their session. */
const sessionPaths = Object.values<RegisteredApi>(registry)
  .filter(({ credential }) => credential === 'address')
  .map(({ prefix }) => `${prefix}/s/`);
const clientPath = `${registry.client.prefix}/`;
const rewardsPath = `${registry.rewards.prefix}/`;

/**
 * Returns whether a path accepts calls from a sandbox. A sandbox calls the client at `/client`, and its own reference
 * client calls the platform at `/rewards`. No other path is valid.
 */
function takesOutgoing(url: string, headers: IncomingHttpHeaders): boolean {
  return url.startsWith(clientPath) || (headers[ownCallHeader] !== undefined && url.startsWith(rewardsPath));
}

/**
 * Returns the addresses of a call's origin. This is the peer, unless the peer is a trusted proxy. In that case it is
 * the last `X-Forwarded-For` entry that is not a trusted proxy, because the caller can forge all earlier entries. If
 * that entry is not an address, the caller is unknown and matches no allowlist. For an untrusted proxy on this machine,
 * returns both the peer and the last entry. The proxy therefore cannot lend its own address to its callers.
 */
function addressesOf(peer: string, forwardedFor: string, trusted: readonly string[]): readonly string[] {
  if (forwardedFor === '') return [peer];
  const hops = forwardedFor.split(',').map((text) => text.trim());
  if (trusted.length === 0) return isLoopback(peer) ? [peer, hops.at(-1) ?? ''] : [peer];
  for (const hop of hops.toReversed()) {
    if (isIP(hop) === 0) return ['unknown'];
    if (!inRanges(hop, trusted)) return [hop];
  }
  return [peer];
}
